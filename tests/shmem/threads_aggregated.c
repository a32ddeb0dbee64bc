// SPDX-License-Identifier: BSD-3-Clause
// SHMEM_THREAD_MULTIPLE and aggregation: four threads on each PE fill aggregated contexts, one of their own
// each and one that all share, complete them at any time, and update the same words directly meanwhile.
#include <pthread.h>
#include <shmemx.h>

#include "tests/shmem/harness.h"

enum { threads = 4, rounds = 40, updates = 25, tickets = threads * rounds * updates * most_pes };

static long total, fetched_total, next_ticket, places[most_pes][threads][updates];
static unsigned char taken[tickets]; // by whom the tickets of this PE are
static shmem_ctx_t shared;
static int bad[threads];

static void expect(int thread, bool condition) {
  if (!condition) ++bad[thread];
}

// The sequence of PEs that a thread addresses; any will do, as long as they differ.
static int target(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return (int)((*state >> 16) % (unsigned)pes);
}

// Updates that need no answer, on three kinds of contexts in turn.
static void count(int thread, shmem_ctx_t own, unsigned* state) {
  (void)thread;
  for (int i = 0; i < updates; ++i) {
    shmem_ctx_long_atomic_add(own, &total, 3, target(state));
    shmem_ctx_long_atomic_inc(shared, &total, target(state));
    shmem_long_atomic_add(&total, 5, target(state));
  }
}

// Values that this thread alone stores come back as they were stored last.
static void exchange(int thread, int round, shmem_ctx_t own, unsigned* state) {
  const int to = target(state);
  long back[updates];
  for (int i = 0; i < updates; ++i) shmem_ctx_long_p(own, &places[me][thread][i], 1000L * round + i, to);
  shmem_ctx_quiet(own);
  for (int i = 0; i < updates; ++i) shmem_ctx_long_get(shared, &back[i], &places[me][thread][i], 1, to);
  shmem_ctx_quiet(shared);
  for (int i = 0; i < updates; ++i) expect(thread, back[i] == 1000L * round + i);
}

// No two threads of any PE get the same ticket.
static void take_tickets(int thread, shmem_ctx_t own, unsigned* state) {
  int from[updates];
  long ticket[updates];
  for (int i = 0; i < updates; ++i) {
    from[i] = target(state);
    shmem_ctx_long_atomic_fetch_inc_nbi(i % 2 ? own : shared, &ticket[i], &next_ticket, from[i]);
  }
  shmem_ctx_quiet(own);
  shmem_ctx_quiet(shared);
  for (int i = 0; i < updates; ++i) {
    expect(thread, ticket[i] >= 0 && ticket[i] < tickets);
    expect(thread, shmem_uchar_g(&taken[ticket[i]], from[i]) == 0);
    shmem_ctx_uchar_p(i % 2 ? shared : own, &taken[ticket[i]], (unsigned char)(1 + me), from[i]);
    shmem_ctx_long_atomic_add(own, &fetched_total, ticket[i], from[i]);
  }
}

static void* run(void* argument) {
  const int thread = (int)(intptr_t)argument;
  unsigned state = (unsigned)(me * threads + thread + 1);
  shmem_ctx_t own;
  expect(thread, shmem_ctx_create(SHMEMX_CTX_AGGREGATE | (thread % 2 ? SHMEM_CTX_PRIVATE : 0), &own) == 0);
  for (int round = 0; round < rounds; ++round) {
    count(thread, own, &state);
    exchange(thread, round, own, &state);
    take_tickets(thread, own, &state);
  }
  shmem_ctx_destroy(own); // which completes it
  return NULL;
}

static void check_totals(void) {
  const long each = (long)threads * rounds * updates;
  long here[2] = {total, next_ticket};
  static long sent[2], sums[2];
  memcpy(sent, here, sizeof sent);
  CHECK(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, sums, sent, 2) == 0);
  CHECK(sums[0] == each * pes * (3 + 1 + 5));
  CHECK(sums[1] == each * pes);
  CHECK(fetched_total == next_ticket * (next_ticket - 1) / 2);
  for (long t = 0; t < next_ticket; ++t) CHECK(taken[t] >= 1 && taken[t] <= pes);
  for (long t = next_ticket; t < tickets; ++t) CHECK(taken[t] == 0);
}

// What a thread has stored before a barrier is waited for by others before theirs.
static void test_stored_before_a_barrier(void) {
  static long told;
  if (me == 0)
    for (int to = 1; to < pes; ++to) shmem_ctx_long_p(shared, &told, 1, to);
  else
    shmem_long_wait_until(&told, SHMEM_CMP_EQ, 1);
  shmem_barrier_all();
}

// What the only thread has begun is completed by a quiet when there may be several.
static void test_begun_before_threads(void) {
  static long added, source = 7;
  int provided = -1;
  long fetched = 0;
  shmem_ctx_t own;
  CHECK(shmem_ctx_create(SHMEMX_CTX_AGGREGATE | SHMEM_CTX_PRIVATE, &own) == 0);
  for (int to = 0; to < pes; ++to) shmem_ctx_long_atomic_inc(own, &added, to);
  shmem_ctx_long_get_nbi(own, &fetched, &source, 1, (me + 1) % pes);
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0 && provided == SHMEM_THREAD_MULTIPLE);
  shmem_ctx_quiet(own);
  CHECK(fetched == 7);
  shmem_barrier_all();
  CHECK(added == pes);
  shmem_ctx_destroy(own);
  shmem_finalize(); // of the second beginning
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  test_begun_before_threads();
  CHECK(shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &shared) == 0);
  shmem_barrier_all();
  test_stored_before_a_barrier();
  pthread_t running[threads];
  for (int i = 0; i < threads; ++i) pthread_create(&running[i], NULL, run, (void*)(intptr_t)i);
  for (int i = 0; i < threads; ++i) pthread_join(running[i], NULL);
  shmem_ctx_destroy(shared);
  shmem_barrier_all();
  for (int i = 0; i < threads; ++i) CHECK(bad[i] == 0);
  check_totals();
  return finish_tests();
}
