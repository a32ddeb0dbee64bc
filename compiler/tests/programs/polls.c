/* SPDX-License-Identifier: BSD-3-Clause */
/* Every other PE takes numbers from the next one, deferred, and then raises a flag of its own. The next one
   does nothing but look at that flag, by one of the direct operations that fetch; yet it has to carry out
   what comes to it. Not for the reordering runtime: there is nobody else. */
#include "job.h"

enum { rounds = 16, takes = 50 };

static int64_t global_flag; /* symmetric, but not in the heap */

static void take(shmem_ctx_t ctx, int64_t* counter, int64_t* taken, int pe) {
#pragma shmem defer strict
  for (int64_t i = 0; i < takes; i++) {
    const int64_t number = shmem_ctx_int64_atomic_fetch_inc(ctx, counter, pe);
    taken[number % takes] += number + i;
  }
}

static int64_t look(shmem_ctx_t ctx, int64_t* flag, int pe, int64_t round) {
  int64_t seen = 0;
  switch (round % 8) {
    case 0:
      return shmem_int64_g(flag, pe);
    case 1:
      return shmem_int64_atomic_fetch(flag, pe);
    case 2:
      return shmem_ctx_int64_g(ctx, flag, pe);
    case 3:
      shmem_int64_get(&seen, flag, 1, pe);
      return seen;
    case 4:
      shmem_getmem(&seen, flag, sizeof seen, pe);
      return seen;
    case 5:
      return shmem_int64_atomic_fetch_add(flag, 0, pe);
    case 6:
      return shmem_int64_atomic_compare_swap(flag, -1, -1, pe);
    default:
      shmem_int64_iget(&seen, flag, 1, 1, 1, pe);
      return seen;
  }
}

int main(void) {
  shmem_ctx_t ctx = start();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  int64_t *counter = symmetric(1), *heap_flag = symmetric(1), *taken = symmetric(takes);
  shmem_barrier_all();
  for (int64_t round = 0; round < rounds; ++round) {
    int64_t* flag = round % 16 < 8 ? heap_flag : &global_flag;
    if (me % 2 == 0) {
      take(ctx, counter, taken, me + 1 < npes ? me + 1 : me);
      shmem_int64_atomic_set(flag, round + 1, me);
    } else
      while (look(ctx, flag, me - 1, round) <= round) {
      }
    shmem_barrier_all();
  }
  int64_t sum = 0;
  for (int64_t i = 0; i < takes; ++i) sum = sum * 3 + taken[i];
  if (me == 0) printf("%ld\n", (long)(sum % 1000003));
  shmem_barrier_all();
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
