/* SPDX-License-Identifier: BSD-3-Clause */
/* Random updates of a table that is spread over all PEs: SIZE by each PE. */
#include <shmemx.h>

#include "suite.h"

enum { ENTRIES = 1 << 12 };
static uint64_t table[ENTRIES];

static __attribute__((noinline)) void plain(long updates) {
  uint64_t state = seed_of(me);
  for (long i = 0; i < updates; i++) {
    const uint64_t r = next_random(&state);
    shmem_uint64_atomic_xor(&table[r % ENTRIES], r, (int)((r >> 32) % (uint64_t)n_pes));
  }
}

static void by_hand(long updates) {
  shmem_ctx_t ctx;
  if (shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx) != 0) shmem_global_exit(1);
  uint64_t state = seed_of(me);
  for (long i = 0; i < updates; i++) {
    const uint64_t r = next_random(&state);
    shmem_ctx_uint64_atomic_xor(ctx, &table[r % ENTRIES], r, (int)((r >> 32) % (uint64_t)n_pes));
  }
  shmem_ctx_quiet(ctx);
  shmem_ctx_destroy(ctx);
}

int main(int argc, char** argv) {
  long size;
  const int hand = begin(argc, argv, &size, 1L << 30);
  shmem_barrier_all();
  hand ? by_hand(size) : plain(size);
  shmem_barrier_all();
  uint64_t checksum = 0;
  for (long i = 0; i < ENTRIES; i++) checksum ^= mixed((uint64_t)(me * ENTRIES + i), table[i]);
  return end(checksum);
}
