// SPDX-License-Identifier: BSD-3-Clause
// SHMEM_THREAD_MULTIPLE: threads of a PE are in collectives of different teams at the same time, and make
// teams and destroy them. SHMEM_TEAM_WORLD and SHMEM_TEAM_SHARED are two teams, whoever is in them.
#include <pthread.h>

#include "tests/shmem/harness.h"

enum { threads = 3, rounds = 60, most = 700 };

static long from[threads][most * most_pes], to[threads][most * most_pes];
static shmem_team_t teams[threads];
static int bad[threads];

static void expect(int thread, bool condition) {
  if (!condition) ++bad[thread];
}

static long value(int pe, int round, size_t i) {
  return 1000000L * pe + 1000L * round + (long)i;
}

// All kinds, small and large, one behind the other.
static void use(int thread, int round) {
  const shmem_team_t team = teams[thread];
  const int size = shmem_team_n_pes(team), rank = shmem_team_my_pe(team), root = round % size;
  const size_t count = round % 2 ? 3 : most;
  long *const in = from[thread], *const out = to[thread];
  shmem_team_sync(team); // nobody reads it any more
  for (size_t i = 0; i < count * (size_t)size; ++i) in[i] = value(rank, round, i);
  shmem_long_sum_reduce(team, out, in, count);
  expect(thread, out[count - 1] == size * value(0, round, count - 1) + 1000000L * size * (size - 1) / 2);
  shmem_long_broadcast(team, out, in, count, root);
  expect(thread, out[count - 1] == value(root, round, count - 1));
  shmem_long_fcollect(team, out, in, count);
  expect(thread, out[count * (size_t)root] == value(root, round, 0));
  shmem_long_alltoall(team, out, in, count);
  expect(thread, out[count * (size_t)root] == value(root, round, count * (size_t)rank));
}

static void split(int thread) {
  const int size = shmem_team_n_pes(teams[thread]), rank = shmem_team_my_pe(teams[thread]);
  shmem_team_t turned = SHMEM_TEAM_INVALID, row, column;
  expect(thread, shmem_team_split_strided(teams[thread], size - 1, -1, size, NULL, 0, &turned) == 0);
  expect(thread, shmem_team_my_pe(turned) == size - 1 - rank);
  expect(thread, shmem_team_split_2d(turned, 2, NULL, 0, &row, NULL, 0, &column) == 0);
  shmem_team_sync(row);
  shmem_team_sync(column);
  shmem_team_destroy(row);
  shmem_team_destroy(turned);
  shmem_team_destroy(column);
}

static void* run(void* argument) {
  const int thread = (int)(intptr_t)argument;
  for (int round = 0; round < rounds; ++round) {
    use(thread, round);
    split(thread);
  }
  return NULL;
}

int main(void) {
  int provided = -1;
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0);
  me = shmem_my_pe();
  pes = shmem_n_pes();
  if (provided != SHMEM_THREAD_MULTIPLE) return finish_tests(); // in a simulated network
  teams[0] = SHMEM_TEAM_WORLD;
  teams[1] = SHMEM_TEAM_SHARED;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, NULL, 0, &teams[2]) == 0);
  pthread_t running[threads];
  for (int i = 0; i < threads; ++i) pthread_create(&running[i], NULL, run, (void*)(intptr_t)i);
  for (int i = 0; i < threads; ++i) pthread_join(running[i], NULL);
  shmem_team_destroy(teams[2]);
  for (int i = 0; i < threads; ++i) CHECK(bad[i] == 0);
  return finish_tests();
}
