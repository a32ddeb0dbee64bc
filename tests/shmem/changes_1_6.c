// SPDX-License-Identifier: BSD-3-Clause
// What the change log of OpenSHMEM 1.6 adds or makes clear, item by item, as far as no other test is about
// it: scans, blocks, signals and shmem_team_ptr have theirs, and initialization again.c.
#include <shmemx.h>

#include "tests/shmem/harness.h"

static long cells[most_pes], flags[most_pes];

#if SHMEM_MAJOR_VERSION != 1 || SHMEM_MINOR_VERSION != 6
#error the version macros
#endif

static void test_pe_quiet(void) {
  const int next = (me + 1) % pes;
  const int targets[2] = {next, me};
  shmem_ctx_t aggregated;
  CHECK(shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &aggregated) == 0);
  long fetched = -1;
  shmem_long_put_nbi(&cells[0], &(long){100 + me}, 1, next);
  shmem_pe_quiet(targets, 1);
  CHECK(shmem_long_g(&cells[0], next) == 100 + me);
  shmem_barrier_all();
  for (int i = 0; i < 100; ++i) shmem_ctx_long_atomic_inc(aggregated, &cells[1], next);
  shmem_ctx_long_atomic_fetch_nbi(aggregated, &fetched, &cells[0], me);
  shmem_ctx_pe_quiet(aggregated, targets, 2);
  CHECK(fetched == 100 + (me + pes - 1) % pes);
  CHECK(shmem_long_g(&cells[1], next) == 100);
  shmem_pe_quiet(NULL, 0);
  shmem_ctx_pe_quiet(aggregated, NULL, 0);
  shmem_ctx_pe_quiet(SHMEM_CTX_DEFAULT, targets, 2);
  shmem_ctx_destroy(aggregated);
}

static void test_strides(void) {
  shmem_team_t team = SHMEM_TEAM_INVALID;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, -1, pes, NULL, 0, &team) == 0);
  CHECK(shmem_team_my_pe(team) == pes - 1 - me);
  CHECK(shmem_team_translate_pe(team, 0, SHMEM_TEAM_WORLD) == pes - 1);
  shmem_team_destroy(team);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, 0, 1, NULL, 0, &team) == 0);
  CHECK((team != SHMEM_TEAM_INVALID) == (me == pes - 1));
  if (team != SHMEM_TEAM_INVALID) shmem_team_destroy(team);
  team = SHMEM_TEAM_WORLD; // a sequence that would wrap around makes no team
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, 1, 2, NULL, 0, &team) != 0 &&
        team == SHMEM_TEAM_INVALID);
}

static void test_invalid_parents(void) {
  shmem_team_t x = SHMEM_TEAM_WORLD, y = SHMEM_TEAM_WORLD;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &x) != 0);
  CHECK(x == SHMEM_TEAM_INVALID);
  x = SHMEM_TEAM_WORLD;
  CHECK(shmem_team_split_2d(SHMEM_TEAM_INVALID, 1, NULL, 0, &x, NULL, 0, &y) != 0);
  CHECK(x == SHMEM_TEAM_INVALID && y == SHMEM_TEAM_INVALID);
}

static void test_configurations(void) {
  shmem_team_t team = SHMEM_TEAM_INVALID;
  shmem_team_config_t config = {.num_contexts = 77};
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, &config, 0, &team) ==
        0); // the mask chooses nothing
  CHECK(shmem_team_get_config(team, 0, NULL) == 0);
  CHECK(shmem_team_get_config(team, 0, &config) == 0 && config.num_contexts == 77);
  CHECK(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &config) == 0 && config.num_contexts == 0);
  CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, 0, NULL) != 0);
  shmem_team_destroy(team);
}

static void test_empty_sets(void) {
  const int all_left_out[2] = {1, 1};
  const long values[2] = {5, 6}; // const
  CHECK(shmem_long_test_all(flags, 0, NULL, SHMEM_CMP_EQ, 1) == 1);
  CHECK(shmem_long_test_all(flags, 2, all_left_out, SHMEM_CMP_EQ, 1) == 1);
  CHECK(shmem_long_test_all_vector(flags, 0, NULL, SHMEM_CMP_EQ, values) == 1);
  CHECK(shmem_long_test_all_vector(flags, 2, all_left_out, SHMEM_CMP_EQ, values) == 1);
  size_t indices[2];
  CHECK(shmem_long_test_any_vector(flags, 2, NULL, SHMEM_CMP_EQ, values) == SIZE_MAX);
  CHECK(shmem_long_test_some_vector(flags, 2, indices, NULL, SHMEM_CMP_LT, values) == 2);
  CHECK(shmem_long_wait_until_any_vector(flags, 2, NULL, SHMEM_CMP_LT, values) < 2);
  CHECK(shmem_long_wait_until_some_vector(flags, 2, indices, NULL, SHMEM_CMP_LT, values) == 2);
  shmem_long_wait_until_all_vector(flags, 2, NULL, SHMEM_CMP_LT, values);
}

// A fence orders what is done on its own context: for an aggregated one, the items before it.
static void test_fence(void) {
  shmem_ctx_t one, other;
  CHECK(shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &one) == 0 && shmem_ctx_create(0, &other) == 0);
  const int next = (me + 1) % pes;
  for (long i = 1; i <= 50; ++i) {
    shmem_ctx_long_p(one, &cells[2], i, next);
    shmem_ctx_fence(one);
    shmem_ctx_long_p(one, &flags[2], i, next);
    shmem_ctx_fence(other);
    shmem_ctx_quiet(one);
    CHECK(shmem_long_g(&cells[2], next) == i && shmem_long_g(&flags[2], next) == i);
  }
  shmem_ctx_destroy(one);
  shmem_ctx_destroy(other);
}

// "The source and dest of reductions are the same array, or disjoint", on all PEs alike. Of more than is
// combined at a time.
static void test_in_place(void) {
  enum { many = 5000 };
  long* both = shmem_malloc(many * sizeof *both);
  for (int i = 0; i < many; ++i) both[i] = me + i;
  shmem_barrier_all();
  CHECK(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, both, both, many) == 0);
  const long numbers = (long)pes * (pes - 1) / 2;
  for (int i = 0; i < many; ++i) CHECK(both[i] == (long)pes * i + numbers);
  shmem_barrier_all();
  CHECK(shmem_long_sum_exscan(SHMEM_TEAM_WORLD, both, both, many) == 0);
  for (int i = 0; i < many; ++i) CHECK(both[i] == me * (pes * (long)i + numbers));
  shmem_barrier_all();
  for (int i = 0; i < many; ++i) both[i] = me + i;
  shmem_barrier_all();
  CHECK(shmem_long_sum_inscan(SHMEM_TEAM_WORLD, both, both, many) == 0);
  for (int i = 0; i < many; ++i) CHECK(both[i] == (me + 1) * (long)i + (long)me * (me + 1) / 2);
  shmem_barrier_all();
  shmem_free(both);
}

// What does not fit is lost above, also of types that are narrower than int.
static void test_large_numbers(void) {
  static short from[3], to[3];
  for (int i = 0; i < 3; ++i) from[i] = i == 2 ? INT16_MIN : -1 - i;
  shmem_barrier_all();
  uint16_t products[3] = {1, 1, 1}, sums[3] = {0, 0, 0};
  for (int pe = 0; pe < pes; ++pe)
    for (int i = 0; i < 3; ++i) {
      products[i] = (uint16_t)(products[i] * (unsigned)(uint16_t)from[i]);
      sums[i] = (uint16_t)(sums[i] + (uint16_t)from[i]);
    }
  CHECK(shmem_ushort_prod_reduce(SHMEM_TEAM_WORLD, (unsigned short*)to, (unsigned short*)from, 3) == 0);
  for (int i = 0; i < 3; ++i) CHECK((uint16_t)to[i] == products[i]);
  CHECK(shmem_short_prod_reduce(SHMEM_TEAM_WORLD, to, from, 3) == 0);
  for (int i = 0; i < 3; ++i) CHECK((uint16_t)to[i] == products[i]);
  CHECK(shmem_short_sum_reduce(SHMEM_TEAM_WORLD, to, from, 3) == 0);
  for (int i = 0; i < 3; ++i) CHECK((uint16_t)to[i] == sums[i]);
  CHECK(shmem_short_max_reduce(SHMEM_TEAM_WORLD, to, from, 3) == 0);
  CHECK(to[0] == -1 && to[1] == -2 && to[2] == INT16_MIN);
  shmem_barrier_all();
}

static void test_sessions(void) {
  const shmem_ctx_session_config_t config = {.total_ops = 10};
  shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
  shmem_long_atomic_inc(&cells[3], me);
  shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
  shmem_quiet();
  CHECK(cells[3] == 1);
}

// Type-generic by the context only.
static void test_signals(void) {
  static uint64_t signal_word;
  const int next = (me + 1) % pes;
  shmem_signal_set(SHMEM_CTX_DEFAULT, &signal_word, 3, next);
  shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 3);
  shmem_barrier_all();
  shmem_signal_add(SHMEM_CTX_DEFAULT, &signal_word, 4, next);
  shmem_signal_add(&signal_word, 5, next);
  shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 12);
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  int major = 0, minor = 0;
  shmem_info_get_version(&major, &minor);
  CHECK(major == 1 && minor == 6);
  test_pe_quiet();
  test_strides();
  test_invalid_parents();
  test_configurations();
  shmem_barrier_all();
  memset(flags, 0, sizeof flags);
  shmem_barrier_all();
  test_empty_sets();
  shmem_barrier_all();
  test_fence();
  test_in_place();
  test_large_numbers();
  test_sessions();
  test_signals();
  return finish_tests();
}
