// SPDX-License-Identifier: BSD-3-Clause
// Every PE changes a cell of its own on every PE and sees the value before; all of them change one in common:
// what they saw must be one sequence of changes.
#if OPERANDS
#define MODIFY(out, at, operand, pe) FETCH(out, at, operand, pe)
#else
#define MODIFY(out, at, operand, pe) FETCH(out, at, pe)
#endif
T* const cells = (T*)arena;
T* const seen = cells + 2 * most_pes + 4; // in the common cell, by PE
T* const crowded = seen + most_pes;       // changed so often that the PEs meet in the middle
T own[most_pes], ignored;
for (int i = 0; i < 2 * pes + 3; ++i) cells[i] = VALUE(me, 0, i);
cells[2 * pes + 1] = MAKE((uint64_t)0xfffffffd); // a carry leaves the lower half
T current = cells[2 * pes + 1];
*crowded = VALUE(me, 0, 70);
shmem_sync_all();
for (int to = 0; to < pes; ++to) {
  MODIFY(&own[to], cells + 2 * me + 1, VALUE(me, to, 50), to);
  MODIFY(&seen[to], cells + 2 * pes + 1, VALUE(me, to, 60), to);
}
for (int to = 0; to < pes; ++to)
  for (int k = 0; k < many_times; ++k) MODIFY(&ignored, crowded, VALUE(me, to, 80 + k % 8), to);
QUIET();
shmem_sync_all();
for (int k = 0; k < pes; ++k) {
  EXPECT(own[k], VALUE(k, 0, 2 * me + 1), "value before of PE", k);
  EXPECT(cells[2 * k], VALUE(me, 0, 2 * k), "neighbour", 2 * k);
  EXPECT(cells[2 * k + 1], (T)(APPLY(bits(me, 0, 2 * (size_t)k + 1), bits(k, me, 50))), "cell of PE", k);
}
uint64_t crowd = bits(me, 0, 70);
for (int from = 0; from < pes; ++from)
  for (int k = 0; k < many_times; ++k) crowd = APPLY(crowd, bits(from, me, 80 + (size_t)(k % 8)));
EXPECT(*crowded, (T)crowd, "crowded cell", 0);
// Follow the sequence from value to value; changes without effect come first.
bool used[most_pes] = {false};
for (int step = 0; step < pes; ++step) {
  int next = -1;
  for (int from = 0; from < pes; ++from) {
    T before;
    shmem_getmem(&before, &seen[me], sizeof(T), from);
    if (used[from] || before != current) continue;
    if (next < 0 || (T)(APPLY((uint64_t)current, bits(from, me, 60))) == current) next = from;
  }
  CHECK(next >= 0);
  if (next < 0) break;
  used[next] = true;
  current = (T)(APPLY((uint64_t)current, bits(next, me, 60)));
}
EXPECT(cells[2 * pes + 1], current, "common cell", 0);
EXPECT(cells[2 * pes + 2], VALUE(me, 0, 2 * pes + 2), "neighbour", 2 * pes + 2);
#undef MODIFY
