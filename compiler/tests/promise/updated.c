/* SPDX-License-Identifier: BSD-3-Clause */
/* The same by an update, on whichever PE. */
// says: code at .*updated.c:12 that does not wait for a fetch writes what the fetch at .*updated.c:11 reads
#include "../programs/job.h"

static int64_t run(shmem_ctx_t ctx, const int64_t* fetched, int64_t* updated) {
  const int pe = shmem_n_pes() - 1;
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < 50; ++i) {
    sum += shmem_ctx_int64_g(ctx, &fetched[i * 7 % 50], pe);
    shmem_ctx_int64_p(ctx, &updated[i], i, pe);
  }
  return sum;
}

int main(void) {
  shmem_ctx_t ctx = start();
  int64_t* table = symmetric(50);
  shmem_barrier_all();
  printf("%lld\n", (long long)run(ctx, table, table));
  shmem_finalize();
  return 0;
}
