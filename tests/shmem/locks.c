// SPDX-License-Identifier: BSD-3-Clause
// Locks exclude, on heap and static memory alike, several at a time, and a held lock can be tested.
#include "shmemx.h"
#include "tests/shmem/harness.h"

enum { rounds = 300, locks = 3 };

static long static_locks[locks], values[locks], copies[locks];

// Two words on PE 0 that only the lock keeps equal.
static void test_exclusion(long* lock, int which) {
  for (int round = 0; round < rounds; ++round) {
    if (round % 3 == 0)
      while (shmem_test_lock(lock) != 0) {
      }
    else
      shmem_set_lock(lock);
    const long value = shmem_long_g(&values[which], 0);
    CHECK(shmem_long_g(&copies[which], 0) == value);
    shmem_long_p(&values[which], value + 1, 0);
    shmem_long_p(&copies[which], value + 1, 0);
    shmem_clear_lock(lock); // completes the stores
  }
  shmem_barrier_all();
  CHECK(shmem_long_g(&values[which], 0) == (long)rounds * pes);
  shmem_barrier_all();
}

static void test_busy(long* lock) {
  if (me == 0) shmem_set_lock(lock);
  shmem_barrier_all();
  if (me != 0) CHECK(shmem_test_lock(lock) == 1);
  shmem_barrier_all();
  if (me == 0) shmem_clear_lock(lock);
  shmem_barrier_all();
  if (me == pes - 1) {
    CHECK(shmem_test_lock(lock) == 0);
    shmem_clear_lock(lock);
  }
  shmem_barrier_all();
}

// Two locks at once, in the same order everywhere.
static void test_two(void) {
  for (int round = 0; round < 50; ++round) {
    shmem_set_lock(&static_locks[0]);
    shmem_set_lock(&static_locks[1]);
    shmem_long_p(&values[2], shmem_long_g(&values[2], pes - 1) + 1, pes - 1);
    shmem_clear_lock(&static_locks[0]);
    shmem_clear_lock(&static_locks[1]);
  }
  shmem_barrier_all();
  CHECK(shmem_long_g(&values[2], pes - 1) == 50L * pes);
}

static void take(long* lock, bool by_tests) {
  if (by_tests)
    while (shmem_test_lock(lock) != 0) {
    }
  else
    shmem_set_lock(lock);
}

// The PE that holds a lock may wait for what others have stored before they wait for the lock.
static void test_stored_before(long* lock, bool by_tests) {
  static long told;
  shmem_ctx_t aggregated;
  CHECK(shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &aggregated) == 0);
  told = 0;
  if (me == 0) shmem_set_lock(lock);
  shmem_barrier_all();
  if (me == 0) {
    shmem_long_wait_until(&told, SHMEM_CMP_EQ, pes - 1);
  } else {
    shmem_ctx_long_atomic_inc(aggregated, &told, 0);
    take(lock, by_tests);
  }
  shmem_clear_lock(lock);
  shmem_ctx_destroy(aggregated);
  shmem_barrier_all();
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  long* heap_lock = shmem_calloc(1, sizeof *heap_lock);
  test_exclusion(&static_locks[0], 0);
  test_exclusion(heap_lock, 1);
  test_busy(&static_locks[2]);
  test_busy(heap_lock);
  test_two();
  test_stored_before(heap_lock, false);
  test_stored_before(heap_lock, true);
  shmem_free(heap_lock);
  return finish_tests();
}
