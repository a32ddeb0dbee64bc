/* SPDX-License-Identifier: BSD-3-Clause */
/* Places that do not go on from round to round by the same: what the first rounds do says nothing of the
 * later ones, of which there are more than the compiler looks at. */
#include "job.h"

enum { entries = 256, few = 8, many = 1500 };

static int64_t out[entries];
static shmem_ctx_t ctx;
static int64_t* a;
static int me;

#define CASE(name) static void name(void)
#define FETCH(at) shmem_ctx_int64_g(ctx, &a[at], me)
#define ONE_LOOP(name, from, to)                            \
  CASE(name) {                                              \
    _Pragma("shmem defer") for (int i = 0; i < many; i++) { \
      const int64_t found = FETCH(from);                    \
      a[to] = (found * 3 + i) & 0xffffff;                   \
    }                                                       \
  }
#define TWO_LOOPS(name, from, to)                                                      \
  CASE(name) {                                                                         \
    _Pragma("shmem defer") for (int i = 0; i < 40; i++) for (int j = 0; j < 40; j++) { \
      const int64_t found = FETCH(from);                                               \
      a[to] = (found * 3 + i) & 0xffffff;                                              \
    }                                                                                  \
  }
/* Each round fetches many, and stores one that a later round fetches. */
#define OWN_LOOP(name, rounds, from, to)                        \
  CASE(name) {                                                  \
    _Pragma("shmem defer") for (int i = 0; i < few; i++) {      \
      for (int j = 0; j < (rounds); j++) out[j] += FETCH(from); \
      a[to] = (out[(rounds) - 1] + i) & 0xffffff;               \
    }                                                           \
  }

ONE_LOOP(change_roles, i < 600 ? 3 : 4, i < 600 ? 4 : 3)
ONE_LOOP(come_down, i / 6, i < 700 ? 250 : (many - i) / 6)
ONE_LOOP(go_on_later, i < 700 ? 0 : i < 900 ? i - 700 : 200, 100)
ONE_LOOP(once, i == 777 ? 9 : 0, 9)
ONE_LOOP(halves, i / 8, i < 1000 ? 200 : 130)
TWO_LOOPS(corners, i > 30 && j > 30 ? 5 : 3, i < 25 || j < 26 ? 7 : 5)
TWO_LOOPS(products, i* j / 12, 125)
OWN_LOOP(around, 60, (j + 40) % 64, 10)
OWN_LOOP(in_pieces, 30, j < 20 ? j : 100 - j, 75)
OWN_LOOP(more_in_one_round, i == 4 ? 60 : 4, j, 50)

CASE(powers) {
#pragma shmem defer
  for (int i = 0; i < few; i++) {
    int64_t sum = 0;
    for (int j = 1; j < 200; j *= 2) sum += FETCH(j);
    a[128] = sum + i;
  }
}
CASE(triangle) {
#pragma shmem defer
  for (int i = 0; i < few; i++) {
    int k = 0;
    for (int j = 0; j < 22; j++) {
      out[j] += FETCH(k);
      k += j;
    }
    a[210] = out[21] + i;
  }
}
CASE(over_in_between) { /* the condition would hold again */
#pragma shmem defer
  for (int i = 0; i < few; i++) {
    int64_t k = i;
    for (int j = 0; (0xffdf >> j) & 1; j++) k++;
    const int64_t found = FETCH(k);
    a[6 + i] = found + i;
  }
}
CASE(packed) { /* this one need not wait, however long it goes on */
  int64_t k = 0;
#pragma shmem defer
  for (int64_t i = 1; i < entries; i++) {
    a[k] = FETCH(i) + 1;
    if (mixed((uint64_t)i, 9) & 1) k++;
  }
}

int main(void) {
  void (*const all[])(void) = {change_roles, come_down, go_on_later,     once,      halves,
                               corners,      products,  around,          in_pieces, more_in_one_round,
                               powers,       triangle,  over_in_between, packed};
  ctx = start();
  a = symmetric(entries);
  me = shmem_my_pe();
  for (size_t at = 0; at < sizeof all / sizeof *all; at++) {
    for (int i = 0; i < entries; i++) a[i] = 5 * i + 3, out[i] = 0;
    all[at]();
    shmem_ctx_quiet(ctx);
    uint64_t sum = 0;
    for (int i = 0; i < entries; i++) sum = mixed(mixed(sum, (uint64_t)a[i]), (uint64_t)out[i]);
    if (me == 0) printf("%zu: %016lx\n", at, (unsigned long)sum);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
