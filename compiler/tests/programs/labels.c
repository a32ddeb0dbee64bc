/* SPDX-License-Identifier: BSD-3-Clause */
/* Computed gotos, with which nothing is deferred, beside a fetch on a condition, which would be tried in
 * several ways. */
#include "job.h"

static int64_t jumps(shmem_ctx_t ctx, const int64_t* values, int where, int pe) {
  static const void* const labels[] = {&&whole, &&half};
  int64_t sum = 0, out[30] = {0};
#pragma shmem defer
  for (int64_t i = 0; i < 30; i++) {
    int64_t value = 0;
    if (i & 1) value = shmem_ctx_int64_g(ctx, &values[i], pe);
    out[i] = value;
    sum += value;
  }
  goto* labels[where];
whole:
  return sum;
half:
  return sum / 2 + out[3];
}

int main(void) {
  const shmem_ctx_t ctx = start();
  int64_t* values = symmetric(30);
  FOR_MY_PES(me)
  for (int64_t i = 0; i < 30; i++) PART(values, me)[i] = (int64_t)(mixed((uint64_t)i, 3) % 100);
  shmem_barrier_all();
  FOR_MY_PES(me)
  if (me == 0)
    printf("%lld %lld\n", (long long)jumps(ctx, values, 0, me), (long long)jumps(ctx, values, 1, me));
  shmem_finalize();
  return 0;
}
