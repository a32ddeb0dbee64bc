/* SPDX-License-Identifier: BSD-3-Clause */
/* y = A x, three times, x having become y: SIZE rows a PE with ten entries each, at random places of x. The
 * core of iterative solvers such as conjugate gradients. */
#include <shmemx.h>

#include "suite.h"

enum { MOST = 1 << 14, ENTRIES = 10, STEPS = 3 };
static double x[MOST], y[MOST];
static long column[MOST * ENTRIES];
static double value[MOST * ENTRIES];

static __attribute__((noinline)) void plain(long rows) {
  for (long r = 0; r < rows; r++) {
    double sum = 0;
    for (long e = r * ENTRIES; e < (r + 1) * ENTRIES; e++)
      sum += value[e] * shmem_double_g(&x[column[e] % rows], (int)(column[e] / rows));
    y[r] = sum;
  }
}

static void by_hand(long rows, shmem_ctx_t ctx) {
  static double fetched[MOST * ENTRIES];
  for (long e = 0; e < rows * ENTRIES; e++)
    shmem_ctx_double_get_nbi(ctx, &fetched[e], &x[column[e] % rows], 1, (int)(column[e] / rows));
  shmem_ctx_quiet(ctx);
  for (long r = 0; r < rows; r++) {
    double sum = 0;
    for (long e = r * ENTRIES; e < (r + 1) * ENTRIES; e++) sum += value[e] * fetched[e];
    y[r] = sum;
  }
}

int main(int argc, char** argv) {
  long size;
  const int hand = begin(argc, argv, &size, MOST);
  shmem_ctx_t ctx;
  if (shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx) != 0) shmem_global_exit(1);
  uint64_t state = seed_of(me), checksum = 0;
  for (long e = 0; e < size * ENTRIES; e++) {
    column[e] = (long)(next_random(&state) % (uint64_t)(size * n_pes));
    value[e] = (double)(next_random(&state) % 1000) / 1000;
  }
  for (long r = 0; r < size; r++) x[r] = 1 + (double)(next_random(&state) % 1000) / 1000;
  shmem_barrier_all();
  for (int step = 0; step < STEPS; step++) {
    hand ? by_hand(size, ctx) : plain(size);
    shmem_barrier_all();
    for (long r = 0; r < size; r++) x[r] = y[r] / ENTRIES;
    shmem_barrier_all();
  }
  for (long r = 0; r < size; r++) {
    uint64_t bits;
    memcpy(&bits, &x[r], sizeof bits);
    checksum ^= mixed((uint64_t)(me * size + r), bits);
  }
  shmem_ctx_destroy(ctx);
  return end(checksum);
}
