/* SPDX-License-Identifier: BSD-3-Clause */
/* A function with a directive has several versions, and takes no more than one's share of the stack: with a
   large array, in deep recursion, and where it hands on arguments whose number is not known. */
#include <stdarg.h>

#include "job.h"

enum { large = 600000, depth = 1500 };

struct sums {
  int64_t of[5];
};

static int64_t with_large_array(shmem_ctx_t ctx, const int64_t* values, int pe) {
  int64_t found[large]; /* more than half of the 8 MB that a stack usually has */
  for (int64_t i = 0; i < large; i++) found[i] = i;
#pragma shmem defer strict
  for (int64_t i = 0; i < 1000; i++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &values[i % 64], pe);
    found[v * 599 + i] += v;
  }
  int64_t sum = 0;
  for (int64_t i = 0; i < large; i++) sum = sum * 31 + found[i];
  return sum;
}

static int64_t in_recursion(shmem_ctx_t ctx, const int64_t* values, int pe, int64_t level) {
  int64_t found[350] = {level};
#pragma shmem defer strict
  for (int64_t i = 0; i < 3; i++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &values[(level + i) % 64], pe);
    found[v % 350] += v;
  }
  if (level == depth) return found[7];
  return found[level % 350] + 3 * in_recursion(ctx, values, pe, level + 1) + found[11];
}

static struct sums of_some(shmem_ctx_t ctx, const int64_t* values, int pe, int n, ...) {
  struct sums sums = {{0}};
  va_list numbers;
  va_start(numbers, n);
  for (int k = 0; k < n; k++) {
    const int64_t by = va_arg(numbers, int64_t);
#pragma shmem defer strict
    for (int64_t i = 0; i < 10; i++) {
      const int64_t v = shmem_ctx_int64_g(ctx, &values[i * by % 64], pe);
      sums.of[i % 5] += v * by;
    }
    sums.of[0] += (int64_t)va_arg(numbers, double);
  }
  va_end(numbers);
  return sums;
}

int main(void) {
  shmem_ctx_t ctx = start();
  int64_t* values = symmetric(64);
  FOR_MY_PES(me)
  for (int64_t i = 0; i < 64; i++) PART(values, me)[i] = (int64_t)(mixed((uint64_t)i, 7) % 1000);
  shmem_barrier_all();
  FOR_MY_PES(me) {
    const int pe = (me + 1) % shmem_n_pes();
    const int64_t array = with_large_array(ctx, values, pe);
    const int64_t recursion = in_recursion(ctx, values, pe, 0);
    const struct sums some = of_some(ctx, values, pe, 3, (int64_t)3, 2.5, (int64_t)5, 7.5, (int64_t)11, 1.5);
    if (me == 0)
      printf("%lld %lld %lld %lld\n", (long long)array, (long long)recursion, (long long)some.of[0],
             (long long)some.of[4]);
  }
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
