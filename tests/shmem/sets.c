// SPDX-License-Identifier: BSD-3-Clause
#include "tests/shmem/sets.h"

int set_start(int set) {
  return set == 3 ? pes - 1 : set == 2 ? 1 : 0;
}

int set_log_stride(int set) {
  return set == 1 || set == 2 ? 1 : 0;
}

int set_size(int set) {
  const int sizes[set_count] = {pes, (pes + 1) / 2, pes / 2, 1};
  return sizes[set];
}

int set_member(int set, int rank) {
  return set_start(set) + (rank << set_log_stride(set));
}

int set_rank(int set) {
  for (int rank = 0; rank < set_size(set); ++rank)
    if (set_member(set, rank) == me) return rank;
  return -1;
}

long* set_sync(int set, int which) {
  enum {
    longest =
        SHMEM_COLLECT_SYNC_SIZE + SHMEM_REDUCE_SYNC_SIZE + SHMEM_ALLTOALLS_SYNC_SIZE + SHMEM_BCAST_SYNC_SIZE
  };
  static long syncs[set_count][syncs_each][longest];
  static bool initialized;
  if (!initialized) {
    for (long* each = &syncs[0][0][0]; each < &syncs[0][0][0] + sizeof syncs / sizeof(long); ++each)
      *each = SHMEM_SYNC_VALUE;
    initialized = true;
    shmem_barrier_all();
  }
  return syncs[set][which];
}

void* set_work(int set, int which) {
  enum { elements = 1 + most_reduced / 2, minimum = SHMEM_REDUCE_MIN_WRKDATA_SIZE, largest_type = 32 };
  static _Alignas(largest_type) char work[set_count][syncs_each]
                                         [largest_type * (elements > minimum ? elements : minimum)];
  return work[set][which];
}

#if !defined(SHMEM_TESTS_PORTABLE)
shmem_team_t set_team(int set) {
  static shmem_team_t teams[set_count];
  static bool made;
  if (!made) {
    for (int i = 0; i < set_count; ++i) {
      teams[i] = SHMEM_TEAM_INVALID;
      if (set_size(i) > 0)
        shmem_team_split_strided(SHMEM_TEAM_WORLD, set_start(i), 1 << set_log_stride(i), set_size(i), NULL, 0,
                                 &teams[i]);
    }
    made = true;
  }
  return teams[set];
}
#endif
