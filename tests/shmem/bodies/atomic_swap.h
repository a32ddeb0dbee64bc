// SPDX-License-Identifier: BSD-3-Clause
// All PEs swap different values into one cell of each PE: every value that was ever there is seen once.
T* const cell = (T*)arena;
T* const seen = cell + 3; // by PE of the cell
cell[1] = VALUE(me, me, 1);
shmem_sync_all();
for (int to = 0; to < pes; ++to) FETCH(&seen[to], cell + 1, VALUE(me, to, 0), to);
QUIET();
shmem_sync_all();
T there[most_pes + 1], found[most_pes + 1];
for (int from = 0; from < pes; ++from) {
  there[from] = VALUE(from, me, 0);
  shmem_getmem(&found[from], &seen[me], sizeof(T), from);
}
there[pes] = VALUE(me, me, 1);
found[pes] = cell[1];
for (int i = 0; i <= pes; ++i) {
  int times = 0;
  for (int k = 0; k <= pes; ++k) times += found[k] == there[i];
  EXPECT(there[i], times == 1 ? there[i] : ZERO, "value seen exactly once", i);
}
EXPECT(cell[0], ZERO, "element", 0);
EXPECT(cell[2], ZERO, "element", 2);
