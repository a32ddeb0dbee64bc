// SPDX-License-Identifier: BSD-3-Clause
// Every PE writes its row on every PE; what lies before and behind the row's middle stays as it was.
enum { count = 5, row = count + 2 };
T source[most_pes][count];
T* const dest = (T*)arena;
for (int k = 0; k < pes; ++k) {
  const int to = (me + k) % pes;
  for (int i = 0; i < count; ++i) source[to][i] = VALUE(me, to, i);
  CALL(dest + row * me + 1, source[to], count, to);
  if (BLOCKING) memset(source[to], 0xa5, sizeof source[to]);
}
CALL(dest, source[0], 0, me);
QUIET();
shmem_sync_all();
for (int from = 0; from < pes; ++from)
  for (int i = 0; i < row; ++i) {
    const T wanted = i == 0 || i > count ? ZERO : VALUE(from, me, i - 1);
    EXPECT(dest[row * from + i], wanted, "element", row * from + i);
  }
