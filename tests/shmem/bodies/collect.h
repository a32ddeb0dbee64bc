// SPDX-License-Identifier: BSD-3-Clause
// The members contribute rows of different lengths, some of them empty.
enum { most = 5, row = most * most_pes + 2 };
T* const base = (T*)arena;
#define SOURCE(set) (base + 2 * row * (set))
#define DEST(set) (SOURCE(set) + row)
#define COUNT(rank) (((rank) * 3 + 1) % most)
for (int set = 0; set < set_count; ++set)
  for (int i = 0; i < most; ++i) SOURCE(set)[i] = VALUE(me, set, i);
SETS_READY();
shmem_sync_all();
for (int set = 0; set < set_count; ++set)
  if (set_rank(set) >= 0) CALL_ON(set, 0, DEST(set) + 1, SOURCE(set), (size_t)COUNT(set_rank(set)));
shmem_sync_all();
for (int set = 0; set < set_count; ++set) {
  int next = 1;
  for (int rank = 0; set_rank(set) >= 0 && rank < set_size(set); ++rank)
    for (int i = 0; i < COUNT(rank); ++i, ++next)
      EXPECT(DEST(set)[next], VALUE(set_member(set, rank), set, i), "element", next);
  EXPECT(DEST(set)[0], ZERO, "element", 0);
  for (; next < row; ++next) EXPECT(DEST(set)[next], ZERO, "element behind the end", next);
}
#undef SOURCE
#undef DEST
#undef COUNT
