// SPDX-License-Identifier: BSD-3-Clause
// One pSync for active sets that overlap, one collective right after the other: the sets are told apart by
// their numbers, whoever comes first, and their results do not mix.
#include "tests/shmem/harness.h"

static long sync[SHMEM_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 1], in, out;

static bool includes(int start, int log_stride, int size) {
  const int distance = me - start;
  return distance >= 0 && distance % (1 << log_stride) == 0 && distance >> log_stride < size;
}

static void sum_over(int start, int log_stride, int size, long factor) {
  if (!includes(start, log_stride, size)) return;
  in = factor * (1 + me);
  shmem_long_sum_to_all(&out, &in, 1, start, log_stride, size, work, sync);
  long expected = 0;
  for (int m = 0; m < size; ++m) expected += factor * (1 + start + (m << log_stride));
  CHECK(out == expected);
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  for (int i = 0; i < SHMEM_SYNC_SIZE; ++i) sync[i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  // At first use all begin at the same PE, so that their members would meet in the same words.
  for (long round = 1; round <= 20; ++round)
    for (int log_stride = 2; log_stride >= 0; --log_stride)
      for (int start = 0; start < pes && start < 2; ++start)
        for (int size = (pes - 1 - start) / (1 << log_stride) + 1; size > 1; --size)
          sum_over(start, log_stride, size, round);
  for (int size = pes; size > 1; --size)
    if (me < size) shmem_barrier(0, 0, size, sync);
  return finish_tests();
}
