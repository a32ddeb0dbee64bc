// SPDX-License-Identifier: BSD-3-Clause
// Signals by themselves: fetched, set and added to, by all PEs at once.
#include "tests/shmem/harness.h"

static uint64_t sums[2], last[2][most_pes];

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  shmem_ctx_t own;
  CHECK(shmem_ctx_create(0, &own) == 0);
  CHECK(shmem_signal_fetch(&sums[0]) == 0);
  shmem_barrier_all();
  for (int to = 0; to < pes; ++to)
    for (uint64_t i = 1; i <= 10; ++i) {
      shmem_signal_add(&sums[0], i << 33, to);
      shmem_ctx_signal_add(own, &sums[1], i, to);
      shmem_signal_set(&last[0][me], i << 40, to);
      shmem_ctx_signal_set(own, &last[1][me], i << 40, to);
    }
  CHECK(shmem_signal_wait_until(&sums[0], SHMEM_CMP_EQ, (uint64_t)(55 * pes) << 33) == (uint64_t)(55 * pes)
                                                                                           << 33);
  shmem_signal_wait_until(&sums[1], SHMEM_CMP_GE, (uint64_t)(55 * pes));
  CHECK(shmem_signal_fetch(&sums[1]) == (uint64_t)(55 * pes));
  for (int from = 0; from < pes; ++from)
    for (int i = 0; i < 2; ++i) {
      uint64_t* const signal = &last[i][from];
      shmem_signal_wait_until(signal, SHMEM_CMP_EQ, (uint64_t)10 << 40);
      shmem_signal_wait_until(signal, SHMEM_CMP_NE, 0);
      shmem_signal_wait_until(signal, SHMEM_CMP_GT, 10);
      shmem_signal_wait_until(signal, SHMEM_CMP_LE, (uint64_t)10 << 40);
      shmem_signal_wait_until(signal, SHMEM_CMP_LT, (uint64_t)1 << 63);
    }
  shmem_ctx_destroy(own);
  return finish_tests();
}
