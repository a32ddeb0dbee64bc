// SPDX-License-Identifier: BSD-3-Clause
// Blocks at strides: 3 blocks of 2 elements, every 4th to every 3rd; the gaps stay as they were.
enum { blocks = 3, block = 2, to_stride = 3, from_stride = 4, row = blocks * from_stride + 1 };
T source[most_pes][row];
T* const dest = (T*)arena;
for (int to = 0; to < pes; ++to) {
  for (int i = 0; i < row; ++i) source[to][i] = VALUE(me, to, i);
  CALL(dest + row * me + 1, source[to], to_stride, from_stride, block, blocks, to);
  if (BLOCKING) memset(source[to], 0xa5, sizeof source[to]);
}
QUIET();
shmem_sync_all();
for (int from = 0; from < pes; ++from)
  for (int i = 0; i < row; ++i) {
    const int n = (i - 1) / to_stride, within = (i - 1) % to_stride;
    const bool hit = i > 0 && within < block && n < blocks;
    EXPECT(dest[row * from + i], hit ? VALUE(from, me, n * from_stride + within) : ZERO, "element", i);
  }
