/* SPDX-License-Identifier: BSD-3-Clause */
/* Places that a statement counts itself: a later round fetches what an earlier one has stored, and the
 * counter tells so only to those who follow it. */
#include <string.h>

#include "job.h"

enum { entries = 256 };

#define CASE(name) static void name(shmem_ctx_t ctx, int64_t* a, int64_t n, int me)

/* ---- limits above the range of signed numbers */

CASE(limit_of_32_bits) {
#pragma shmem defer
  for (uint32_t i = 0; i < UINT32_MAX; i++) {
    a[i + 1] = shmem_ctx_int64_g(ctx, &a[i], me) + 1;
    if (i + 2 == (uint32_t)n) break;
  }
}
CASE(limit_of_64_bits) {
#pragma shmem defer
  for (uint64_t i = 0; UINT64_MAX > i; i++) {
    a[i + 1] = shmem_ctx_int64_g(ctx, &a[i], me) + 1;
    if (i + 2 == (uint64_t)n) break;
  }
}
CASE(limit_in_a_variable) {
  const uint32_t limit = 0xfffffff0u;
#pragma shmem defer
  for (uint32_t i = 0; i <= limit; i++) {
    a[(i * 3 + 3) % entries] = shmem_ctx_int64_g(ctx, &a[i * 3 % entries], me) + 1;
    if (i == 80) break;
  }
}
CASE(narrow_limit) {
  const uint8_t limit = 200;
#pragma shmem defer
  for (uint8_t i = 0; i < limit; i++) a[i + 1] = shmem_ctx_int64_g(ctx, &a[i], me) + 1;
}
CASE(chosen_by_a_limit) {
#pragma shmem defer
  for (uint32_t i = 0; i < 100; i++) a[i < 0x80000000u ? i + 1 : 200] = shmem_ctx_int64_g(ctx, &a[i], me) + 1;
}

typedef void (*test)(shmem_ctx_t, int64_t*, int64_t, int);
static const test all[] = {limit_of_32_bits, limit_of_64_bits, limit_in_a_variable, narrow_limit,
                           chosen_by_a_limit};

int main(void) {
  const shmem_ctx_t ctx = start();
  int64_t* const a = symmetric(entries);
  const int me = shmem_my_pe();
  for (int at = 0; at < (int)(sizeof all / sizeof *all); at++) {
    for (int i = 0; i < entries; i++) a[i] = 5 * i + 3;
    all[at](ctx, a, entries, me);
    shmem_ctx_quiet(ctx);
    uint64_t sum = 0;
    for (int i = 0; i < entries; i++) sum = mixed(sum, (uint64_t)a[i]);
    if (me == 0) printf("%d: %016lx\n", at, (unsigned long)sum);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
