/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts numbers into buckets: the owner of a bucket says which place is next, and the number is written
   there. Both are on one PE, so that the whole runs there. */
#include "job.h"

enum { numbers = 4000, buckets = 60 };

static int64_t bucket_of(int64_t number) {
  return (int64_t)(mixed((uint64_t)number, 7) % buckets);
}

/* Where the buckets of PE `me` begin. */
static void fill_begins(int64_t* next, int me, int npes) {
  int64_t at = 0;
  for (int64_t b = me; b < buckets; b += npes) {
    next[b / npes] = at;
    for (int64_t number = 0; number < numbers; number++) at += bucket_of(number) == b;
  }
}

static void sort(shmem_ctx_t ctx, int64_t* next, int64_t* sorted, int64_t* counts, int me, int npes) {
#pragma shmem defer strict
  for (int64_t number = me; number < numbers; number += npes) {
    const int64_t b = bucket_of(number);
    const int pe = (int)(b % npes);
    const int64_t place = shmem_ctx_int64_atomic_fetch_inc(ctx, &next[b / npes], pe);
    shmem_ctx_int64_p(ctx, &sorted[place], number + 1, pe);
    shmem_ctx_int64_atomic_add(ctx, &counts[place & 15], place + number, pe);
  }
  shmem_ctx_quiet(ctx);
}

static int64_t wrong_buckets(const int64_t* sorted, int me, int npes) {
  int64_t wrong = 0, at = 0;
  for (int64_t b = me; b < buckets; b += npes) {
    int64_t sum = 0;
    for (int64_t number = 0; number < numbers; number++)
      if (bucket_of(number) == b) {
        sum += (number + 1) * (number + 2) - sorted[at] * (sorted[at] + 1);
        wrong += sorted[at] == 0;
        at++;
      }
    wrong += sum != 0;
  }
  return wrong;
}

int main(void) {
  shmem_ctx_t ctx = start();
  const int npes = shmem_n_pes();
  int64_t *next = symmetric(buckets), *sorted = symmetric(numbers), *counts = symmetric(16),
          *total = symmetric(2);
  FOR_MY_PES(me) fill_begins(PART(next, me), me, npes);
  shmem_barrier_all();
  FOR_MY_PES(me) sort(ctx, next, sorted, counts, me, npes);
  shmem_barrier_all();
  FOR_MY_PES(me) shmem_ctx_int64_atomic_add(ctx, &total[0], wrong_buckets(PART(sorted, me), me, npes), 0);
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("wrong buckets: %ld\n", (long)total[0]);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
