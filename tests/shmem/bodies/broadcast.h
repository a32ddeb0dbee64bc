// SPDX-License-Identifier: BSD-3-Clause
// Every member is the root once; the root receives it too.
enum { count = 5, row = count + 2 };
T* const base = (T*)arena;
#define SOURCE(set, root) (base + 2 * row * ((set) * most_pes + (root)))
#define DEST(set, root) (SOURCE(set, root) + row)
for (int set = 0; set < set_count; ++set)
  for (int root = 0; root < most_pes; ++root)
    for (int i = 0; i < count; ++i) SOURCE(set, root)[i] = VALUE(me, root, set* count + i);
(void)set_team(0);
shmem_sync_all();
for (int set = 0; set < set_count; ++set)
  for (int root = 0; set_rank(set) >= 0 && root < set_size(set); ++root)
    CALL(set_team(set), DEST(set, root) + 1, SOURCE(set, root), count, root);
shmem_sync_all();
for (int set = 0; set < set_count; ++set)
  for (int root = 0; root < most_pes; ++root)
    for (int i = 0; i < row; ++i) {
      const bool written = i > 0 && i <= count && set_rank(set) >= 0 && root < set_size(set);
      EXPECT(DEST(set, root)[i], written ? VALUE(set_member(set, root), root, set * count + i - 1) : ZERO,
             "element", i);
    }
#undef SOURCE
#undef DEST
