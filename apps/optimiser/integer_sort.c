/* SPDX-License-Identifier: BSD-3-Clause */
/* SIZE keys of each PE go to the PE of their range: how many go where is told first, then each has its place.
 */
#include "suite.h"

enum { MOST = 1 << 14, MOST_PES = 256 };
static int key[MOST], sent[MOST], received[4 * MOST];
static long count[MOST_PES], of_all[MOST_PES * MOST_PES], offset[MOST_PES];

static inline int owner(int k) {
  return (int)((long)k * n_pes >> 20);
}

static __attribute__((noinline)) void plain(long keys) {
  for (long i = 0; i < keys; i++) {
    const int pe = owner(key[i]);
    shmem_int_p(&received[offset[pe]], key[i], pe);
    offset[pe]++;
  }
}

/* Put together by owner, one put for each. */
static void by_hand(long keys) {
  static long at[MOST_PES];
  for (int pe = 1; pe < n_pes; pe++) at[pe] = at[pe - 1] + count[pe - 1];
  for (long i = 0; i < keys; i++) sent[at[owner(key[i])]++] = key[i];
  for (int pe = 0; pe < n_pes; pe++)
    shmem_int_put_nbi(&received[offset[pe]], &sent[at[pe] - count[pe]], (size_t)count[pe], pe);
}

int main(int argc, char** argv) {
  long size;
  const int hand = begin(argc, argv, &size, MOST);
  require_pes(MOST_PES);
  uint64_t state = seed_of(me), checksum = 0;
  for (long i = 0; i < size; i++) {
    key[i] = (int)(next_random(&state) >> 44);
    count[owner(key[i])]++;
  }
  shmem_barrier_all();
  shmem_long_fcollect(SHMEM_TEAM_WORLD, of_all, count, (size_t)n_pes);
  for (int pe = 0; pe < n_pes; pe++)
    for (int before = 0; before < me; before++) offset[pe] += of_all[before * n_pes + pe];
  shmem_barrier_all();
  hand ? by_hand(size) : plain(size);
  shmem_barrier_all();
  long total = 0;
  for (int pe = 0; pe < n_pes; pe++) total += of_all[pe * n_pes + me];
  for (long i = 0; i < total; i++) checksum ^= mixed((uint64_t)i, (uint64_t)received[i]) + (uint64_t)me;
  return end(checksum);
}
