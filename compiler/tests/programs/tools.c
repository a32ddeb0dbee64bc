/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool has defined a routine (profiling interface), and sees each call of the program: the function runs as
   it is written. Here the tool is the same file, which the compiler does not know. */
#include "job.h"

enum { n = 40 };
static int64_t calls;

__attribute__((used)) static int64_t counted_g(shmem_ctx_t ctx, const int64_t* source,
                                               int pe) __asm__("counted_g");
static int64_t counted_g(shmem_ctx_t ctx, const int64_t* source, int pe) {
#ifdef REORDER
  return shmem_ctx_int64_g(ctx, source, pe);
#else
  calls++;
  return pshmem_ctx_int64_g(ctx, source, pe);
#endif
}
#ifndef REORDER
__asm__(".globl shmem_ctx_int64_g\n.set shmem_ctx_int64_g, counted_g");
#endif

static int64_t sum(shmem_ctx_t ctx, const int64_t* values, int pe) {
  int64_t found[n], all = 0;
#pragma shmem defer
  for (int i = 0; i < n; i++) found[i] = shmem_ctx_int64_g(ctx, &values[i], pe) * 100 + calls;
  for (int i = 0; i < n; i++) all = all * 31 + found[i] % 1000;
  return all;
}

int main(void) {
  shmem_ctx_t ctx = start();
  int64_t* values = symmetric(n);
  FOR_MY_PES(me)
  for (int i = 0; i < n; i++) PART(values, me)[i] = (int64_t)(mixed((uint64_t)i, 3) % 1000);
  shmem_barrier_all();
  FOR_MY_PES(me) {
    calls = 0;
    const int64_t all = sum(ctx, values, (me + 1) % shmem_n_pes());
    if (me == 0) printf("%lld %lld\n", (long long)all, (long long)calls);
  }
  shmem_finalize();
  return 0;
}
