/* SPDX-License-Identifier: BSD-3-Clause */
/* The directive: a plain loop that fetches a value and uses it at once. `windrow cc -fdefer` makes the
   fetches travel in bulk; any other compiler ignores the directive, and the program does the same, more
   slowly. */
#include <inttypes.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>

enum { buckets = 100, items = 10000 };

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  const size_t room = (size_t)npes * items;
  int64_t* next = shmem_calloc(buckets, sizeof *next); /* bucket b is on PE b % npes */
  int64_t* bucket = shmem_calloc(buckets * room, sizeof *bucket);
  shmem_ctx_t ctx;
  shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx);

  /* Take the next place of the bucket, then put the item there. */
#pragma shmem defer
  for (int64_t k = 0; k < items; k++) {
    const int64_t item = (int64_t)me * items + k, b = item * item % buckets;
    const int64_t place = shmem_ctx_int64_atomic_fetch_inc(ctx, &next[b], (int)(b % npes));
    shmem_ctx_int64_p(ctx, &bucket[(size_t)b * room + (size_t)place], item, (int)(b % npes));
  }
  shmem_ctx_quiet(ctx); /* what this PE has issued, deferred code too, has happened */
  shmem_barrier_all();  /* what the others have, too */

  /* Each PE looks at its own buckets. */
  long right = 0;
  for (int64_t b = me; b < buckets; b += npes)
    for (int64_t k = 0; k < next[b]; k++) {
      const int64_t item = bucket[(size_t)b * room + (size_t)k];
      right += item * item % buckets == b;
    }
  static long mine, all;
  mine = right;
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
  if (me == 0) printf("%ld of %zu items are in buckets\n", all, room);
  const int wrong = all != (long)room;
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return wrong;
}
