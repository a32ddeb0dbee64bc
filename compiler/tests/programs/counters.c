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

/* ---- counters that do not go on by one step in each round */

CASE(runs_through_two_loops) {
  int64_t k = 0;
#pragma shmem defer
  for (int64_t i = 0; i < 15; i++)
    for (int64_t j = 0; j < 15; j++, k++) a[k + 1] = shmem_ctx_int64_g(ctx, &a[k], me) + 1;
}
CASE(runs_through_rows) {
  int64_t length[20], k = 0;
  for (int i = 0; i < 20; i++) length[i] = i * 7 % 12;
#pragma shmem defer
  for (int64_t i = 0; i < 20; i++)
    for (int64_t j = 0; j < length[i]; j++) {
      a[k + 3] = shmem_ctx_int64_g(ctx, &a[k], me) + j;
      k++;
    }
}
CASE(triangle) {
  int64_t* at = a;
#pragma shmem defer
  for (int64_t i = 0; i < 20; i++)
    for (int64_t j = 0; j <= i; j++, at++) at[40] = shmem_ctx_int64_g(ctx, at, me) + 1;
}
CASE(in_both_loops) {
  int64_t k = 0;
#pragma shmem defer
  for (int64_t i = 0; i < 10; i++) {
    for (int64_t j = 0; j < 10; j++) {
      a[k + 2] = shmem_ctx_int64_g(ctx, &a[k], me) + 1;
      k++;
    }
    k += 3;
  }
}
CASE(skips) {
  int64_t k = 0;
#pragma shmem defer
  while (k < n - 1) {
    if (k % 5 == 4) {
      k++;
      continue;
    }
    a[k + 1] = shmem_ctx_int64_g(ctx, &a[k], me) + 1;
    k++;
  }
}
CASE(on_each_way) {
  int64_t k = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n - 1; i++) {
    const int64_t at = k;
    if (i & 1)
      k++;
    else
      k += 1;
    a[at + 1] = shmem_ctx_int64_g(ctx, &a[at], me) + 1;
  }
}
CASE(to_and_fro) {
  int64_t k = 128;
#pragma shmem defer
  for (int64_t i = 0; i < 50; i++) {
    if (i & 1)
      k++;
    else
      k--;
    a[k + 1] = shmem_ctx_int64_g(ctx, &a[k], me) + 1;
  }
}
CASE(on_a_condition) {
  int64_t k = 0;
#pragma shmem defer
  for (int64_t i = 0; i < 100; i++) {
    a[k + 2] = shmem_ctx_int64_g(ctx, &a[k], me) + 1;
    if (mixed((uint64_t)i, 3) & 1) k += 2;
  }
}
CASE(more_on_a_condition) {
#pragma shmem defer
  for (int64_t i = 0; i < n - 2; i++) {
    a[i + 1] = shmem_ctx_int64_g(ctx, &a[i], me) + 1;
    if (i == 100) i++;
  }
}
CASE(stack) {
  int64_t top = 0;
#pragma shmem defer
  for (int64_t i = 0; i < 200; i++) {
    if (mixed((uint64_t)i, 5) % 3)
      top++;
    else if (top > 0)
      top--;
    a[top + 1] = shmem_ctx_int64_g(ctx, &a[top], me) + i;
  }
}
CASE(far_by_conditions) {
  int64_t k = 0;
#pragma shmem defer
  for (int64_t i = 0; i < 250; i++) {
    if (mixed((uint64_t)i, 7) & 3) k++;
    a[k % 128 + 128] = shmem_ctx_int64_g(ctx, &a[(k + 128) % 256], me) + 1;
  }
}
CASE(ring) {
  int64_t k = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t from = k;
    if (++k == 50) k = 0;
    a[k] = shmem_ctx_int64_g(ctx, &a[from], me) + 1;
  }
}
CASE(ring_of_any_length) {
  int64_t k = 0;
#pragma shmem defer
  for (int64_t i = 0; i < 2 * n; i++) {
    const int64_t next = k + 1 < n - 7 ? k + 1 : 0;
    a[next] = shmem_ctx_int64_g(ctx, &a[k], me) + 1;
    k = next;
  }
}
CASE(ring_from_any_place) {
  const unsigned begin = (unsigned)n * 3 / 7;
#pragma shmem defer
  for (unsigned i = 0; i < 300; i++)
    a[(begin + i - 200) & 255] = shmem_ctx_int64_g(ctx, &a[(begin + i) & 255], me) + 1;
}
CASE(narrow_ring) {
  const unsigned begin = (unsigned)n * 3 / 7;
#pragma shmem defer
  for (unsigned i = 0; i < 300; i++)
    a[(uint8_t)(begin + i)] = shmem_ctx_int64_g(ctx, &a[(uint8_t)(begin + i + 56)], me) + 1;
}
CASE(downwards_around) {
  const size_t length = (size_t)n;
#pragma shmem defer
  for (size_t i = length - 1; i < length; i--) a[i] = shmem_ctx_int64_g(ctx, &a[(i + 1) % length], me) + 1;
}

/* ---- counters that are part of something */

struct cursor {
  int64_t* of;
  int64_t at;
};
CASE(member) {
  struct cursor it = {a, 0};
#pragma shmem defer
  for (it.at = 0; it.at < n - 1; it.at++) it.of[it.at + 1] = shmem_ctx_int64_g(ctx, &it.of[it.at], me) + 1;
}
CASE(first_member) {
  struct cursor it = {a, 0};
#pragma shmem defer
  for (; it.of < a + n - 1; it.of++) it.of[1] = shmem_ctx_int64_g(ctx, it.of, me) + 1;
}
CASE(two_elements) {
  int64_t k[2] = {0, 1};
#pragma shmem defer
  for (int64_t i = 0; i < n - 1; i++) {
    a[k[1]] = shmem_ctx_int64_g(ctx, &a[k[0]], me) + 1;
    k[0]++, k[1]++;
  }
}
CASE(copied_structure) {
  struct cursor it = {a, 0};
#pragma shmem defer
  for (int64_t i = 0; i < n - 1; i++) {
    const struct cursor next = {it.of, it.at + 1};
    next.of[next.at] = shmem_ctx_int64_g(ctx, &it.of[it.at], me) + 1;
    it = next;
  }
}
static int64_t shared;
CASE(static_variable) {
  shared = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n - 1; i++) {
    const int64_t k = shared;
    shared = k + 1;
    a[k + 1] = shmem_ctx_int64_g(ctx, &a[k], me) + 1;
  }
}
CASE(members_apart) { /* this one need not wait */
  struct cursor it = {a, 0};
#pragma shmem defer strict
  for (it.at = 0; it.at < n - 4; it.at++) it.of[it.at] = shmem_ctx_int64_g(ctx, &it.of[it.at + 4], me) + 1;
}
CASE(packed) { /* nor this one: it stores where no round comes any more */
  int64_t k = 0;
#pragma shmem defer strict
  for (int64_t i = 1; i < n; i++) {
    a[k] = shmem_ctx_int64_g(ctx, &a[i], me) + 1;
    if (mixed((uint64_t)i, 9) & 1) k++;
  }
}

CASE(given_by_data) { /* nor these: they are the programmer's business */
  int64_t from[100], to[100];
  for (int i = 0; i < 100; i++) from[i] = 128 + i * 7 % 100, to[i] = i * 11 % 100;
#pragma shmem defer strict
  for (int64_t i = 0; i < n - 156; i++) a[to[i]] = shmem_ctx_int64_g(ctx, &a[from[i]], me) + 1;
}

/* ---- statements that are come to again */

CASE(counted_anew) {
  for (int again = 0; again < 3; again++) {
#pragma shmem defer
    for (int i = 0; i < 100; i++) a[2 * i + 1] = shmem_ctx_int64_g(ctx, &a[i], me) + i;
  }
}
CASE(counted_on) {
  int64_t k = 0;
  for (int again = 0; again < 3; again++) {
#pragma shmem defer
    for (int64_t i = 0; i < 60; i++) {
      a[k + 4] = shmem_ctx_int64_g(ctx, &a[k], me) + i;
      k++;
    }
  }
}

typedef void (*test)(shmem_ctx_t, int64_t*, int64_t, int);
static const test all[] = {limit_of_32_bits,
                           limit_of_64_bits,
                           limit_in_a_variable,
                           narrow_limit,
                           chosen_by_a_limit,
                           runs_through_two_loops,
                           runs_through_rows,
                           triangle,
                           in_both_loops,
                           skips,
                           on_each_way,
                           to_and_fro,
                           on_a_condition,
                           more_on_a_condition,
                           stack,
                           far_by_conditions,
                           ring,
                           ring_of_any_length,
                           ring_from_any_place,
                           narrow_ring,
                           downwards_around,
                           member,
                           first_member,
                           two_elements,
                           copied_structure,
                           static_variable,
                           members_apart,
                           packed,
                           given_by_data,
                           counted_anew,
                           counted_on};

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
