// SPDX-License-Identifier: BSD-3-Clause
// PE 0 sets a flag once its aggregated updates of PE 1 have happened there, and PE 1 looks at the flag in a
// loop of calls none of which waits or fails. Each such loop ends. In the simulator, where a PE goes on until
// it calls what may wait, too.
#include "shmemx.h"
#include "tests/shmem/harness.h"

enum { updates = 100, elements = 90 };

static int flag;
static long updated, lock, one = 1, taken;
static long values[elements], sums[elements], work[SHMEM_SYNC_SIZE];
static shmem_team_t alone;
static shmem_ctx_t aggregated;

// ---- calls that succeed at once

static void pass_test(void) {
  CHECK(shmem_long_test(&one, SHMEM_CMP_EQ, 1));
}
static void pass_test_all(void) {
  CHECK(shmem_long_test_all(&one, 1, NULL, SHMEM_CMP_EQ, 1));
}
static void pass_test_any(void) {
  CHECK(shmem_long_test_any(&one, 1, NULL, SHMEM_CMP_EQ, 1) == 0);
}
static void pass_test_some(void) {
  size_t index = 1;
  CHECK(shmem_long_test_some(&one, 1, &index, NULL, SHMEM_CMP_EQ, 1) == 1);
}
static void wait_for_nothing(void) {
  shmem_long_wait_until(&one, SHMEM_CMP_EQ, 1);
}

static void swap_later(void) {
  long before = 0;
  shmem_long_atomic_swap_nbi(&before, &taken, 1, 1);
  shmem_quiet();
}
static void compare_and_swap_later(void) {
  long before = 0;
  shmem_long_atomic_compare_swap_nbi(&before, &taken, 0, 1, 1);
  shmem_quiet();
}

static void set_and_clear(void) {
  shmem_set_lock(&lock);
  shmem_clear_lock(&lock);
}
static void test_and_clear(void) {
  CHECK(shmem_test_lock(&lock) == 0);
  shmem_clear_lock(&lock);
}

static void quiet_of_context(void) {
  shmem_ctx_quiet(aggregated);
}
static void fence_of_context(void) {
  shmem_ctx_fence(aggregated);
}
static void make_and_destroy_context(void) {
  shmem_ctx_t made = SHMEM_CTX_INVALID;
  CHECK(shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &made) == 0);
  shmem_ctx_destroy(made);
}
static void quiet_of_default_context(void) {
  shmem_ctx_quiet(SHMEM_CTX_DEFAULT);
}
static void fence_of_default_context(void) {
  shmem_ctx_fence(SHMEM_CTX_DEFAULT);
}

static void sync_alone(void) {
  shmem_team_sync(alone);
}
static void sync_active_set(void) {
  shmem_sync(me, 0, 1, work);
}
static void broadcast_alone(void) {
  CHECK(shmem_long_broadcast(alone, sums, values, 1, 0) == 0);
}
static void reduce_alone(void) {
  CHECK(shmem_long_sum_reduce(alone, sums, values, 1) == 0);
}
static void reduce_many_alone(void) {
  CHECK(shmem_long_sum_reduce(alone, sums, values, elements) == 0);
}
static void split_and_destroy(void) {
  shmem_team_t part = SHMEM_TEAM_INVALID;
  CHECK(shmem_team_split_strided(alone, 0, 1, 1, NULL, 0, &part) == 0);
  shmem_team_destroy(part);
}

static void (*const calls[])(void) = {
    pass_test,
    pass_test_all,
    pass_test_any,
    pass_test_some,
    wait_for_nothing,
    swap_later,
    compare_and_swap_later,
    set_and_clear,
    test_and_clear,
    quiet_of_context,
    fence_of_context,
    make_and_destroy_context,
    quiet_of_default_context,
    fence_of_default_context,
    shmem_quiet,
    shmem_fence,
    sync_alone,
    sync_active_set,
    broadcast_alone,
    reduce_alone,
    reduce_many_alone,
    split_and_destroy,
};
enum { kinds = sizeof calls / sizeof *calls };

// ---- the loops

static void update_and_tell(void) {
  for (int i = 0; i < updates; ++i) shmem_ctx_long_atomic_add(aggregated, &updated, 1, 1);
  shmem_ctx_quiet(aggregated);
  shmem_int_p(&flag, 1, 1);
  shmem_quiet();
}

static void poll_by(void (*call)(void)) {
  while (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 0) call();
  CHECK(updated == updates);
}

// The condition itself is such a call.
static void poll_by_condition(void) {
  while (shmem_int_test(&flag, SHMEM_CMP_EQ, 0)) {
  }
  CHECK(updated == updates);
}

static void run(int kind) {
  flag = 0;
  updated = 0;
  shmem_barrier_all();
  if (me == 0) update_and_tell();
  if (me == 1) kind < kinds ? poll_by(calls[kind]) : poll_by_condition();
  shmem_barrier_all();
}

static void make_team_of_one(void) {
  for (int pe = 0; pe < pes; ++pe) {
    shmem_team_t made = SHMEM_TEAM_INVALID;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, pe, 1, 1, NULL, 0, &made);
    if (pe == me) alone = made;
  }
}

// An argument chooses one loop by its number.
int main(int argc, char** argv) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  for (int i = 0; i < SHMEM_SYNC_SIZE; ++i) work[i] = SHMEM_SYNC_VALUE;
  make_team_of_one();
  CHECK(shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &aggregated) == 0);
  const int chosen = argc > 1 ? atoi(argv[1]) : -1;
  for (int kind = 0; kind <= kinds; ++kind)
    if (chosen < 0 || chosen == kind) run(kind);
  return finish_tests();
}
