// SPDX-License-Identifier: BSD-3-Clause
// Every PE sends a row to every PE and sets a signal of its own there, then another one that adds to a signal
// of all; whoever sees the signal finds the row, without further synchronization.
enum { count = 5, row = count + 2 };
uint64_t* const signals = (uint64_t*)arena; // one by PE, then the sum
T* const dest = (T*)((char*)arena + 128);
T* const summed = dest + row * most_pes;
T source[most_pes][count], second[most_pes];
for (int k = 0; k < pes; ++k) {
  const int to = (me + k) % pes;
  for (int i = 0; i < count; ++i) source[to][i] = VALUE(me, to, i);
  second[to] = VALUE(me, to, 9);
  CALL(dest + row * me + 1, source[to], count, &signals[me], bits(me, to, 77), SHMEM_SIGNAL_SET, to);
  CALL(summed + me, &second[to], 1, &signals[most_pes], (uint64_t)1 << 40, SHMEM_SIGNAL_ADD, to);
}
QUIET();
for (int k = 0; k < pes; ++k) {
  const int from = (me + pes - k) % pes;
  const uint64_t signal = shmem_signal_wait_until(&signals[from], SHMEM_CMP_EQ, bits(from, me, 77));
  CHECK(signal == bits(from, me, 77));
  for (int i = 0; i < row; ++i)
    EXPECT(dest[row * from + i], i == 0 || i > count ? ZERO : VALUE(from, me, i - 1), "element",
           row * from + i);
}
const uint64_t sum = shmem_signal_wait_until(&signals[most_pes], SHMEM_CMP_GE, (uint64_t)pes << 40);
CHECK(sum == (uint64_t)pes << 40);
for (int from = 0; from < pes; ++from) EXPECT(summed[from], VALUE(from, me, 9), "second row of PE", from);
