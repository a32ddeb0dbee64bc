// SPDX-License-Identifier: BSD-3-Clause
// Every member is the root once; on the root itself nothing changes.
enum { count = 5, row = count + 2 };
T* const base = (T*)arena;
#define SOURCE(set, root) (base + 2 * row * ((set) * most_pes + (root)))
#define DEST(set, root) (SOURCE(set, root) + row)
for (int set = 0; set < set_count; ++set)
  for (int root = 0; root < most_pes; ++root)
    for (int i = 0; i < count; ++i) SOURCE(set, root)[i] = VALUE(me, root, set* count + i);
(void)set_sync(0, 0);
shmem_sync_all();
for (int set = 0; set < set_count; ++set)
  for (int root = 0; root < most_pes; ++root) {
    if (set_rank(set) >= 0 && root < set_size(set))
      CALL(DEST(set, root) + 1, SOURCE(set, root), count, root, set_start(set), set_log_stride(set),
           set_size(set), set_sync(set, root % 2));
    if (root % 2) shmem_barrier_all(); // before a pSync is used again
  }
shmem_sync_all();
for (int set = 0; set < set_count; ++set)
  for (int root = 0; root < most_pes; ++root)
    for (int i = 0; i < row; ++i) {
      const bool written =
          i > 0 && i <= count && set_rank(set) >= 0 && root < set_size(set) && root != set_rank(set);
      EXPECT(DEST(set, root)[i], written ? VALUE(set_member(set, root), root, set * count + i - 1) : ZERO,
             "element", i);
    }
#undef SOURCE
#undef DEST
