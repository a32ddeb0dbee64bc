/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements on several contexts, one behind the other and around loops: one place keeps the order of the
 * program. And a reader that says, on its own context, that it has read. */
#include <string.h>

#include "job.h"

enum { n = 64, rounds = 20 };
static shmem_ctx_t one, other;
static int64_t *cells, *box, *flag; /* symmetric */
static int self, next;
static struct {
  shmem_ctx_t ctx;
} kept;

#define TICKET(ctx, i) shmem_ctx_int64_atomic_fetch_inc(ctx, &cells[(i) % 2], self)

static uint64_t around_a_loop(void) {
  int64_t s = 0, t = 0;
  for (int r = 0; r < rounds; r++) {
#pragma shmem defer
    for (int i = 0; i < 10; i++) s = s * 3 + TICKET(one, i);
#pragma shmem defer
    for (int i = 0; i < 10; i++) t = t * 5 + TICKET(other, i);
  }
  shmem_ctx_quiet(one);
  shmem_ctx_quiet(other);
  return (uint64_t)s ^ (uint64_t)t << 1;
}

static uint64_t in_turn(void) {
  shmem_ctx_t now = one;
  int64_t s = 0;
  for (int r = 0; r < rounds; r++) {
#pragma shmem defer
    for (int i = 0; i < 10; i++) s = s * 3 + TICKET(now, i);
    now = now == one ? other : one;
  }
  shmem_ctx_quiet(one);
  shmem_ctx_quiet(other);
  return (uint64_t)s;
}

static uint64_t kept_in_memory(void) {
  int64_t s = 0, t = 0;
  for (int r = 0; r < rounds; r++) {
    kept.ctx = r & 1 ? one : other;
#pragma shmem defer
    for (int i = 0; i < 10; i++) s = s * 3 + TICKET(kept.ctx, i);
  }
  kept.ctx = one;
#pragma shmem defer
  for (int i = 0; i < 50; i++) s = s * 3 + TICKET(kept.ctx, i);
  kept.ctx = other;
#pragma shmem defer
  for (int i = 0; i < 50; i++) t = t * 5 + TICKET(kept.ctx, i);
  shmem_ctx_quiet(one);
  shmem_ctx_quiet(other);
  return (uint64_t)s ^ (uint64_t)t << 1;
}

/* The owner of what is read writes it anew when the reader has said so. */
static uint64_t read_and_told(void) {
  uint64_t result = 0;
  for (int r = 1; r <= rounds; r++) {
    int64_t sum = 0;
#pragma shmem defer
    for (int i = 0; i < n; i++) sum = sum * 3 + shmem_ctx_int64_g(one, &box[i], next);
    shmem_ctx_int64_p(one, flag, r, next);
    shmem_ctx_quiet(one);
#ifndef REORDER
    shmem_int64_wait_until(flag, SHMEM_CMP_GE, r);
#endif
    FOR_MY_PES(me) for (int i = 0; i < n; i++) PART(box, me)[i] = -r * i;
    shmem_barrier_all();
    result = result * 7 + (uint64_t)sum;
  }
  return result;
}

int main(void) {
  one = start();
  if (shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &other) != 0) return 1;
  cells = symmetric(2);
  box = symmetric(n);
  flag = symmetric(1);
  self = shmem_my_pe();
  next = (self + 1) % shmem_n_pes();
  FOR_MY_PES(me) for (int i = 0; i < n; i++) PART(box, me)[i] = i;
  shmem_barrier_all();
  const uint64_t results[] = {around_a_loop(), in_turn(), kept_in_memory(), read_and_told()};
  if (self == 0)
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
      printf("%llx\n", (unsigned long long)results[i]);
  shmem_barrier_all();
  shmem_ctx_destroy(other);
  shmem_ctx_destroy(one);
  shmem_finalize();
  return 0;
}
