/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/kernels/annotated.h"

static const uint64_t no_kmer = UINT64_MAX;

/* One look for each k-mer: in a free slot, or its own, it is counted; of the others `before` tells who is
 * there. */
static void look(shmem_ctx_t ctx, const struct annotated_table* table, const uint64_t* kmer,
                 const uint64_t* slot, uint64_t* before, size_t n) {
  const uint64_t block = table->block;
  uint64_t *keys = table->keys, *counts = table->counts;
#pragma shmem defer
  for (size_t i = 0; i < n; i++) {
    const uint64_t k = kmer[i], at = slot[i] % block;
    const int pe = (int)(slot[i] / block);
    const uint64_t found = shmem_ctx_uint64_atomic_compare_swap(ctx, &keys[at], no_kmer, k, pe);
    if (found == no_kmer || found == k) shmem_ctx_uint64_atomic_inc(ctx, &counts[at], pe);
    before[i] = found;
  }
  shmem_ctx_quiet(ctx);
}

void kmers_loop(shmem_ctx_t ctx, const struct annotated_table* table, uint64_t* kmer, uint64_t* slot,
                uint64_t* before, size_t n) {
  while (n > 0) {
    look(ctx, table, kmer, slot, before, n);
    size_t left = 0;
    for (size_t i = 0; i < n; i++) {
      if (before[i] == no_kmer || before[i] == kmer[i]) continue;
      kmer[left] = kmer[i];
      slot[left++] = slot[i] + 1 == table->slots ? 0 : slot[i] + 1;
    }
    n = left;
  }
}
