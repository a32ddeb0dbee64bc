/* SPDX-License-Identifier: BSD-3-Clause */
/* Values that are fetched on a condition, and sums over an inner loop, used behind them. All PEs hold the
   same, so that each can say what must come out. */
#include "job.h"

enum { cells = 64, rows = 500 };

typedef struct {
  int64_t seen, out[rows], largest[rows];
} result;

static int64_t value_at(int64_t i) {
  return (int64_t)(mixed(7, (uint64_t)(i % cells)) % 1000);
}

/* Values that depend on a condition. */
static void conditional(shmem_ctx_t ctx, const int64_t* s, int npes, result* to) {
  int64_t seen = 0;
#pragma shmem defer
  for (int64_t i = 0; i < rows; i++) {
    int64_t v = i;
    if (i % 3 == 1)
      v = shmem_ctx_int64_g(ctx, &s[i % cells], (int)(i % npes));
    else if (i % 3 == 2)
      v += shmem_ctx_int64_g(ctx, &s[(i + 5) % cells], (int)((i + 1) % npes));
    to->out[i] = v * 2;
    seen = 3 * seen + v;
  }
  shmem_ctx_quiet(ctx);
  to->seen = seen;
}

/* A sum and a maximum for each row. */
static void of_rows(shmem_ctx_t ctx, const int64_t* s, int npes, result* to) {
#pragma shmem defer
  for (int64_t r = 0; r < rows; r++) {
    int64_t sum = 0, largest = -1;
    for (int64_t i = 0; i < r % 7; i++) {
      const int64_t v = shmem_ctx_int64_g(ctx, &s[(r * 5 + i) % cells], (int)(i % npes));
      sum += v;
      if (v > largest) largest = v;
    }
    to->out[r] += sum;
    to->largest[r] = largest;
  }
  shmem_ctx_quiet(ctx);
}

static void without_fetches(result* to) {
  for (int64_t i = 0; i < rows; i++) {
    const int64_t v = i % 3 == 0 ? i : i % 3 == 1 ? value_at(i) : i + value_at(i + 5);
    to->seen = (int64_t)(3 * (uint64_t)to->seen + (uint64_t)v);
    to->out[i] = v * 2;
    to->largest[i] = -1;
    for (int64_t k = 0; k < i % 7; k++) {
      const int64_t one = value_at(i * 5 + k);
      to->out[i] += one;
      if (one > to->largest[i]) to->largest[i] = one;
    }
  }
}

static int64_t differences(const result* found) {
  static result expected;
  expected = (result){0, {0}, {0}};
  without_fetches(&expected);
  int64_t wrong = found->seen != expected.seen;
  for (int64_t i = 0; i < rows; i++)
    wrong += found->out[i] != expected.out[i] || found->largest[i] != expected.largest[i];
  return wrong;
}

int main(void) {
  shmem_ctx_t ctx = start();
  const int npes = shmem_n_pes();
  int64_t *s = symmetric(cells), *wrong = symmetric(1);
  FOR_MY_PES(me)
  for (int64_t i = 0; i < cells; i++) PART(s, me)[i] = value_at(i);
  shmem_barrier_all();
  FOR_MY_PES(me) {
    static result found;
    conditional(ctx, s, npes, &found);
    of_rows(ctx, s, npes, &found);
    shmem_ctx_int64_atomic_add(ctx, wrong, differences(&found), 0);
    shmem_ctx_quiet(ctx);
  }
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("wrong: %ld\n", (long)*wrong);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
