/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements with labels, which are come to by jumps, too; and computed gotos, with which nothing is
 * deferred, beside a fetch on a condition, which would be tried in several ways. */
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

static int64_t again(shmem_ctx_t ctx, const int64_t* values, int64_t n, int pe) {
  int64_t sum = 0;
#pragma shmem defer
again:
  for (int64_t i = 0; i < n; i++) sum = 3 * sum + shmem_ctx_int64_g(ctx, &values[i], pe);
  if (n-- > 25) goto again;
  shmem_ctx_quiet(ctx);
  return sum;
}

static int64_t in_switch(shmem_ctx_t ctx, const int64_t* values, int which, int pe) {
  int64_t sum = which;
  switch (which) {
    case 0:
      sum = 5;
#pragma shmem defer
    case 1:
    default:
      for (int64_t i = 0; i < 30; i++) sum = 5 * sum + shmem_ctx_int64_g(ctx, &values[i], pe) % 7;
      break;
    case 2:
      sum = 7;
  }
  return sum;
}

int main(void) {
  const shmem_ctx_t ctx = start();
  int64_t* values = symmetric(30);
  FOR_MY_PES(me)
  for (int64_t i = 0; i < 30; i++) PART(values, me)[i] = (int64_t)(mixed((uint64_t)i, 3) % 100);
  shmem_barrier_all();
  FOR_MY_PES(me)
  if (me == 0) {
    printf("%lld %lld\n", (long long)jumps(ctx, values, 0, me), (long long)jumps(ctx, values, 1, me));
    printf("%lld\n", (long long)again(ctx, values, 30, me));
    for (int which = 0; which < 4; which++) printf("%lld\n", (long long)in_switch(ctx, values, which, me));
  }
  shmem_finalize();
  return 0;
}
