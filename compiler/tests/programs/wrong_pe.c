/* SPDX-License-Identifier: BSD-3-Clause */
/* ends: PE 1000 does not exist */
/* What the program has printed in front of the wrong call is printed, and in front of what is said of it. */
#include "job.h"

enum { n = 16, last = 11 };

static void print(shmem_ctx_t ctx, const int64_t* values, const int64_t* where, int pe) {
#pragma shmem defer
  for (int i = 0; i < n; i++) {
    const int64_t at = shmem_ctx_int64_g(ctx, &where[i], 0);
    printf("%d %lld\n", i, (long long)shmem_ctx_int64_g(ctx, &values[at], i < last ? pe : 1000));
  }
  shmem_ctx_quiet(ctx);
}

int main(void) {
  shmem_ctx_t ctx = start();
  int64_t *values = symmetric(n), *where = symmetric(n);
  FOR_MY_PES(me)
  for (int i = 0; i < n; i++) {
    PART(values, me)[i] = (int64_t)(mixed((uint64_t)i, 3) % 1000);
    PART(where, me)[i] = (i * 7 + 3) % n;
  }
  shmem_barrier_all();
  FOR_MY_PES(me)
  if (me == 0) {
    print(ctx, values, where, shmem_n_pes() - 1);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
