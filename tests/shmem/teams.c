// SPDX-License-Identifier: BSD-3-Clause
// Teams: who is in, who is who, what can be made of them and undone.
#include "tests/shmem/harness.h"

static void test_given(void) {
  CHECK(shmem_team_my_pe(SHMEM_TEAM_WORLD) == me);
  CHECK(shmem_team_n_pes(SHMEM_TEAM_WORLD) == pes);
  CHECK(shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1);
  CHECK(shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1);
  CHECK(shmem_team_sync(SHMEM_TEAM_WORLD) == 0);
  CHECK(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, SHMEM_TEAM_WORLD) == -1);
  CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, pes, SHMEM_TEAM_WORLD) == -1);
}

// On whatever hosts the PEs are, as long as those of one are evenly spaced.
static void test_shared(void) {
  static int here;
  const int size = shmem_team_n_pes(SHMEM_TEAM_SHARED), rank = shmem_team_my_pe(SHMEM_TEAM_SHARED);
  int reached = 0;
  for (int pe = 0; pe < pes; ++pe)
    if (shmem_ptr(&here, pe) != NULL) {
      ++reached;
      CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED) >= 0);
    }
  CHECK(reached >= 1 && reached == size && size <= pes);
  CHECK(rank >= 0 && rank < size);
  CHECK(shmem_team_translate_pe(SHMEM_TEAM_SHARED, rank, SHMEM_TEAM_WORLD) == me);
  CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, me, SHMEM_TEAM_SHARED) == rank);
  CHECK(shmem_team_sync(SHMEM_TEAM_SHARED) == 0);
}

// Everything one can ask of a team of PEs start, start + stride, …
static void check_team(shmem_team_t team, int start, int stride, int size) {
  const int rank =
      me >= start && (me - start) % stride == 0 && (me - start) / stride < size ? (me - start) / stride : -1;
  if (rank < 0) {
    CHECK(team == SHMEM_TEAM_INVALID);
    return;
  }
  CHECK(team != SHMEM_TEAM_INVALID);
  CHECK(shmem_team_my_pe(team) == rank);
  CHECK(shmem_team_n_pes(team) == size);
  for (int pe = 0; pe < pes; ++pe) {
    const int there = pe >= start && (pe - start) % stride == 0 && (pe - start) / stride < size
                          ? (pe - start) / stride
                          : -1;
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, team) == there);
  }
  for (int k = 0; k < size; ++k)
    CHECK(shmem_team_translate_pe(team, k, SHMEM_TEAM_WORLD) == start + k * stride);
  CHECK(shmem_team_translate_pe(team, size, SHMEM_TEAM_WORLD) == -1);
  static long cell;
  CHECK(shmem_team_ptr(team, &cell, rank) == &cell);
  if (size > 1)
    CHECK(shmem_team_ptr(team, &cell, (rank + 1) % size) ==
          shmem_ptr(&cell, start + (rank + 1) % size * stride));
}

// The members, and only they, come to the sync: nobody leaves before the last one has arrived.
static void check_sync(shmem_team_t team) {
  static long arrived;
  if (team == SHMEM_TEAM_INVALID) return;
  const int first = shmem_team_translate_pe(team, 0, SHMEM_TEAM_WORLD), size = shmem_team_n_pes(team);
  for (long round = 1; round <= 20; ++round) {
    shmem_long_atomic_inc(&arrived, first);
    shmem_quiet();
    CHECK(shmem_team_sync(team) == 0);
    CHECK(shmem_long_atomic_fetch(&arrived, first) == round * size);
    shmem_team_sync(team);
  }
  if (me == first) arrived = 0;
}

static void test_strided(void) {
  for (int stride = 1; stride <= 3; ++stride)
    for (int start = 0; start < pes; ++start) {
      const int size = (pes - 1 - start) / stride + 1;
      shmem_team_t team = SHMEM_TEAM_WORLD;
      const int result = shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &team);
      CHECK(team == SHMEM_TEAM_INVALID || result == 0);
      check_team(team, start, stride, size);
      check_sync(team);
      if (team != SHMEM_TEAM_INVALID) shmem_team_destroy(team);
      shmem_barrier_all();
    }
}

// A team of a team: PEs are numbered in the parent.
static void test_nested(void) {
  shmem_team_t evens = SHMEM_TEAM_INVALID, some = SHMEM_TEAM_INVALID;
  const int even_count = (pes + 1) / 2;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, even_count, NULL, 0, &evens);
  if (evens != SHMEM_TEAM_INVALID && even_count > 1) {
    shmem_team_split_strided(evens, 1, 1, even_count - 1, NULL, 0, &some);
    check_team(some, 2, 2, even_count - 1);
    check_sync(some);
    if (some != SHMEM_TEAM_INVALID) shmem_team_destroy(some);
  }
  if (evens != SHMEM_TEAM_INVALID) shmem_team_destroy(evens);
  shmem_barrier_all();
}

static void test_2d(void) {
  for (int width = 1; width <= pes + 1; ++width) {
    shmem_team_t x = SHMEM_TEAM_INVALID, y = SHMEM_TEAM_INVALID;
    CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, width, NULL, 0, &x, NULL, 0, &y) == 0);
    const int column = me % width, row = me / width, rows = (pes + width - 1) / width;
    const int in_row = row < rows - 1 || pes % width == 0 ? (width < pes ? width : pes) : pes % width;
    check_team(x, row * width, 1, in_row);
    check_team(y, column, width, (pes - 1 - column) / width + 1);
    check_sync(x);
    shmem_barrier_all();
    check_sync(y);
    shmem_team_destroy(x);
    shmem_team_destroy(y);
    shmem_barrier_all();
  }
}

static void test_config(void) {
  shmem_team_config_t wanted = {.num_contexts = 3}, got = {.num_contexts = -1};
  shmem_team_t team = SHMEM_TEAM_INVALID;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, &wanted, SHMEM_TEAM_NUM_CONTEXTS, &team) == 0);
  CHECK(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &got) == 0);
  CHECK(got.num_contexts == 3);
  CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &got) != 0);
  shmem_team_destroy(team);
}

// Impossible teams are refused with a code, not made.
static void test_refusals(void) {
  shmem_team_t team = SHMEM_TEAM_WORLD;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes + 1, NULL, 0, &team) != 0);
  CHECK(team == SHMEM_TEAM_INVALID);
  team = SHMEM_TEAM_WORLD;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &team) != 0);
  CHECK(team == SHMEM_TEAM_INVALID);
  shmem_barrier_all();
}

// More teams one after the other than can exist at once.
static void test_reuse(void) {
  for (int i = 0; i < 200; ++i) {
    shmem_team_t team = SHMEM_TEAM_INVALID;
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, NULL, 0, &team) == 0);
    shmem_team_destroy(team);
  }
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  test_given();
  test_shared();
  test_strided();
  test_nested();
  test_2d();
  test_config();
  test_refusals();
  test_reuse();
  return finish_tests();
}
