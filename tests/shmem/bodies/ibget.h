// SPDX-License-Identifier: BSD-3-Clause
// Blocks at strides: 3 blocks of 2 elements, every 4th to every 3rd; the gaps stay as they were.
enum { blocks = 3, block = 2, to_stride = 3, from_stride = 4, row = blocks * from_stride + 1 };
T* const source = (T*)arena;
T dest[most_pes][row];
memset(dest, 0, sizeof dest);
for (int i = 0; i < row; ++i) source[i] = VALUE(me, 0, i);
shmem_sync_all();
for (int from = 0; from < pes; ++from)
  CALL(dest[from] + 1, source + 1, to_stride, from_stride, block, blocks, from);
QUIET();
for (int from = 0; from < pes; ++from)
  for (int i = 0; i < row; ++i) {
    const int n = (i - 1) / to_stride, within = (i - 1) % to_stride;
    const bool hit = i > 0 && within < block && n < blocks;
    EXPECT(dest[from][i], hit ? VALUE(from, 0, 1 + n * from_stride + within) : ZERO, "element", i);
  }
