/* SPDX-License-Identifier: BSD-3-Clause */
/* One loop for each construct of docs/defer-costs.md, for constructs.py: constructs [NAME ROUNDS]. Prints
 * what is left in memory. */
#include <shmem.h>
#include <shmemx.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef BLOCKING
#define DEFER
#else
#define DEFER _Pragma("shmem defer")
#endif
#define LOOP(name) __attribute__((noinline)) static void name(shmem_ctx_t ctx, int64_t* s, int64_t n)
#define G(k) shmem_ctx_int64_g(ctx, &s[(k) & (cells - 1)], 0)

enum { cells = 1024 };
static int64_t out[cells], at[cells], seen;

__attribute__((noinline)) static void note(int64_t x) {
  seen = seen * 3 + x;
}

// clang-format off
LOOP(one_fetch) { DEFER for (int64_t i = 0; i < n; i++) out[i & 1023] += G(at[i & 1023]); }
LOOP(two_fetches) { DEFER for (int64_t i = 0; i < n; i++) out[i & 1023] += G(at[i & 1023]) * G(i + 7); }
LOOP(five_fetches) { DEFER for (int64_t i = 0; i < n; i++) out[i & 1023] += G(i) * G(i + 7) + G(i * 3) - G(i * 5) * G(i * 11); }
LOOP(sum) { int64_t sum = 0; DEFER for (int64_t i = 0; i < n; i++) sum += G(i * 7); out[0] = sum; }
LOOP(update_of_own) { DEFER for (int64_t i = 0; i < n; i++) if (at[i & 1023] & 1) out[i & 1023] += G(at[i & 1023]); }
LOOP(two_updates_of_own) {
  DEFER for (int64_t i = 0; i < n; i++) {
    if (at[i & 1023] & 1) out[i & 1023] += G(at[i & 1023]);
    if (at[i & 1023] & 2) out[i & 1023] ^= G(i + 9);
  }
}
LOOP(value) {
  DEFER for (int64_t i = 0; i < n; i++) {
    int64_t v = i;
    if (at[i & 1023] & 1) v = G(at[i & 1023]);
    out[i & 1023] += v * 2;
  }
}
LOOP(two_values) {
  DEFER for (int64_t i = 0; i < n; i++) {
    int64_t v = i, w = i;
    if (at[i & 1023] & 1) v = G(at[i & 1023]);
    if (at[i & 1023] & 2) w += G(i + 5);
    out[i & 1023] += v * 2 + w;
  }
}
LOOP(fetch_beside_value) {
  DEFER for (int64_t i = 0; i < n; i++) {
    int64_t v = G(i), w = 0;
    if (at[i & 1023] & 1) w = G(at[i & 1023]);
    out[i & 1023] += v * 2 + w;
  }
}
LOOP(ternary) { DEFER for (int64_t i = 0; i < n; i++) out[i & 1023] += at[i & 1023] & 1 ? G(at[i & 1023]) : 5; }
LOOP(ternary_of_two) { DEFER for (int64_t i = 0; i < n; i++) out[i & 1023] += at[i & 1023] & 1 ? G(at[i & 1023]) : G(i + 1); }
LOOP(fetch_of_fetched) {
  DEFER for (int64_t i = 0; i < n; i++) {
    const int64_t v = G(i);
    if (v & 1) out[i & 1023] += G(v);
  }
}
LOOP(sum_of_row) {
  DEFER for (int64_t i = 0; i < n; i++) {
    int64_t v = 0;
    for (int64_t j = 0; j < 4; j++) v += G(i * 3 + at[j]);
    out[i & 1023] += v;
  }
}
LOOP(call_between) {
  DEFER for (int64_t i = 0; i < n; i++) {
    const int64_t v = G(i);
    note(i);
    out[i & 1023] += v;
  }
}
LOOP(at_owner) {
  DEFER for (int64_t i = 0; i < n; i++) {
    const int64_t k = shmem_ctx_int64_atomic_fetch_inc(ctx, &s[i & 1023], 0);
    shmem_ctx_int64_p(ctx, &s[(k + i) & 1023], 0, 0);
  }
}
LOOP(exchange) { DEFER for (int64_t i = 0; i < n; i++) out[i & 1023] += shmem_ctx_int64_atomic_compare_swap(ctx, &s[i & 1023], i, 5, 0); }
// clang-format on

#define ENTRY(name) {#name, name}
static const struct {
  const char* name;
  void (*loop)(shmem_ctx_t, int64_t*, int64_t);
} loops[] = {ENTRY(one_fetch),  ENTRY(two_fetches),    ENTRY(five_fetches),
             ENTRY(sum),        ENTRY(update_of_own),  ENTRY(two_updates_of_own),
             ENTRY(value),      ENTRY(two_values),     ENTRY(fetch_beside_value),
             ENTRY(ternary),    ENTRY(ternary_of_two), ENTRY(fetch_of_fetched),
             ENTRY(sum_of_row), ENTRY(call_between),   ENTRY(at_owner),
             ENTRY(exchange)};
enum { count = sizeof loops / sizeof *loops };

int main(int argc, char** argv) {
  if (argc < 3) {
    for (int k = 0; k < count; k++) puts(loops[k].name);
    return 0;
  }
  shmem_init();
  shmem_ctx_t ctx;
  if (shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx) != 0) return 1;
  int64_t* s = (int64_t*)shmem_calloc(cells, sizeof *s);
  for (int64_t i = 0; i < cells; i++)
    s[i] = i * 7 % 1000, at[i] = (int64_t)((uint64_t)i * 2654435761u >> 7 & 1023);
  for (int k = 0; k < count; k++)
    if (strcmp(loops[k].name, argv[1]) == 0) loops[k].loop(ctx, s, atol(argv[2]));
  shmem_ctx_quiet(ctx);
  uint64_t hash = (uint64_t)seen;
  for (int i = 0; i < cells; i++) hash = hash * 31 + (uint64_t)out[i] + (uint64_t)s[i];
  printf("%llx\n", (unsigned long long)hash);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
