/* SPDX-License-Identifier: BSD-3-Clause */
/* Directives in functions that do not return: a loop without end, one with nothing but the end behind it, and
   a main function that ends by one. */
#include "job.h"

enum { places = 64 };

static int64_t ends[4];

static _Noreturn void finish(int64_t result) {
  if (shmem_my_pe() == 0) printf("%lld\n", (long long)result);
  shmem_finalize();
  exit(0);
}

/* Behind the statement there is nothing but the end. */
static _Noreturn void end(shmem_ctx_t ctx, const int64_t* values) {
#pragma shmem defer strict
  {
    const int64_t v = shmem_ctx_int64_g(ctx, &values[5], 0);
    ends[v & 3]++;
  }
  finish(ends[0] + 2 * ends[1] + 3 * ends[2] + 4 * ends[3]);
}

static _Noreturn void serve(shmem_ctx_t ctx, const int64_t* values, const int64_t* last, int64_t* seen) {
  for (int64_t round = 0;; round++) {
    FOR_MY_PES(me) {
      int64_t odd = 0;
#pragma shmem defer strict
      for (int64_t i = 0; i < places; i++) {
        const int64_t v = shmem_ctx_int64_g(ctx, &values[(i + round) % places], (me + 1) % shmem_n_pes());
        if (v & 1)
          odd += v + i;
        else
          seen[v]++;
      }
      seen[round] += odd;
    }
    if (round + last[0] > 20) {
      int64_t sum = (int64_t)round;
      for (int64_t i = 0; i < 1000; i++) sum = sum * 31 + seen[i];
      if (shmem_my_pe() == 0) printf("%lld\n", (long long)sum);
      end(ctx, values);
    }
  }
}

int main(void) {
  shmem_ctx_t ctx = start();
  int64_t *values = symmetric(places), seen[1000] = {0}, last[2] = {0};
  FOR_MY_PES(me)
  for (int64_t i = 0; i < places; i++) PART(values, me)[i] = (int64_t)(mixed((uint64_t)i, 9) % 1000);
  shmem_barrier_all();
  FOR_MY_PES(me) {
    for (int k = 0; k < 2; k++) last[k] = 0;
#pragma shmem defer strict
    for (int64_t i = 0; i < places; i++) {
      const int64_t v = shmem_ctx_int64_g(ctx, &values[i], (me + 1) % shmem_n_pes());
      if (v % 3 == 1) last[v & 1] = v % 7 + i % 3;
    }
  }
  if (shmem_my_pe() == 0) printf("%lld %lld\n", (long long)last[0], (long long)last[1]);
  serve(ctx, values, last, seen);
}
