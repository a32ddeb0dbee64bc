// SPDX-License-Identifier: BSD-3-Clause
// Sorts integers by buckets, one for each PE: PEs tell each other how many keys they will send and where
// these go, put them there, and count what they have got.
//   integer_sort [KEYS [ROUNDS [blocking|together]]]   KEYS: of each PE
// `blocking` waits for each transfer; `together` is overlapped by hand: all counts are on their way at once,
// and so are all keys.
#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { range_bits = 16, range = 1 << range_bits };

static bool together;
static int pes, me;
static size_t keys = 1 << 16;
static uint32_t *mine, *ordered, *received;
static int64_t *counts, *from_each, *starts, *next_of;
static int64_t* told; // by each PE: how many keys those before this one send there

static int owner_of(uint32_t key) {
  return (int)((uint64_t)key * (uint64_t)pes >> range_bits);
}

static void make_keys(int round) {
  uint64_t state = 88172645463325252u + (uint64_t)(round * 1000 + me);
  for (size_t i = 0; i < keys; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    mine[i] = (uint32_t)(state >> 20) % range;
  }
}

static void put_in_buckets(void) {
  memset(counts, 0, (size_t)pes * sizeof *counts);
  for (size_t i = 0; i < keys; i++) counts[owner_of(mine[i])]++;
  next_of[0] = 0;
  for (int pe = 1; pe < pes; pe++) next_of[pe] = next_of[pe - 1] + counts[pe - 1];
  for (size_t i = 0; i < keys; i++) ordered[next_of[owner_of(mine[i])]++] = mine[i];
}

static void exchange_counts(void) {
  for (int pe = 0; pe < pes; pe++)
    if (together)
      shmem_int64_put_nbi(&from_each[me], &counts[pe], 1, pe);
    else
      shmem_int64_put(&from_each[me], &counts[pe], 1, pe);
  shmem_barrier_all();
}

// Where this PE's keys begin at each other one: behind those of the PEs before.
static void fetch_starts(void) {
  for (int pe = 0; pe < pes; pe++) {
    int64_t before = 0, one;
    for (int other = 0; other < me; other++) {
      shmem_int64_get(&one, &from_each[other], 1, pe);
      before += one;
    }
    starts[pe] = before;
  }
}

static void fetch_starts_together(void) {
  for (int pe = 0; pe < pes; pe++)
    for (int other = 0; other < me; other++)
      shmem_int64_get_nbi(&told[pe * me + other], &from_each[other], 1, pe);
  shmem_quiet();
  for (int pe = 0; pe < pes; pe++) {
    starts[pe] = 0;
    for (int other = 0; other < me; other++) starts[pe] += told[pe * me + other];
  }
}

static void exchange_keys(void) {
  const uint32_t* from = ordered;
  for (int pe = 0; pe < pes; pe++) {
    if (together)
      shmem_uint32_put_nbi(received + starts[pe], from, (size_t)counts[pe], pe);
    else
      shmem_uint32_put(received + starts[pe], from, (size_t)counts[pe], pe);
    from += counts[pe];
  }
  shmem_quiet();
  shmem_barrier_all();
}

// The sum of the keys that are where they belong.
static uint64_t rank_keys(void) {
  static int64_t histogram[range];
  int64_t got = 0;
  memset(histogram, 0, sizeof histogram);
  for (int pe = 0; pe < pes; pe++) got += from_each[pe];
  for (int64_t i = 0; i < got; i++) histogram[received[i]]++;
  uint64_t sum = 0;
  for (uint32_t key = 0; key < range; key++) sum += owner_of(key) == me ? (uint64_t)histogram[key] * key : 0;
  return sum;
}

int main(int argc, char** argv) {
  if (argc > 1) keys = (size_t)atol(argv[1]);
  const int rounds = argc > 2 ? atoi(argv[2]) : 4;
  together = argc > 3 && strcmp(argv[3], "together") == 0;
  shmem_init();
  pes = shmem_n_pes();
  me = shmem_my_pe();
  mine = malloc(keys * sizeof *mine);
  ordered = malloc(keys * sizeof *ordered);
  counts = malloc((size_t)pes * sizeof *counts);
  starts = malloc((size_t)pes * sizeof *starts);
  next_of = malloc((size_t)pes * sizeof *next_of);
  told = malloc((size_t)pes * (size_t)pes * sizeof *told);
  from_each = shmem_malloc((size_t)pes * sizeof *from_each);
  received = shmem_malloc(keys * (size_t)pes * sizeof *received);
  static uint64_t sums[2], totals[2]; // of all keys, and of those that are where they belong
  for (int round = 0; round < rounds; round++) {
    make_keys(round);
    for (size_t i = 0; i < keys; i++) sums[0] += mine[i];
    put_in_buckets();
    exchange_counts();
    if (together)
      fetch_starts_together();
    else
      fetch_starts();
    exchange_keys();
    sums[1] += rank_keys();
    shmem_barrier_all();
  }
  shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, totals, sums, 2);
  const bool is_right = totals[0] == totals[1];
  if (me == 0) printf("keys %llu\n", (unsigned long long)totals[1]);
  shmem_finalize();
  return is_right ? 0 : 1;
}
