// SPDX-License-Identifier: BSD-3-Clause
// All PEs claim one cell of each PE: one wins, the others see its value. A condition that is wrong in the
// highest bit only changes nothing.
T* const cell = (T*)arena;
T* const seen = cell + 3; // by PE of the cell
const uint64_t high = (uint64_t)1 << (8 * sizeof(T) - 1);
cell[0] = VALUE(me, 0, 100);
cell[1] = VALUE(me, 0, 101);
cell[2] = VALUE(me, 0, 102);
shmem_sync_all();
T unchanged[most_pes];
for (int to = 0; to < pes; ++to)
  FETCH(&unchanged[to], cell + 2, MAKE(bits(to, 0, 102) ^ high), VALUE(me, to, 0), to);
for (int to = 0; to < pes; ++to) FETCH(&seen[to], cell + 1, VALUE(to, 0, 101), VALUE(me, to, 0), to);
QUIET();
shmem_sync_all();
for (int to = 0; to < pes; ++to) EXPECT(unchanged[to], VALUE(to, 0, 102), "value before of PE", to);
int winners = 0;
for (int from = 0; from < pes; ++from) {
  T found;
  shmem_getmem(&found, &seen[me], sizeof(T), from);
  if (found == VALUE(me, 0, 101)) {
    ++winners;
    EXPECT(cell[1], VALUE(from, me, 0), "value of the winner", from);
  } else {
    EXPECT(found, cell[1], "value seen by the loser", from);
  }
}
CHECK(winners == 1);
EXPECT(cell[0], VALUE(me, 0, 100), "element", 0);
EXPECT(cell[2], VALUE(me, 0, 102), "element", 2);
