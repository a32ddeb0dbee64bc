// SPDX-License-Identifier: BSD-3-Clause
// Every member is the root once.
enum { count = 5, row = count + 2 };
T* const base = (T*)arena;
#define SOURCE(set, root) (base + 2 * row * ((set) * most_pes + (root)))
#define DEST(set, root) (SOURCE(set, root) + row)
for (int set = 0; set < set_count; ++set)
  for (int root = 0; root < most_pes; ++root)
    for (int i = 0; i < count; ++i) SOURCE(set, root)[i] = VALUE(me, root, set* count + i);
SETS_READY();
shmem_sync_all();
for (int set = 0; set < set_count; ++set)
  for (int root = 0; root < most_pes; ++root) {
    if (set_rank(set) >= 0 && root < set_size(set))
      CALL_ON(set, root % 2, DEST(set, root) + 1, SOURCE(set, root), count, root);
    if (root % 2) TURNS_OVER();
  }
shmem_sync_all();
for (int set = 0; set < set_count; ++set)
  for (int root = 0; root < most_pes; ++root)
    for (int i = 0; i < row; ++i) {
      const bool receives =
          set_rank(set) >= 0 && root < set_size(set) && (ROOT_RECEIVES || root != set_rank(set));
      const bool written = i > 0 && i <= count && receives;
      EXPECT(DEST(set, root)[i], written ? VALUE(set_member(set, root), root, set * count + i - 1) : ZERO,
             "element", i);
    }
#undef SOURCE
#undef DEST
