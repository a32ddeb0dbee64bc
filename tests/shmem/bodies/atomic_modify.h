// SPDX-License-Identifier: BSD-3-Clause
// Every PE changes a cell of its own on every PE, and all of them, many times, one in common.
#if OPERANDS
#define MODIFY(at, operand, pe) CALL(at, operand, pe)
#else
#define MODIFY(at, operand, pe) CALL(at, pe)
#endif
T* const cells = (T*)arena;
for (int i = 0; i < 2 * pes + 3; ++i) cells[i] = VALUE(me, 0, i);
cells[2 * pes + 1] = MAKE((uint64_t)0xfffffffd); // a carry leaves the lower half
const T initial = cells[2 * pes + 1];
shmem_sync_all();
for (int to = 0; to < pes; ++to) {
  MODIFY(cells + 2 * me + 1, VALUE(me, to, 50), to);
  for (int k = 0; k < many_times; ++k) MODIFY(cells + 2 * pes + 1, VALUE(me, to, 60 + k), to);
}
QUIET();
shmem_sync_all();
uint64_t wanted = (uint64_t)initial;
for (int from = 0; from < pes; ++from) {
  EXPECT(cells[2 * from], VALUE(me, 0, 2 * from), "neighbour", 2 * from);
  EXPECT(cells[2 * from + 1], (T)(APPLY(bits(me, 0, 2 * (size_t)from + 1), bits(from, me, 50))), "cell of PE",
         from);
  for (int k = 0; k < many_times; ++k) wanted = APPLY(wanted, bits(from, me, 60 + (size_t)k));
}
EXPECT(cells[2 * pes + 1], (T)wanted, "common cell", 0);
EXPECT(cells[2 * pes + 2], VALUE(me, 0, 2 * pes + 2), "neighbour", 2 * pes + 2);
#undef MODIFY
