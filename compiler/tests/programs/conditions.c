/* SPDX-License-Identifier: BSD-3-Clause */
/* Values that are fetched on a condition, and sums over an inner loop, used behind them. All PEs hold the
   same, so that each can say what must come out. */
#include "job.h"

enum { cells = 64, rows = 500 };

typedef struct {
  int64_t seen, out[rows], largest[rows], chosen[rows], several[rows];
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

/* Expressions that fetch or do not; an `and`; where the condition does not hold, there is no such place or
 * PE. */
static void chosen(shmem_ctx_t ctx, const int64_t* s, int npes, int64_t* sums, int64_t* products) {
  for (int64_t i = 0; i < 9; i++) sums[i] = 0;
#pragma shmem defer
  for (int64_t i = 0; i < rows; i++) {
    const int64_t* const from = i % 5 < 3 ? &s[i % cells] : NULL;
    const int pe = from ? (int)(i % npes) : -1;
    sums[i % 9] += from ? shmem_ctx_int64_g(ctx, from, pe) : 5;
  }
  shmem_ctx_quiet(ctx);
#pragma shmem defer
  for (int64_t i = 0; i < rows; i++) {
    int64_t v = i, w = 1;
    if (i % 3 && sums[i % 9] != i) v = v * 2 + shmem_ctx_int64_g(ctx, &s[(i + 5) % cells], (int)(i % npes));
    if (i % 4 == 1) w = shmem_ctx_int64_g(ctx, &s[i * 3 % cells], (int)((i + 1) % npes));
    products[i] = v * w;
  }
  shmem_ctx_quiet(ctx);
}

/* The condition never holds where there is no context, nor a structure that would have it. */
typedef struct {
  int64_t length;
  shmem_ctx_t ctx;
} graph;

static int64_t without_context(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = i;
    if (ctx != SHMEM_CTX_INVALID) v = shmem_ctx_int64_g(ctx, &s[i % cells], 0);
    sum += v;
  }
  return sum;
}

static int64_t without_graph(const graph* g, const int64_t* s, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = i;
    if (g != NULL) v = shmem_ctx_int64_g(g->ctx, &s[i % cells], 0);
    sum += v;
  }
  return sum;
}

static int64_t not_created(int create, const int64_t* s, int64_t n) {
  shmem_ctx_t ctx;
  int64_t sum = 0;
  if (create) shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx);
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = i;
    if (create) v = shmem_ctx_int64_g(ctx, &s[i % cells], 0);
    sum += v;
  }
  if (create) shmem_ctx_destroy(ctx);
  return sum;
}

static int64_t unlike(shmem_ctx_t ctx, const int64_t* s) {
  const graph g = {cells, ctx};
  int64_t expected = 0;
  for (int64_t i = 0; i < cells; i++) expected += value_at(i);
  const int64_t none = cells * (cells - 1) / 2;
  return (without_context(ctx, s, cells) != expected) +
         (without_context(SHMEM_CTX_INVALID, s, cells) != none) + (without_graph(&g, s, cells) != expected) +
         (without_graph(NULL, s, cells) != none) + (not_created(1, s, cells) != expected) +
         (not_created(0, s, cells) != none);
}

/* On a context of some of the PEs, by their numbers in that. */
static int64_t of_team(shmem_ctx_t ctx, const int64_t* s, int npes) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < rows; i++) {
    int64_t v = 1;
    if (i % 3 == 0) v = shmem_ctx_int64_g(ctx, &s[i % cells], (int)(i % npes));
    sum = 3 * sum % 1000003 + v;
  }
  return sum;
}

#ifdef REORDER
static int64_t teams(const int64_t* s) {
  (void)s, (void)of_team;
  return 0;
}
#else
static int64_t teams(const int64_t* s) {
  int64_t expected = 0, wrong = 0;
  for (int64_t i = 0; i < rows; i++) expected = 3 * expected % 1000003 + (i % 3 == 0 ? value_at(i) : 1);
  for (int first = 0; first < 2 && first < shmem_n_pes(); first++) {
    const int members = (shmem_n_pes() - first + 1) / 2;
    shmem_team_t team;
    shmem_ctx_t ctx;
    if (shmem_team_split_strided(SHMEM_TEAM_WORLD, first, members > 1 ? 2 : 1, members, NULL, 0, &team) != 0)
      wrong++;
    if (team == SHMEM_TEAM_INVALID) continue;
    if (shmem_team_create_ctx(team, SHMEMX_CTX_AGGREGATE, &ctx) != 0) return wrong + 1;
    wrong += of_team(ctx, s, members) != expected;
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(team);
  }
  return wrong;
}
#endif

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
    to->chosen[i % 9] += i % 5 < 3 ? value_at(i) : 5;
    for (int64_t k = 0; k < i % 7; k++) {
      const int64_t one = value_at(i * 5 + k);
      to->out[i] += one;
      if (one > to->largest[i]) to->largest[i] = one;
    }
  }
  for (int64_t i = 0; i < rows; i++) {
    const int64_t v = i % 3 && to->chosen[i % 9] != i ? i * 2 + value_at(i + 5) : i;
    to->several[i] = v * (i % 4 == 1 ? value_at(i * 3) : 1);
  }
}

static int64_t differences(const result* found) {
  static result expected;
  expected = (result){0, {0}, {0}, {0}, {0}};
  without_fetches(&expected);
  int64_t wrong = found->seen != expected.seen;
  for (int64_t i = 0; i < rows; i++)
    wrong += found->out[i] != expected.out[i] || found->largest[i] != expected.largest[i] ||
             found->chosen[i] != expected.chosen[i] || found->several[i] != expected.several[i];
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
    chosen(ctx, s, npes, found.chosen, found.several);
    shmem_ctx_int64_atomic_add(ctx, wrong, unlike(ctx, s) + teams(s), 0);
    shmem_ctx_int64_atomic_add(ctx, wrong, differences(&found), 0);
    shmem_ctx_quiet(ctx);
  }
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("wrong: %ld\n", (long)*wrong);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
