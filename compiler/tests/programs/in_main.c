/* SPDX-License-Identifier: BSD-3-Clause */
/* The directive in the function that calls shmem_init, which runs before the library knows anything. */
#include "job.h"

int main(void) {
  shmem_ctx_t ctx = start();
  const int npes = shmem_n_pes();
  int64_t *values = symmetric(64), found[100];
  FOR_MY_PES(me)
  for (int64_t i = 0; i < 64; i++) PART(values, me)[i] = (int64_t)(mixed((uint64_t)i, 5) % 1000);
  shmem_barrier_all();
  FOR_MY_PES(me) {
#pragma shmem defer strict
    for (int64_t i = 0; i < 100; i++)
      found[i] = shmem_ctx_int64_g(ctx, &values[i * 7 % 64], (int)((me + i) % npes));
    shmem_ctx_quiet(ctx);
    int64_t sum = 0;
    for (int64_t i = 0; i < 100; i++) sum = sum * 31 + found[i];
    if (me == 0) printf("%lld\n", (long long)sum);
  }
  shmem_finalize();
  return 0;
}
