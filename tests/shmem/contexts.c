// SPDX-License-Identifier: BSD-3-Clause
// Contexts: all options, of teams (where PEs are numbered in the team), many at once, in order and complete.
#include <shmemx.h>
#include "tests/shmem/harness.h"

static long cells[most_pes + 1], log_of_order[2];

// Every PE of the team writes to every PE of the team through the context.
static void check_exchange(shmem_ctx_t c, shmem_team_t team) {
  const int rank = shmem_team_my_pe(team), size = shmem_team_n_pes(team);
  for (int i = 0; i <= most_pes; ++i) cells[i] = -1;
  shmem_team_sync(team);
  for (int to = 0; to < size; ++to) shmem_ctx_long_p(c, &cells[rank], 10 * to + rank, to);
  shmem_ctx_quiet(c);
  shmem_team_sync(team);
  for (int from = 0; from < size; ++from) CHECK(cells[from] == 10 * rank + from);
  for (int i = size; i <= most_pes; ++i) CHECK(cells[i] == -1);
  long sum = 0;
  for (int from = 0; from < size; ++from) sum += shmem_ctx_long_g(c, &cells[0], from);
  CHECK(sum == 10 * size * (size - 1) / 2);
  shmem_team_sync(team);
}

// Who sees the second store sees the first one.
static void check_fence(shmem_ctx_t c) {
  log_of_order[0] = log_of_order[1] = 0;
  shmem_barrier_all();
  const int next = (me + 1) % pes;
  for (long i = 1; i <= 100; ++i) {
    shmem_ctx_long_p(c, &log_of_order[0], i, next);
    shmem_ctx_fence(c);
    shmem_ctx_long_p(c, &log_of_order[1], i, next);
    volatile long* seen = log_of_order;
    const long second = seen[1];
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    CHECK(seen[0] >= second);
  }
  shmem_ctx_quiet(c);
  shmem_barrier_all();
  CHECK(log_of_order[0] == 100 && log_of_order[1] == 100);
}

static const long options[] = {0,
                               SHMEM_CTX_PRIVATE,
                               SHMEM_CTX_SERIALIZED,
                               SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE,
                               SHMEM_CTX_NOSTORE,
                               SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE,
                               SHMEMX_CTX_AGGREGATE,
                               SHMEMX_CTX_AGGREGATE | SHMEM_CTX_PRIVATE};

static void test_options(void) {
  for (size_t i = 0; i < sizeof options / sizeof options[0]; ++i) {
    shmem_ctx_t c = SHMEM_CTX_INVALID;
    CHECK(shmem_ctx_create(options[i], &c) == 0);
    CHECK(c != SHMEM_CTX_INVALID);
    shmem_team_t team = SHMEM_TEAM_INVALID;
    CHECK(shmem_ctx_get_team(c, &team) == 0);
    CHECK(team == SHMEM_TEAM_WORLD);
    check_exchange(c, SHMEM_TEAM_WORLD);
    if (options[i] & SHMEM_CTX_NOSTORE)
      shmem_ctx_quiet(c);
    else
      check_fence(c);
    const shmem_ctx_session_config_t session = {.total_ops = 10};
    shmem_ctx_session_start(c, 0, NULL, 0);
    shmem_ctx_session_stop(c);
    shmem_ctx_session_start(c, SHMEM_CTX_SESSION_BATCH, &session, SHMEM_CTX_SESSION_TOTAL_OPS);
    check_exchange(c, SHMEM_TEAM_WORLD);
    shmem_ctx_session_stop(c);
    shmem_ctx_destroy(c);
  }
  shmem_ctx_quiet(SHMEM_CTX_INVALID);
  shmem_ctx_fence(SHMEM_CTX_INVALID);
  shmem_ctx_destroy(SHMEM_CTX_INVALID);
}

static void test_of_teams(void) {
  shmem_team_config_t config = {.num_contexts = 4};
  shmem_team_t halves[2], mine = SHMEM_TEAM_INVALID;
  for (int half = 0; half < 2 && half < pes; ++half) {
    shmem_team_split_strided(SHMEM_TEAM_WORLD, half, 2, (pes - half + 1) / 2, &config,
                             SHMEM_TEAM_NUM_CONTEXTS, &halves[half]);
    if (halves[half] != SHMEM_TEAM_INVALID) mine = halves[half];
  }
  for (size_t i = 0; i < sizeof options / sizeof options[0]; ++i) {
    shmem_ctx_t c = SHMEM_CTX_INVALID;
    CHECK(shmem_team_create_ctx(mine, options[i], &c) == 0);
    shmem_team_t team = SHMEM_TEAM_INVALID;
    CHECK(shmem_ctx_get_team(c, &team) == 0 && team == mine);
    check_exchange(c, mine);
    shmem_ctx_destroy(c);
  }
  shmem_ctx_t c = SHMEM_CTX_DEFAULT;
  CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &c) != 0);
  shmem_team_t team;
  CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0);
  CHECK(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team) == 0 && team == SHMEM_TEAM_WORLD);
  // A context that was not destroyed goes with its team.
  CHECK(shmem_team_create_ctx(mine, 0, &c) == 0);
  shmem_team_destroy(mine);
  shmem_barrier_all();
}

// Operations of many contexts between the same PEs do not disturb each other.
static void test_many(void) {
  enum { many = 20 };
  shmem_ctx_t all[many];
  long* counters = shmem_calloc(many, sizeof *counters);
  for (int i = 0; i < many; ++i) CHECK(shmem_ctx_create(i % 2 ? SHMEMX_CTX_AGGREGATE : 0, &all[i]) == 0);
  for (int round = 0; round < 50; ++round)
    for (int i = 0; i < many; ++i) shmem_ctx_long_atomic_add(all[i], &counters[i], i + 1, (me + round) % pes);
  for (int i = 0; i < many; ++i) shmem_ctx_quiet(all[many - 1 - i]);
  shmem_barrier_all();
  long sum = 0;
  for (int pe = 0; pe < pes; ++pe) sum += shmem_long_g(&counters[many - 1], pe);
  CHECK(sum == 50L * pes * many);
  shmem_barrier_all();
  for (int i = 0; i < many; ++i) shmem_ctx_destroy(all[i]); // completes what is open
  shmem_free(counters);
}

// Destroying a context completes its operations.
static void test_destroy(void) {
  for (size_t i = 0; i < sizeof options / sizeof options[0]; ++i) {
    cells[0] = -1;
    shmem_barrier_all();
    shmem_ctx_t c;
    shmem_ctx_create(options[i], &c);
    shmem_ctx_long_p(c, &cells[0], 5 + me, (me + 1) % pes);
    shmem_ctx_destroy(c);
    shmem_barrier_all();
    CHECK(cells[0] == 5 + (me + pes - 1) % pes);
  }
}

// What waits for company leaves when its PE waits for a value, and while it tests for one.
static void test_waits(void) {
  shmem_ctx_t c;
  CHECK(shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &c) == 0);
  const int next = (me + 1) % pes;
  for (int i = 0; i < 3; ++i) cells[i] = 0;
  shmem_barrier_all();
  for (long round = 1; round <= 50; ++round) {
    for (int i = 0; i < 3; ++i) shmem_ctx_long_atomic_inc(c, &cells[i], next);
    shmem_long_wait_until(&cells[0], SHMEM_CMP_GE, round);
    while (!shmem_long_test_all(&cells[1], 1, NULL, SHMEM_CMP_GE, round)) {
    }
    shmem_long_wait_until_any(&cells[2], 1, NULL, SHMEM_CMP_GE, round);
  }
  shmem_ctx_destroy(c);
  shmem_barrier_all();
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  test_options();
  test_of_teams();
  test_many();
  test_destroy();
  test_waits();
  return finish_tests();
}
