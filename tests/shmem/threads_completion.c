// SPDX-License-Identifier: BSD-3-Clause
// What threads of a PE owe each other: a quiet completes what other threads have deferred, and a lock that
// one clears is the next one's at once. The argument is the thread level.
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "shmemx.h"
#include "tests/shmem/harness.h"
#include "windrow/detail/deferred_calls.h"

enum { blocks = 1000, rounds = 20 };

static shmem_ctx_t on;
static long numbers[blocks], sum;

// ---- deferred by one thread, completed by another

struct captured {
  long number;
};

static void add_body(void* payload) {
  sum += ((struct captured*)payload)->number;
}

static void* defer_blocks(void* unused) {
  for (int i = 0; i < blocks; ++i) {
    struct captured* p = windrow_defer_open(on, add_body, sizeof *p, NULL, 0);
    windrow_defer_ctx_long_g(on, p, &p->number, &numbers[i], (me + i) % pes);
    windrow_defer_commit(p);
  }
  return unused;
}

static void* complete(void* unused) {
  shmem_ctx_quiet(on);
  return unused;
}

static void in_a_thread(void* (*work)(void*)) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
}

static void test_quiet_by_another_thread(void) {
  for (int i = 0; i < blocks; ++i) numbers[i] = i + 1;
  shmem_barrier_all();
  sum = 0;
  in_a_thread(defer_blocks);
  shmem_ctx_quiet(on);
  CHECK(sum == (long)blocks * (blocks + 1) / 2);
  defer_blocks(NULL);
  in_a_thread(complete);
  CHECK(sum == (long)blocks * (blocks + 1));
  shmem_barrier_all();
}

// ---- locks

static long locks[most_pes];
static volatile int asked;
static double cleared_at, taken_after;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void* take_lock(void* unused) {
  __atomic_store_n(&asked, 1, __ATOMIC_RELEASE);
  shmem_set_lock(&locks[me]);
  taken_after += now() - cleared_at;
  shmem_clear_lock(&locks[me]);
  return unused;
}

// Nobody else is there who would wake the thread; left alone, it looks ten times a second.
static void test_hand_over_between_threads(void) {
  for (int i = 0; i < rounds; ++i) {
    asked = 0;
    shmem_set_lock(&locks[me]);
    pthread_t thread;
    pthread_create(&thread, NULL, take_lock, NULL);
    while (!__atomic_load_n(&asked, __ATOMIC_ACQUIRE)) usleep(100);
    usleep(2000); // most often it sleeps by now; if not, this round shows nothing
    cleared_at = now();
    shmem_clear_lock(&locks[me]);
    pthread_join(thread, NULL);
  }
  CHECK(taken_after < rounds * 0.05); // it took 0.09 s each
}

int main(int argc, char** argv) {
  const int level =
      argc > 1 && strcmp(argv[1], "serialized") == 0 ? SHMEM_THREAD_SERIALIZED : SHMEM_THREAD_MULTIPLE;
  int provided = -1;
  CHECK(shmem_init_thread(level, &provided) == 0);
  CHECK(provided == level);
  me = shmem_my_pe();
  pes = shmem_n_pes();
  shmem_ctx_t aggregated;
  CHECK(shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &aggregated) == 0);
  CHECK(windrow_defer_is_possible() == (level == SHMEM_THREAD_SERIALIZED));
  if (level == SHMEM_THREAD_MULTIPLE) {
    test_hand_over_between_threads();
    return finish_tests();
  }
  on = aggregated;
  test_quiet_by_another_thread();
  on = SHMEM_CTX_DEFAULT;
  test_quiet_by_another_thread();
  return finish_tests();
}
