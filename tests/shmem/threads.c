// SPDX-License-Identifier: BSD-3-Clause
// SHMEM_THREAD_MULTIPLE for real: four threads on each PE use the default context, contexts of their own,
// atomics, signals, waiting and locks at the same time.
#include <pthread.h>

#include "tests/shmem/harness.h"

enum { threads = 4, rounds = 200 };

static long counters[threads + 1], slots[most_pes][threads], table[threads][most_pes], lock, guarded;
static long flags[threads];
static uint64_t signals[threads];
static int bad[threads];

static void expect(int thread, bool condition) {
  if (!condition) ++bad[thread];
}

static void count(int thread) {
  for (int i = 0; i < rounds; ++i) {
    shmem_long_atomic_inc(&counters[threads], i % pes);
    shmem_long_atomic_fetch_add(&counters[thread], 2, i % pes);
  }
}

static void exchange(int thread, shmem_ctx_t own) {
  for (int i = 0; i < rounds; ++i) {
    const int to = (me + i) % pes;
    shmem_ctx_long_p(own, &slots[me][thread], 1000 * i + thread, to);
    shmem_ctx_quiet(own);
    expect(thread, shmem_ctx_long_g(own, &slots[me][thread], to) == 1000 * i + thread);
  }
}

// A token runs once around all PEs for each thread.
static void pass_token(int thread) {
  const int next = (me + 1) % pes;
  if (me != 0) shmem_long_wait_until(&flags[thread], SHMEM_CMP_EQ, me);
  const long value = 10 * me + thread;
  shmem_long_put_signal(&table[thread][me], &value, 1, &signals[thread], 1, SHMEM_SIGNAL_ADD, next);
  shmem_fence();
  shmem_long_p(&flags[thread], me + 1, next);
  if (me == 0) shmem_long_wait_until(&flags[thread], SHMEM_CMP_EQ, pes);
  expect(thread, shmem_signal_wait_until(&signals[thread], SHMEM_CMP_GE, 1) >= 1);
  const int before = (me + pes - 1) % pes;
  expect(thread, table[thread][before] == 10 * before + thread);
}

static void guard(int thread) {
  (void)thread;
  for (int i = 0; i < rounds / 10; ++i) {
    shmem_set_lock(&lock);
    shmem_long_p(&guarded, shmem_long_g(&guarded, 0) + 1, 0);
    shmem_quiet();
    shmem_clear_lock(&lock);
  }
}

static void* run(void* argument) {
  const int thread = (int)(intptr_t)argument;
  shmem_ctx_t own;
  expect(thread, shmem_ctx_create(thread % 2 ? SHMEM_CTX_PRIVATE : 0, &own) == 0);
  count(thread);
  exchange(thread, own);
  pass_token(thread);
  guard(thread);
  shmem_ctx_destroy(own);
  return NULL;
}

static void test_levels(int provided) {
  int level = -1;
  shmem_query_thread(&level);
  CHECK(level == provided);
  CHECK(provided == SHMEM_THREAD_MULTIPLE);
  CHECK(SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED && SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED &&
        SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE);
}

int main(void) {
  int provided = -1;
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0);
  me = shmem_my_pe();
  pes = shmem_n_pes();
  test_levels(provided);
  shmem_barrier_all();
  pthread_t running[threads];
  for (int i = 0; i < threads; ++i) pthread_create(&running[i], NULL, run, (void*)(intptr_t)i);
  for (int i = 0; i < threads; ++i) pthread_join(running[i], NULL);
  shmem_barrier_all();
  for (int i = 0; i < threads; ++i) CHECK(bad[i] == 0);
  long times = 0; // that some PE's loops named this PE
  for (int i = 0; i < rounds; ++i) times += i % pes == me;
  for (int i = 0; i < threads; ++i) CHECK(counters[i] == 2 * pes * times);
  CHECK(counters[threads] == (long)threads * pes * times);
  if (me == 0) CHECK(guarded == (long)pes * threads * (rounds / 10));
  return finish_tests();
}
