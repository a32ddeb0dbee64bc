// SPDX-License-Identifier: BSD-3-Clause
// Every member has a row for every member, every 3rd element of the source and every 2nd of the destination.
enum { count = 3, to_stride = 2, from_stride = 3, row = count * from_stride * most_pes + 2 };
T* const base = (T*)arena;
#define SOURCE(set) (base + 2 * row * (set))
#define DEST(set) (SOURCE(set) + row)
for (int set = 0; set < set_count; ++set)
  for (int i = 0; i < count * set_size(set); ++i)
    SOURCE(set)[i * from_stride] = VALUE(me, set_member(set, i / count), i % count);
SETS_READY();
shmem_sync_all();
for (int set = 0; set < set_count; ++set)
  if (set_rank(set) >= 0) CALL_ON(set, 0, DEST(set) + 1, SOURCE(set), to_stride, from_stride, count);
shmem_sync_all();
for (int set = 0; set < set_count; ++set)
  for (int i = 0; i < row; ++i) {
    const int n = (i - 1) / to_stride;
    const bool written = i > 0 && (i - 1) % to_stride == 0 && n < count * set_size(set) && set_rank(set) >= 0;
    EXPECT(DEST(set)[i], written ? VALUE(set_member(set, n / count), me, n % count) : ZERO, "element", i);
  }
#undef SOURCE
#undef DEST
