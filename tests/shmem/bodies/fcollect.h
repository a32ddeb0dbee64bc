// SPDX-License-Identifier: BSD-3-Clause
// The members contribute rows of equal length.
enum { count = 5, row = count * most_pes + 2 };
T* const base = (T*)arena;
#define SOURCE(set) (base + 2 * row * (set))
#define DEST(set) (SOURCE(set) + row)
for (int set = 0; set < set_count; ++set)
  for (int i = 0; i < count; ++i) SOURCE(set)[i] = VALUE(me, set, i);
SETS_READY();
shmem_sync_all();
for (int set = 0; set < set_count; ++set)
  if (set_rank(set) >= 0) CALL_ON(set, 0, DEST(set) + 1, SOURCE(set), count);
shmem_sync_all();
for (int set = 0; set < set_count; ++set)
  for (int i = 0; i < row; ++i) {
    const bool written = i > 0 && i <= count * set_size(set) && set_rank(set) >= 0;
    EXPECT(DEST(set)[i], written ? VALUE(set_member(set, (i - 1) / count), set, (i - 1) % count) : ZERO,
           "element", i);
  }
#undef SOURCE
#undef DEST
