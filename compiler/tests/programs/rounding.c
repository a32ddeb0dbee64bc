/* SPDX-License-Identifier: BSD-3-Clause */
/* How numbers are rounded changes in each round, and behind the statement before it is complete; what has
   happened to them is asked there. Dependent code computes as it does where it stands. */
#include <fenv.h>
#include <string.h>

#include "job.h"

#pragma STDC FENV_ACCESS ON

#ifdef __has_builtin
#if __has_builtin(__builtin_set_flt_rounds)
#define ROUND_UP() __builtin_set_flt_rounds(2)
#define ROUND_DOWN() __builtin_set_flt_rounds(3)
#define ROUND_TO_NEAREST() __builtin_set_flt_rounds(1)
#endif
#endif
#ifndef ROUND_UP
#define ROUND_UP() fesetround(FE_UPWARD)
#define ROUND_DOWN() fesetround(FE_DOWNWARD)
#define ROUND_TO_NEAREST() fesetround(FE_TONEAREST)
#endif

enum { n = 16 };
static double found[n];

static uint64_t sum_of_found(void) {
  uint64_t bits[n], sum = 0;
  memcpy(bits, found, sizeof bits);
  for (int i = 0; i < n; i++) sum = sum * 3 + bits[i];
  return sum;
}

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static uint64_t in_each_round(shmem_ctx_t ctx, const int64_t* values, int pe) {
#pragma shmem defer
  for (int i = 0; i < n; i += 2) {
    if (i & 2)
      ROUND_UP();
    else
      ROUND_DOWN();
    for (int j = 0; j < 2; j++) found[i + j] = (double)shmem_ctx_int64_g(ctx, &values[i + j], pe) / 3.0;
  }
  shmem_ctx_quiet(ctx);
  ROUND_TO_NEAREST();
  return sum_of_found();
}

static uint64_t behind_it(shmem_ctx_t ctx, const int64_t* values, int pe) {
  double sum = 0;
  ROUND_UP();
#pragma shmem defer
  for (int i = 0; i < n; i++) sum += (double)shmem_ctx_int64_g(ctx, &values[i], pe) / 3.0;
  ROUND_DOWN();
  shmem_ctx_quiet(ctx);
  ROUND_TO_NEAREST();
  return bits_of(sum);
}

/* No loop in which the round could end. */
static uint64_t between(shmem_ctx_t ctx, const int64_t* values, int pe) {
#pragma shmem defer
  for (int i = 0; i < n; i++) {
    const double value = (double)shmem_ctx_int64_g(ctx, &values[i], pe);
    fesetround(FE_UPWARD);
    found[i] = value / 3.0;
    fesetround(FE_DOWNWARD);
  }
  shmem_ctx_quiet(ctx);
  ROUND_TO_NEAREST();
  return sum_of_found();
}

static int is_inexact(shmem_ctx_t ctx, const int64_t* values, int pe) {
  feclearexcept(FE_ALL_EXCEPT);
#pragma shmem defer
  for (int i = 0; i < n; i++) found[i] = (double)shmem_ctx_int64_g(ctx, &values[i], pe) / 3.0;
  const int result = fetestexcept(FE_INEXACT) != 0;
  shmem_ctx_quiet(ctx);
  return result;
}

int main(void) {
  shmem_ctx_t ctx = start();
  int64_t* values = symmetric(n);
  FOR_MY_PES(me)
  for (int i = 0; i < n; i++) PART(values, me)[i] = (int64_t)(mixed((uint64_t)i, 3) % 1000);
  shmem_barrier_all();
  FOR_MY_PES(me) {
    const int pe = (me + 1) % shmem_n_pes();
    const uint64_t one = in_each_round(ctx, values, pe), two = behind_it(ctx, values, pe),
                   three = between(ctx, values, pe);
    const int inexact = is_inexact(ctx, values, pe);
    if (me == 0)
      printf("%llx %llx %llx %d\n", (unsigned long long)one, (unsigned long long)two,
             (unsigned long long)three, inexact);
  }
  shmem_finalize();
  return 0;
}
