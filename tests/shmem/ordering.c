// SPDX-License-Identifier: BSD-3-Clause
// Barriers, and the order of stores.
#include "tests/shmem/harness.h"

enum { elements = 500, rounds = 100 };

static long counter, data[elements], flag, dest[most_pes][elements];

// Nobody passes before the last one has come.
static void test_synchronisation(void (*meet)(void)) {
  counter = 0;
  shmem_barrier_all();
  for (long round = 1; round <= rounds; ++round) {
    shmem_long_atomic_inc(&counter, round % pes);
    shmem_quiet();
    meet();
    long sum = 0;
    for (int pe = 0; pe < pes; ++pe) sum += shmem_long_atomic_fetch(&counter, pe);
    CHECK(sum == round * pes);
    meet();
  }
}

// shmem_barrier_all completes blocking and nonblocking stores by itself.
static void test_barrier_completes(void) {
  long source[elements];
  for (int i = 0; i < elements; ++i) source[i] = 1000 * me + i;
  for (int to = 0; to < pes; ++to) {
    if (to % 2)
      shmem_long_put_nbi(dest[me], source, elements, to);
    else
      shmem_long_put(dest[me], source, elements, to);
  }
  shmem_barrier_all();
  for (int from = 0; from < pes; ++from)
    for (int i = 0; i < elements; ++i)
      if (dest[from][i] != 1000 * from + i)
        report_failure(__FILE__, __LINE__, "the barrier completes stores");
}

// Data, then order, then the flag: who waits for the flag finds the data.
static void test_order(void (*order)(void)) {
  const int next = (me + 1) % pes, before = (me + pes - 1) % pes;
  flag = 0;
  shmem_barrier_all();
  for (long round = 1; round <= rounds; ++round) {
    long source[elements];
    for (int i = 0; i < elements; ++i) source[i] = round * elements + i + before;
    for (int i = 0; i < elements; ++i) source[i] += me - before;
    shmem_long_put_nbi(data, source, elements, next);
    order();
    shmem_long_p(&flag, round, next);
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, round);
    for (int i = 0; i < elements; ++i)
      if (data[i] != round * elements + i + before)
        report_failure(__FILE__, __LINE__, "data came before the flag");
    shmem_barrier_all();
  }
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  test_synchronisation(shmem_barrier_all);
  test_synchronisation(shmem_sync_all);
  test_barrier_completes();
  test_order(shmem_fence);
  test_order(shmem_quiet);
  return finish_tests();
}
