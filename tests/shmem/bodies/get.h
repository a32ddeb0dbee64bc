// SPDX-License-Identifier: BSD-3-Clause
// Every PE reads the middle of every PE's row.
enum { count = 5, row = count + 2 };
T* const source = (T*)arena;
T dest[most_pes][row];
memset(dest, 0, sizeof dest);
for (int i = 0; i < row; ++i) source[i] = VALUE(me, 0, i);
shmem_sync_all();
for (int k = 0; k < pes; ++k) {
  const int from = (me + k) % pes;
  CALL(dest[from] + 1, source + 1, count, from);
  if (BLOCKING) EXPECT(dest[from][count], VALUE(from, 0, count), "element at once, PE", from);
}
QUIET();
for (int from = 0; from < pes; ++from)
  for (int i = 0; i < row; ++i)
    EXPECT(dest[from][i], i == 0 || i > count ? ZERO : VALUE(from, 0, i), "element", row* from + i);
