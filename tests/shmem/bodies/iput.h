// SPDX-License-Identifier: BSD-3-Clause
// Strided rows, with several pairs of strides; the gaps stay as they were.
static const ptrdiff_t strides[][2] = {{1, 1}, {2, 3}, {3, 1}, {1, 2}};
enum { count = 4, row = 3 * count + 2, pairs = 4 };
T source[most_pes][pairs][row];
T* const dest = (T*)arena;
for (int to = 0; to < pes; ++to)
  for (int k = 0; k < pairs; ++k) {
    for (int i = 0; i < row; ++i) source[to][k][i] = VALUE(me, to, k * row + i);
    CALL(dest + (pairs * me + k) * row + 1, source[to][k], strides[k][0], strides[k][1], count, to);
    if (BLOCKING) memset(source[to][k], 0xa5, sizeof source[to][k]);
  }
QUIET();
shmem_sync_all();
for (int from = 0; from < pes; ++from)
  for (int k = 0; k < pairs; ++k)
    for (ptrdiff_t i = 0; i < row; ++i) {
      const ptrdiff_t n = (i - 1) / strides[k][0];
      const bool hit = i > 0 && (i - 1) % strides[k][0] == 0 && n < count;
      EXPECT(dest[(pairs * from + k) * row + i], hit ? VALUE(from, me, k * row + n * strides[k][1]) : ZERO,
             "element", i);
    }
