/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates of whole blocks of a table, 32 words each, SIZE blocks a PE, in an order without a pattern: a block
 * is fetched, changed and stored. Each has one PE that does so. */
#include "suite.h"

enum { MOST = 1 << 12, WORDS = 32, ROUNDS = 2 };
static uint64_t table[MOST * WORDS];

/* The k-th block that this PE updates: a permutation of all blocks, of which each PE has every n_pes-th. */
static inline long block_of(long k, long blocks) {
  const long all = blocks * n_pes;
  return (long)((uint64_t)(k * n_pes + me) * 7919 % (uint64_t)all);
}

static void update(uint64_t* words) {
  for (int i = 0; i < WORDS; i++) words[i] = mixed(words[i], (uint64_t)i);
}

static __attribute__((noinline)) void plain(long blocks) {
  uint64_t words[WORDS];
  for (long k = 0; k < blocks; k++) {
    const long block = block_of(k, blocks);
    const int pe = (int)(block / blocks);
    shmem_uint64_get(words, &table[block % blocks * WORDS], WORDS, pe);
    update(words);
    shmem_uint64_put(&table[block % blocks * WORDS], words, WORDS, pe);
  }
}

/* All are fetched, and stored, together. */
static void by_hand(long blocks) {
  uint64_t* const words = malloc((size_t)blocks * WORDS * sizeof *words);
  for (long k = 0; k < blocks; k++) {
    const long block = block_of(k, blocks);
    shmem_uint64_get_nbi(&words[k * WORDS], &table[block % blocks * WORDS], WORDS, (int)(block / blocks));
  }
  shmem_quiet();
  for (long k = 0; k < blocks; k++) {
    const long block = block_of(k, blocks);
    update(&words[k * WORDS]);
    shmem_uint64_put_nbi(&table[block % blocks * WORDS], &words[k * WORDS], WORDS, (int)(block / blocks));
  }
  shmem_quiet();
  free(words);
}

int main(int argc, char** argv) {
  long size;
  const int hand = begin(argc, argv, &size, MOST);
  uint64_t state = seed_of(me), checksum = 0;
  for (long i = 0; i < size * WORDS; i++) table[i] = next_random(&state);
  for (int round = 0; round < ROUNDS; round++) {
    shmem_barrier_all();
    hand ? by_hand(size) : plain(size);
  }
  shmem_barrier_all();
  for (long i = 0; i < size * WORDS; i++) checksum ^= mixed((uint64_t)(me * size * WORDS + i), table[i]);
  return end(checksum);
}
