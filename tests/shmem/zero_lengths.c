// SPDX-License-Identifier: BSD-3-Clause
// Zero elements from nowhere to nowhere: null pointers, private memory. Nothing moves, no routine objects,
// and a signal is delivered all the same.
#include "tests/shmem/harness.h"

static long sync[SHMEM_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 1];
static uint64_t signals[4];

static void access_nothing(long* to, long* from, int pe) {
  shmem_long_put(to, from, 0, pe);
  shmem_long_get(to, from, 0, pe);
  shmem_putmem(to, from, 0, pe);
  shmem_getmem(to, from, 0, pe);
  shmem_put128(to, from, 0, pe);
  shmem_long_put_nbi(to, from, 0, pe);
  shmem_long_get_nbi(to, from, 0, pe);
  shmem_putmem_nbi(to, from, 0, pe);
  shmem_getmem_nbi(to, from, 0, pe);
  shmem_long_iput(to, from, 3, 5, 0, pe);
  shmem_long_iget(to, from, 3, 5, 0, pe);
  shmem_iput32(to, from, -3, 5, 0, pe);
  shmem_long_ibput(to, from, 3, 5, 2, 0, pe);
  shmem_long_ibput(to, from, 3, 5, 0, 7, pe);
  shmem_long_ibget(to, from, 3, 5, 0, 7, pe);
  shmem_ibget64(to, from, 3, 5, 2, 0, pe);
  shmem_ctx_long_put(ctx, to, from, 0, pe);
  shmem_ctx_getmem(ctx, to, from, 0, pe);
  shmem_ctx_long_get_nbi(ctx, to, from, 0, pe);
  shmem_ctx_long_iput(ctx, to, from, 1, 1, 0, pe);
}

static void signal_with_nothing(long* to, long* from, int pe) {
  shmem_long_put_signal(to, from, 0, &signals[0], 1, SHMEM_SIGNAL_ADD, pe);
  shmem_putmem_signal(to, from, 0, &signals[1], 1, SHMEM_SIGNAL_ADD, pe);
  shmem_long_put_signal_nbi(to, from, 0, &signals[2], 1, SHMEM_SIGNAL_ADD, pe);
  shmem_ctx_long_put_signal(ctx, to, from, 0, &signals[3], 1, SHMEM_SIGNAL_ADD, pe);
}

static void meet_with_nothing(long* to, long* from) {
  CHECK(shmem_long_broadcast(SHMEM_TEAM_WORLD, to, from, 0, 0) == 0);
  CHECK(shmem_collectmem(SHMEM_TEAM_WORLD, to, from, 0) == 0);
  CHECK(shmem_long_fcollect(SHMEM_TEAM_WORLD, to, from, 0) == 0);
  CHECK(shmem_long_alltoall(SHMEM_TEAM_WORLD, to, from, 0) == 0);
  CHECK(shmem_long_alltoalls(SHMEM_TEAM_WORLD, to, from, 2, 3, 0) == 0);
  CHECK(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to, from, 0) == 0);
  CHECK(shmem_uint_and_reduce(SHMEM_TEAM_WORLD, (unsigned*)to, (unsigned*)from, 0) == 0);
  CHECK(shmem_long_sum_inscan(SHMEM_TEAM_WORLD, to, from, 0) == 0);
  CHECK(shmem_long_sum_exscan(SHMEM_TEAM_WORLD, to, from, 0) == 0);
}

static void meet_in_active_set(long* to, long* from) {
  shmem_broadcast64(to, from, 0, 0, 0, 0, pes, sync);
  shmem_barrier_all();
  shmem_collect32(to, from, 0, 0, 0, pes, sync);
  shmem_barrier_all();
  shmem_fcollect64(to, from, 0, 0, 0, pes, sync);
  shmem_barrier_all();
  shmem_alltoall32(to, from, 0, 0, 0, pes, sync);
  shmem_barrier_all();
  shmem_alltoalls64(to, from, 2, 3, 0, 0, 0, pes, sync);
  shmem_barrier_all();
  shmem_long_max_to_all(to, from, 0, 0, 0, pes, work, sync);
  shmem_barrier_all();
}

static void wait_for_nothing(void) {
  long none[1] = {7};
  CHECK(shmem_long_test_all(NULL, 0, NULL, SHMEM_CMP_EQ, 1) == 1);
  CHECK(shmem_long_test_any(NULL, 0, NULL, SHMEM_CMP_EQ, 1) == SIZE_MAX);
  CHECK(shmem_long_test_some(NULL, 0, NULL, NULL, SHMEM_CMP_EQ, 1) == 0);
  CHECK(shmem_long_test_all_vector(NULL, 0, NULL, SHMEM_CMP_EQ, NULL) == 1);
  CHECK(shmem_long_wait_until_any(none, 0, NULL, SHMEM_CMP_EQ, 1) == SIZE_MAX);
  CHECK(shmem_long_wait_until_some_vector(none, 0, NULL, NULL, SHMEM_CMP_EQ, none) == 0);
  shmem_long_wait_until_all(NULL, 0, NULL, SHMEM_CMP_EQ, 1);
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  ctx = SHMEM_CTX_DEFAULT;
  for (int i = 0; i < SHMEM_SYNC_SIZE; ++i) sync[i] = SHMEM_SYNC_VALUE;
  long here[2] = {11, 12}, *plain = calloc(2, sizeof *plain);
  long* const pointers[] = {NULL, here, plain, (long*)(uintptr_t)64};
  enum { count = sizeof pointers / sizeof pointers[0] };
  shmem_barrier_all();
  for (int i = 0; i < count * count; ++i)
    for (int pe = 0; pe < pes; ++pe) {
      access_nothing(pointers[i / count], pointers[i % count], pe);
      signal_with_nothing(pointers[i / count], pointers[i % count], pe);
    }
  for (int i = 0; i < count * count; ++i) { // other addresses on each PE
    const int which = (i + me) % (count * count);
    meet_with_nothing(pointers[which / count], pointers[which % count]);
    meet_in_active_set(pointers[which / count], pointers[which % count]);
  }
  wait_for_nothing();
  shmem_barrier_all();
  for (int i = 0; i < 4; ++i) CHECK(shmem_signal_fetch(&signals[i]) == (uint64_t)(count * count * pes));
  CHECK(here[0] == 11 && here[1] == 12 && plain[0] == 0 && plain[1] == 0);
  free(plain);
  return finish_tests();
}
