/* SPDX-License-Identifier: BSD-3-Clause */
/* What is fetched, on this PE, is written through another pointer before the fetch may have read it. */
// says: code at .*written.c:12 that does not wait for a fetch writes what the fetch at .*written.c:11 reads
#include "../programs/job.h"

static int64_t run(shmem_ctx_t ctx, const int64_t* fetched, int64_t* written, int me) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < 50; ++i) {
    const int64_t from = i * 7 % 50;
    sum += shmem_ctx_int64_g(ctx, &fetched[from], me);
    written[i] = i;
  }
  return sum;
}

int main(void) {
  shmem_ctx_t ctx = start();
  int64_t* table = symmetric(50);
  shmem_barrier_all();
  printf("%lld\n", (long long)run(ctx, table, table, shmem_my_pe()));
  shmem_finalize();
  return 0;
}
