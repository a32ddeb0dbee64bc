/* Fetches of what earlier rounds store in this PE's own memory; and objects that fetches change, which
 * dependent code loads, or fetches from at another level. */
#include <string.h>

#include "job.h"

enum { entries = 256, cases = 29 };

static int64_t out[entries];

#define CASE(name) static void name(shmem_ctx_t ctx, int64_t* a, int64_t n, int me)

/* Too much to be put in place of the calls. */
#define TEN(step) step step step step step step step step step step
__attribute__((noinline)) static void set_sixth(int64_t* at, int64_t x) {
  TEN(TEN(x = x * 3 + (x >> 7);))
  at[6] = x;
}
__attribute__((noinline)) static void set_two(int64_t* at, int64_t x) {
  TEN(TEN(x = x * 3 + (x >> 7);))
  at[0] = x;
  at[6] = x + 1;
}
#undef TEN

CASE(next) {
#pragma shmem defer
  for (int64_t i = 0; i + 1 < n; i++) a[i + 1] = shmem_ctx_int64_g(ctx, &a[i], me) + 1;
}
CASE(far_behind) {
#pragma shmem defer
  for (int64_t i = 0; i + 100 < n; i += 2) a[i + 100] += shmem_ctx_int64_g(ctx, a + i, me);
}
CASE(downwards) {
#pragma shmem defer
  for (int64_t i = n - 2; i >= 0; i--) a[i] = shmem_ctx_int64_g(ctx, &a[i + 1], me) - 7;
}
CASE(rows) {
  int64_t(*rows)[16] = (int64_t(*)[16])a;
#pragma shmem defer
  for (int i = 1; i < 16; i++)
    for (int j = 0; j < 16; j++) rows[i][j] = shmem_ctx_int64_g(ctx, &rows[i - 1][j], me) + j;
}
CASE(rows_of_any_length) {
  const int64_t width = n / 16;
#pragma shmem defer
  for (int i = 1; i < 16; i++)
    for (int64_t j = 1; j < width; j++)
      a[i * width + j] = shmem_ctx_int64_g(ctx, &a[(i - 1) * width + j - 1], me) + j;
}
CASE(row_from_row) {
#pragma shmem defer
  for (int i = 1; i < 16; i++) {
    int64_t sum = 0;
    for (int j = 0; j < 16; j++) sum = sum * 3 + shmem_ctx_int64_g(ctx, &a[(i - 1) * 16 + j], me);
    for (int j = 0; j < 16; j++) a[i * 16 + j] = sum + j;
  }
}
CASE(by_pointer) {
  int64_t* at = a;
#pragma shmem defer
  while (at < a + n - 1) {
    const int64_t found = shmem_ctx_int64_g(ctx, at++, me);
    *at = found + 2;
  }
}
CASE(around) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) a[(i + 1) % n] = shmem_ctx_int64_g(ctx, &a[i % n], me) + 1;
}
CASE(butterfly) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) a[i ^ 1] = shmem_ctx_int64_g(ctx, &a[i], me) * 3 + i;
}
CASE(tree) {
#pragma shmem defer
  for (int64_t i = 0; 2 * i + 1 < n; i++) a[2 * i + 1] = shmem_ctx_int64_g(ctx, &a[i], me) + i;
}
CASE(passes) {
#pragma shmem defer
  for (int pass = 0; pass < 4; pass++)
    for (int64_t i = 0; i + 4 < n; i++) a[i] = shmem_ctx_int64_g(ctx, &a[i + 4], me) * 3;
}
CASE(ahead) { /* this one need not wait */
#pragma shmem defer
  for (int64_t i = 0; i + 4 < n; i++) a[i] = shmem_ctx_int64_g(ctx, &a[i + 4], me) * 3;
}
CASE(loops_of_their_own) { /* which go further than a few rounds */
#pragma shmem defer
  for (int r = 0; r < 3; r++) {
    for (int64_t i = 0; i < n - 40; i++) out[i] += shmem_ctx_int64_g(ctx, &a[i + 40], me);
    for (int64_t i = 0; i < n / 2; i++) a[i] = shmem_ctx_int64_g(ctx, &a[i + n / 2], me) + r;
  }
}
CASE(loops_in_loops_of_their_own) {
#pragma shmem defer
  for (int r = 0; r < 3; r++) {
    for (int64_t i = 0; i < n - 8; i++) out[i] += shmem_ctx_int64_g(ctx, &a[i + 8], me);
    for (int again = 0; again < 2; again++)
      for (int64_t i = 0; i < 31; i++) a[i] = 5 * shmem_ctx_int64_g(ctx, &a[n / 2 + i], me);
  }
}
CASE(triangles) {
#pragma shmem defer
  for (int r = 0; r < 3; r++) {
    for (int j = 0; j < 5; j++)
      for (int i = 0; i < j; i++) out[i] += shmem_ctx_int64_g(ctx, &a[i + 3], me);
    for (int j = 0; j < 5; j++)
      for (int i = 0; i < j; i++) a[i] = 3 * shmem_ctx_int64_g(ctx, &a[i + 64], me);
  }
}
CASE(downwards_in_a_loop_of_its_own) {
#pragma shmem defer
  for (int r = 0; r < 3; r++) {
    out[r] = shmem_ctx_int64_g(ctx, &a[r], me);
    for (int64_t i = 100; i >= 0; i--) a[i] = shmem_ctx_int64_g(ctx, &a[i + 128], me) * 7;
  }
}
CASE(halves) { /* these need not wait */
#pragma shmem defer
  for (int r = 0; r < 3; r++)
    for (int j = 0; j < 2; j++) {
      for (int i = 0; i < entries / 2; i++) out[i] += shmem_ctx_int64_g(ctx, &a[i + entries / 2], me);
      for (int i = 0; i < entries / 2; i++) a[i] = shmem_ctx_int64_g(ctx, &a[i + entries / 2], me) + j;
    }
}

CASE(loads_what_fetches_change) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t found = shmem_ctx_int64_atomic_fetch_inc(ctx, &a[i % 8], me);
    out[i] = found + a[(found + 1) % 8];
  }
}
CASE(stores_what_fetches_change) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t found = shmem_ctx_int64_atomic_swap(ctx, &a[i % 8], i, me);
    a[found % 8] = i + found;
  }
}
CASE(fetches_at_two_levels) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t found = shmem_ctx_int64_atomic_fetch_inc(ctx, &a[i % 3], me);
    out[i] = shmem_ctx_int64_g(ctx, &a[found % 5], me);
  }
}
CASE(adds_at_two_levels) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t found = shmem_ctx_int64_atomic_fetch_add(ctx, &a[i % 3], 2, me);
    out[i] = shmem_ctx_int64_atomic_fetch_add(ctx, &a[found % 5], 1, me);
  }
}

/* Stretches whose length nobody knows, or at a distance from the address that a function is given. */
CASE(fills) {
  const size_t bytes = (size_t)(n / 40) * sizeof *a;
#pragma shmem defer
  for (int64_t i = 0; i + 8 < n; i++) {
    const int64_t found = shmem_ctx_int64_g(ctx, &a[i + 4], me);
    memset(&a[i], (int)found + 1, bytes);
  }
}
CASE(copies) {
  static const int64_t from[16] = {1, 20, 300, 4000, 5, 60, 700, 8000, 9};
  const size_t bytes = (size_t)(n / 40) * sizeof *a;
#pragma shmem defer
  for (int64_t i = 0; i + 8 < n; i++) {
    const int64_t found = shmem_ctx_int64_g(ctx, &a[i + 4], me);
    memcpy(&a[i], &from[found & 7], bytes);
  }
}
CASE(texts) {
  static const char* const all[] = {"a", "bcdefghijk", "xyz", "lmnopqrstuvwxyz"};
  uint8_t* text = (uint8_t*)a;
#pragma shmem defer
  for (int64_t i = 0; i + 20 < n; i++) {
    const uint8_t found = shmem_ctx_uchar_g(ctx, &text[i + 4], me);
    strcpy((char*)&text[i], all[found & 3]);
  }
}
CASE(prints) {
  uint8_t* text = (uint8_t*)a;
#pragma shmem defer
  for (int64_t i = 0; i + 20 < n; i++) {
    const uint8_t found = shmem_ctx_uchar_g(ctx, &text[i + 4], me);
    snprintf((char*)&text[i], 20, "%d", found * 1000);
  }
}
CASE(sixth) {
#pragma shmem defer
  for (int64_t i = 0; i + 8 < n; i++) set_sixth(&a[i], shmem_ctx_int64_g(ctx, &a[i + 4], me));
}
CASE(two) {
#pragma shmem defer
  for (int64_t i = 0; i + 8 < n; i++) set_two(&a[i], shmem_ctx_int64_g(ctx, &a[i + 4], me));
}
/* Places that meet late, by loops of which one has few rounds. */
CASE(short_inside) {
#pragma shmem defer
  for (int i = 120; i > 1; i--)
    for (int j = 0; j < 3; j++)
      a[((i + j) * 3 - 1) & (entries - 1)] = shmem_ctx_int64_g(ctx, &a[i & 7], me) * 3 + j;
}
CASE(short_outside) {
#pragma shmem defer
  for (int j = 0; j < 3; j++)
    for (int i = 120; i > 1; i--)
      a[((i + j) * 3 - 1) & (entries - 1)] = shmem_ctx_int64_g(ctx, &a[i & 7], me) * 3 + j;
}

int main(void) {
  void (*const all[cases])(shmem_ctx_t, int64_t*, int64_t, int) = {next,
                                                                   far_behind,
                                                                   downwards,
                                                                   rows,
                                                                   rows_of_any_length,
                                                                   row_from_row,
                                                                   by_pointer,
                                                                   around,
                                                                   butterfly,
                                                                   tree,
                                                                   passes,
                                                                   ahead,
                                                                   loops_of_their_own,
                                                                   loops_in_loops_of_their_own,
                                                                   triangles,
                                                                   downwards_in_a_loop_of_its_own,
                                                                   halves,
                                                                   loads_what_fetches_change,
                                                                   stores_what_fetches_change,
                                                                   fetches_at_two_levels,
                                                                   adds_at_two_levels,
                                                                   fills,
                                                                   copies,
                                                                   texts,
                                                                   prints,
                                                                   sixth,
                                                                   two,
                                                                   short_inside,
                                                                   short_outside};
  const shmem_ctx_t ctx = start();
  int64_t* const a = symmetric(entries);
  const int me = shmem_my_pe();
  for (int at = 0; at < cases; at++) {
    for (int i = 0; i < entries; i++) a[i] = 5 * i + 3, out[i] = 0;
    all[at](ctx, a, entries, me);
    shmem_ctx_quiet(ctx);
    uint64_t sum = 0;
    for (int i = 0; i < entries; i++) sum = mixed(mixed(sum, (uint64_t)a[i]), (uint64_t)out[i]);
    if (me == 0) printf("%d: %016lx\n", at, (unsigned long)sum);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
