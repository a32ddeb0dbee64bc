/* SPDX-License-Identifier: BSD-3-Clause */
/* The cheapest order in which to multiply SIZE matrices, by dynamic programming: the costs of chains that end
 * with matrix j are a column of PE j % n_pes. */
#include "suite.h"

enum { MOST = 256 };
static long cost[MOST][MOST]; /* [j / n_pes][i] */
static long dimension[MOST + 1];

static __attribute__((noinline)) long plain_best(long i, long j) {
  long best = INT64_MAX;
  for (long k = i; k < j; k++) {
    const long here = shmem_long_g(&cost[k / n_pes][i], (int)(k % n_pes)) + cost[j / n_pes][k + 1] +
                      dimension[i] * dimension[k + 1] * dimension[j + 1];
    best = here < best ? here : best;
  }
  return best;
}

/* What a PE has of row i is a column of its memory: one strided get for each PE. */
static long by_hand_best(long i, long j) {
  static long row[MOST];
  for (int pe = 0; pe < n_pes; pe++) {
    const long first = i + (pe - i % n_pes + n_pes) % n_pes;
    if (first < j)
      shmem_long_iget(&row[first], &cost[first / n_pes][i], n_pes, MOST,
                      (size_t)((j - 1 - first) / n_pes + 1), pe);
  }
  long best = INT64_MAX;
  for (long k = i; k < j; k++) {
    const long here = row[k] + cost[j / n_pes][k + 1] + dimension[i] * dimension[k + 1] * dimension[j + 1];
    best = here < best ? here : best;
  }
  return best;
}

int main(int argc, char** argv) {
  long size;
  const int hand = begin(argc, argv, &size, MOST);
  uint64_t state = seed_of(0), checksum = 0;
  for (long i = 0; i <= size; i++) dimension[i] = 1 + (long)(next_random(&state) % 100);
  shmem_barrier_all();
  for (long length = 2; length <= size; length++) {
    for (long i = 0; i + length <= size; i++) {
      const long j = i + length - 1;
      if (j % n_pes == me) cost[j / n_pes][i] = hand ? by_hand_best(i, j) : plain_best(i, j);
    }
    shmem_barrier_all();
  }
  if (me == (size - 1) % n_pes) checksum = (uint64_t)cost[(size - 1) / n_pes][0];
  return end(checksum);
}
