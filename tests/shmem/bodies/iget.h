// SPDX-License-Identifier: BSD-3-Clause
// Strided rows of every PE, with several pairs of strides; the gaps stay as they were.
static const ptrdiff_t strides[][2] = {{1, 1}, {2, 3}, {3, 1}, {1, 2}};
enum { count = 4, row = 3 * count + 2, pairs = 4 };
T* const source = (T*)arena;
T dest[most_pes][pairs][row];
memset(dest, 0, sizeof dest);
for (int i = 0; i < row; ++i) source[i] = VALUE(me, 0, i);
shmem_sync_all();
for (int from = 0; from < pes; ++from)
  for (int k = 0; k < pairs; ++k)
    CALL(dest[from][k] + 1, source + 1, strides[k][0], strides[k][1], count, from);
QUIET();
for (int from = 0; from < pes; ++from)
  for (int k = 0; k < pairs; ++k)
    for (ptrdiff_t i = 0; i < row; ++i) {
      const ptrdiff_t n = (i - 1) / strides[k][0];
      const bool hit = i > 0 && (i - 1) % strides[k][0] == 0 && n < count;
      EXPECT(dest[from][k][i], hit ? VALUE(from, 0, 1 + n * strides[k][1]) : ZERO, "element", i);
    }
