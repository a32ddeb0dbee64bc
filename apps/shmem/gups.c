// SPDX-License-Identifier: BSD-3-Clause
// Random updates of a distributed table (GUPS): XOR with atomics, so that doing all updates twice restores
// the table. With --aggregate on an aggregation context, where the library has them.   gups [--aggregate]
// [UPDATES_PER_PE]
#include <shmem.h>
#include <shmemx.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { log_table = 16 };

static uint64_t table[1 << log_table];

static uint64_t next(uint64_t x) {
  x ^= x << 13;
  x ^= x >> 7;
  return x ^ x << 17;
}

static void update(shmem_ctx_t ctx, long updates) {
  const uint64_t pes = (uint64_t)shmem_n_pes();
  uint64_t x = 88172645463325252u + 7919 * (uint64_t)shmem_my_pe();
  for (long i = 0; i < updates; ++i) {
    x = next(x);
    shmem_ctx_uint64_atomic_xor(ctx, &table[x >> 20 & ((1 << log_table) - 1)], x, (int)(x % pes));
  }
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long count_changed(uint64_t base) {
  long changed = 0;
  for (uint64_t i = 0; i < 1 << log_table; ++i) changed += table[i] != base + i;
  return changed;
}

static shmem_ctx_t make_context(int aggregate) {
  shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
#ifdef SHMEMX_CTX_AGGREGATE
  if (aggregate && shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx) != 0) {
    fprintf(stderr, "gups: no aggregated context\n");
    shmem_global_exit(1);
  }
#else
  (void)aggregate;
#endif
  return ctx;
}

int main(int argc, char** argv) {
  const int aggregate = argc > 1 && strcmp(argv[1], "--aggregate") == 0;
  const long updates = argc > 1 + aggregate ? atol(argv[1 + aggregate]) : 200000;
  shmem_init();
  const uint64_t base = (uint64_t)shmem_my_pe() << 40;
  for (uint64_t i = 0; i < 1 << log_table; ++i) table[i] = base + i;
  shmem_ctx_t ctx = make_context(aggregate);
  shmem_barrier_all();
  const double begin = now();
  update(ctx, updates);
  const double seconds = now() - begin;
  static long changed, all_changed;
  changed = count_changed(base);
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all_changed, &changed, 1);
  update(ctx, updates);
  const long left = count_changed(base);
  if ((updates > 0 && all_changed == 0) || left != 0) {
    fprintf(stderr, "gups: PE %d has %ld of %ld words changed after undoing\n", shmem_my_pe(), left, changed);
    shmem_global_exit(1);
  }
  if (shmem_my_pe() == 0)
    printf("gups%s: %.4f billion updates per second\n", aggregate ? " --aggregate" : "",
           1e-9 * (double)updates * shmem_n_pes() / seconds);
  shmem_barrier_all();
  if (ctx != SHMEM_CTX_DEFAULT) shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
