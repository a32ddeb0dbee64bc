/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that dependent code uses, and that this PE comes to again: in a later round, by another pointer
   behind the statement, as the source of a put, or because another PE is told. The quiet stands behind the
   reading, so that the end of the function does not hide anything. */
#include <string.h>

#include "job.h"

enum { n = 192, rounds = 3 };

static shmem_ctx_t ctx;
static int64_t* from; /* the same on all PEs: from[i] = (7 * i) % 31 + i */
static int64_t* own;  /* nobody else's business */
static int pe, self;
static uint64_t result;

#define FETCH(i) shmem_ctx_int64_g(ctx, &from[(i) % n], pe)

static void note(int64_t value) {
  result = result * 31 + (uint64_t)value;
}

static void note_all(const int64_t* values, int64_t count) {
  for (int64_t i = 0; i < count; i++) note(values[i]);
}

/* ---- in a later round */

static void rounds_inside(int64_t* x, int64_t* sum) {
#pragma shmem defer
  for (int r = 0; r < rounds; r++)
    for (int64_t i = 0; i < n; i++) {
      sum[i] += x[i];
      x[i] = FETCH(i * 3 + r);
    }
}

static void rounds_outside(int64_t* x, int64_t* sum) {
  for (int r = 0; r < rounds; r++) {
#pragma shmem defer
    for (int64_t i = 0; i < n; i++) {
      sum[i] += x[i];
      x[i] = FETCH(i * 3 + r);
    }
  }
  shmem_ctx_quiet(ctx);
}

static void fetched_again(int64_t* x) {
#pragma shmem defer
  for (int r = 0; r < rounds; r++)
    for (int64_t k = 0; k < n; k++) x[k] = shmem_ctx_int64_g(ctx, &x[k], self) * 3 + r;
}

static void narrow_counter(int64_t* ring, int64_t* seen) {
  uint8_t k = 0;
#pragma shmem defer
  for (int64_t i = 0; i < 4 * n; i++) {
    seen[i % n] += ring[k];
    ring[k] = FETCH(i * 3);
    k++;
  }
}

static void counted_in_between(int64_t* x, int64_t* seen) {
  int64_t k = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    seen[i] = x[k];
    ++k;
    x[k] = FETCH(i) + 1;
  }
}

/* ---- the source of a put */

static void overwritten_source(int64_t* to, int64_t* word) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    word[0] = 3 * i + 1;
    const int64_t slot = FETCH(i) % n;
    shmem_ctx_putmem(ctx, &to[slot], word, sizeof *word, self);
  }
  shmem_ctx_quiet(ctx);
}

static void filled_source(int64_t* to, int64_t* row) {
#pragma shmem defer
  for (int64_t r = 0; r < 16; r++) {
    for (int64_t i = 0; i < 12; i++) row[r * 12 + i] = FETCH(i * 3 + r);
    shmem_ctx_putmem(ctx, &to[r * 12], &row[r * 12], 12 * sizeof *row, self);
  }
  shmem_ctx_quiet(ctx);
}

static void source_of_the_round_before(int64_t* to, int64_t* word) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    shmem_ctx_putmem(ctx, &to[i], word, sizeof *word, self);
    word[0] = FETCH(i * 3) + i;
  }
  shmem_ctx_quiet(ctx);
}

/* ---- another pointer, behind the statement */

struct entry {
  int64_t value;
  struct entry* next;
};
static struct entry* buckets[8];

static void allocation_in_table(void) {
  memset(buckets, 0, sizeof buckets);
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    struct entry* one = malloc(sizeof *one);
    if (!one) abort();
    one->next = buckets[i % 8];
    buckets[i % 8] = one;
    one->value = FETCH(i * 5) + 1;
  }
  for (int k = 0; k < 8; k++)
    for (const struct entry* one = buckets[k]; one; one = one->next) note(one->value);
  shmem_ctx_quiet(ctx);
}

struct view {
  int64_t *at, count;
};

static void note_view(const struct view* all) {
  note_all(all->at, all->count);
}

static void handed_over(void) {
  struct view* all = malloc(sizeof *all);
  int64_t* values = malloc(n * sizeof *values);
  if (!all || !values) abort();
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) values[i] = FETCH(i * 3);
  all->at = values;
  all->count = n;
  note_view(all);
  shmem_ctx_quiet(ctx);
}

static int64_t counters[64];
static struct view initialised = {counters, 64};

static void initialised_pointer(void) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) initialised.at[FETCH(i) & 63]++;
  note_all(counters, 64);
  shmem_ctx_quiet(ctx);
}

static struct view new_view(void) {
  const struct view all = {calloc(n, sizeof(int64_t)), n};
  return all;
}

static void copied_structure(void) {
  struct view all = new_view(), copy = all;
#pragma shmem defer
  for (int64_t i = 0; i < copy.count; i++) copy.at[i] = FETCH(i * 5);
  note_view(&all);
  shmem_ctx_quiet(ctx);
}

static void begin(struct view* to, int64_t* at) {
  to->at = at;
}

static void kept_by_callee(void) {
  int64_t text[n] = {0};
  struct view writer, *to = &writer;
  begin(to, text);
#pragma shmem defer
  for (int64_t i = 0; i < 100; i++) *to->at++ = FETCH(i);
  note_all(text, 100);
  shmem_ctx_quiet(ctx);
}

static int64_t named[64];
extern int64_t named_again[64] __attribute__((alias("named")));

static void two_names(void) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) named[FETCH(i) & 63]++;
  note_all(named_again, 64);
  shmem_ctx_quiet(ctx);
}

static int64_t walked(struct entry* head) {
#pragma shmem defer
  for (int64_t i = 0; i < 50; i++) head->next->next->value ^= FETCH(i);
  int64_t sum = 0;
  for (const struct entry* one = head; one; one = one->next) sum = sum * 5 % 1000003 + one->value;
  shmem_ctx_quiet(ctx);
  return sum;
}

static void deep_in_list(void) {
  struct entry* head = NULL;
  for (int64_t i = 0; i < 10; i++) {
    struct entry* one = malloc(sizeof *one);
    if (!one) abort();
    one->value = i;
    one->next = head;
    head = one;
  }
  note(walked(head));
}

static void fetched_by_descriptor(int64_t* block) {
  struct view* all = calloc(1, sizeof *all);
  if (!all) abort();
  for (int64_t i = 0; i < n; i++) block[i] = i;
  all->at = block;
  all->count = n;
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < all->count; i++)
    sum = sum * 3 % 1000003 + shmem_ctx_int64_g(ctx, &all->at[i], self);
  for (int64_t i = 0; i < n; i++) block[i] = -i;
  shmem_ctx_quiet(ctx);
  note(sum);
}

/* ---- pointers that the statement itself stores */

static void chain_inside(int64_t* seen) {
  memset(buckets, 0, sizeof buckets);
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    struct entry* first = buckets[i % 8];
    seen[i] = first ? first->value : -1;
    struct entry* one = malloc(sizeof *one);
    if (!one) abort();
    one->next = first;
    buckets[i % 8] = one;
    one->value = FETCH(i * 5) + 1;
  }
}

static int64_t *now, *next;

static void swapped_inside(int64_t* seen) {
  now = calloc(n, sizeof *now);
  next = calloc(n, sizeof *next);
#pragma shmem defer
  for (int64_t t = 0; t < 8; t++) {
    for (int64_t i = 0; i < n; i++) next[i] = FETCH(i + t);
    int64_t* other = now;
    now = next;
    next = other;
    seen[t] = now[t];
  }
}

/* ---- the same address, computed as a number */

static uintptr_t moved_up(const int64_t* x) {
  uintptr_t sum;
  return __builtin_add_overflow((uintptr_t)x, 8, &sum) ? 0 : sum;
}
#define BY_NUMBER(name, number)                                         \
  static void name(int64_t* x, int64_t* seen) {                         \
    int64_t* const again = (int64_t*)(number);                          \
    _Pragma("shmem defer") for (int64_t i = 0; i < n; i++) {            \
      *again = i + 1;                                                   \
      for (int64_t j = 0; j < 2; j++) seen[i] += FETCH(2 * i + j) * *x; \
    }                                                                   \
  }
BY_NUMBER(turned_twice, __builtin_bswap64(__builtin_bswap64((uintptr_t)x)))
BY_NUMBER(up_and_down, moved_up(x) - 8)
BY_NUMBER(from_a_constant, (char*)64 + ((char*)x - (char*)64))

/* ---- another PE is told */

static void flag_on_the_same_context(int64_t* flag) {
  int64_t got[n];
  for (int r = 1; r <= 20; r++) {
#pragma shmem defer
    for (int64_t i = 0; i < n; i++) own[i] = FETCH(i * 3) * r;
    shmem_ctx_int64_p(ctx, flag, r, (self + shmem_n_pes() - 1) % shmem_n_pes());
    shmem_ctx_quiet(ctx);
#ifndef REORDER
    shmem_int64_wait_until(flag, SHMEM_CMP_GE, r);
    shmem_int64_get(got, own, n, (self + 1) % shmem_n_pes());
#else
    memcpy(got, own, sizeof got);
#endif
    note_all(got, n);
    shmem_barrier_all();
  }
}

int main(void) {
  ctx = start();
  from = symmetric(n);
  own = symmetric(n);
  int64_t *to = symmetric(n), *flag = symmetric(1), *x = symmetric(2 * n), *y = calloc(2 * n, sizeof *y);
  if (!y) return 1;
  self = shmem_my_pe();
  pe = (self + 1) % shmem_n_pes();
#ifdef REORDER
  for (int k = 0; k < shmem_n_pes(); k++)
#else
  const int k = self;
#endif
    for (int64_t i = 0; i < n; i++) PART(from, k)[i] = (7 * i) % 31 + i;
  shmem_barrier_all();
  rounds_inside(x, y), rounds_outside(x, y), fetched_again(x), narrow_counter(calloc(256, 8), y),
      counted_in_between(x, y);
  note_all(x, n), note_all(y, n);
  overwritten_source(to, y), note_all(to, n);
  filled_source(to, y), note_all(to, n);
  source_of_the_round_before(to, y), note_all(to, n);
  allocation_in_table(), handed_over(), initialised_pointer(), copied_structure(), kept_by_callee(),
      two_names();
  deep_in_list();
  fetched_by_descriptor(to);
  chain_inside(y), note_all(y, n);
  swapped_inside(y), note_all(y, n);
  turned_twice(x, y), up_and_down(x, y), from_a_constant(x, y), note_all(y, n);
  shmem_barrier_all();
  flag_on_the_same_context(flag);
  if (self == 0) printf("%llx\n", (unsigned long long)result);
  free(y);
  shmem_barrier_all();
  shmem_ctx_destroy(ctx);
  shmem_finalize();
}
