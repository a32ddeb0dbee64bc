/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs do around deferred fetches: helpers, counters, static variables, several phases, memory that
   ends, output. All of it means what it means without the directive. `strict` stands where deferring is
   possible and has to happen. */
#include <string.h>

#include "job.h"

enum { n = 240 };
static shmem_ctx_t ctx, plain;
static int64_t *from, *into, *own;
static int nb; /* the PE whose part of `from` and `into` only this PE uses */

static int64_t value_at(int64_t i) {
  return 5 * (i % n) + 3;
}

static void reset(void) {
  for (int64_t i = 0; i < n; i++) {
    PART(from, nb)[i] = value_at(i);
    PART(into, nb)[i] = 0;
    own[i] = 0;
  }
}

/* ---- helpers */

static int64_t fetches_made, completions;

static int64_t counted(shmem_ctx_t c, const int64_t* source, int pe) {
  fetches_made++;
  return shmem_ctx_int64_g(c, source, pe);
}
static void counted_quiet(shmem_ctx_t c) {
  completions++;
  shmem_ctx_quiet(c);
}

static int64_t wrapper_that_counts(void) {
  fetches_made = completions = 0;
#pragma shmem defer strict
  for (int64_t i = 0; i < n; i++) own[i] = counted(ctx, &from[7 * i % n], nb);
  counted_quiet(ctx);
  int64_t wrong = (fetches_made != n) + (completions != 1);
  for (int64_t i = 0; i < n; i++) wrong += own[i] != value_at(7 * i);
  return wrong;
}

static int64_t sum_of_four(int64_t first) {
  int64_t sum = 0;
#pragma shmem defer strict
  for (int64_t k = 0; k < 4; k++) sum += shmem_ctx_int64_g(ctx, &from[(first + 7 * k) % n], nb);
  return sum;
}
static int64_t sum_defined_behind(int64_t first);

static int64_t helper_in_dependent_code(void) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t first = shmem_ctx_int64_g(ctx, &from[7 * i % n], nb);
    own[i] = sum_of_four(first) - sum_defined_behind(first);
  }
  shmem_ctx_quiet(ctx);
  int64_t wrong = 0;
  for (int64_t i = 0; i < n; i++) wrong += own[i] != 0;
  return wrong;
}

static int64_t sum_defined_behind(int64_t first) {
  int64_t sum = 0;
#pragma shmem defer strict
  for (int64_t k = 0; k < 4; k++) sum += shmem_ctx_int64_g(ctx, &from[(first + 7 * k) % n], nb);
  return sum;
}

static int64_t helper_between(void) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &from[7 * i % n], nb);
    const int64_t s = sum_of_four(i);
    own[i] = v + s;
  }
  int64_t wrong = 0;
  for (int64_t i = 0; i < n; i++) {
    int64_t right = value_at(7 * i);
    for (int64_t k = 0; k < 4; k++) right += value_at(i + 7 * k);
    wrong += own[i] != right;
  }
  return wrong;
}

static void fill(int64_t* to) { /* complete where it returns */
#pragma shmem defer strict
  for (int64_t i = 0; i < n; i++) to[i] = shmem_ctx_int64_g(ctx, &from[i], nb);
}
static void fill_later(int64_t* to) {
#pragma shmem defer strict nowait
  for (int64_t i = 0; i < n; i++) to[i] += shmem_ctx_int64_g(ctx, &from[i], nb);
}

static int64_t helper_that_fills(void) {
  int64_t wrong = 0;
  fill(own);
  for (int64_t i = 0; i < n; i++) wrong += own[i] != value_at(i);
  fill_later(own);
  shmem_ctx_quiet(ctx);
  for (int64_t i = 0; i < n; i++) wrong += own[i] != 2 * value_at(i);
  return wrong;
}

/* Others may call it, so that it is compiled before what calls it here. */
int64_t five_in_a_block(int64_t first);
int64_t five_in_a_block(int64_t first) {
  int64_t sum = 0;
#pragma shmem defer strict
  {
    const int64_t a = shmem_ctx_int64_g(ctx, &from[first % n], nb);
    const int64_t b = shmem_ctx_int64_g(ctx, &from[(first + 1) % n], nb);
    const int64_t c = shmem_ctx_int64_g(ctx, &from[(first + 2) % n], nb);
    const int64_t d = shmem_ctx_int64_g(ctx, &from[(first + 3) % n], nb);
    const int64_t e = shmem_ctx_int64_g(ctx, &from[(first + 4) % n], nb);
    sum = a + 2 * b + 3 * c + 4 * d + 5 * e;
  }
  return sum;
}

static int64_t helper_compiled_before(void) {
#pragma shmem defer strict
  for (int64_t i = 0; i < n; i++) {
    const int64_t first = shmem_ctx_int64_g(ctx, &from[7 * i % n], nb);
    if (first & 1) own[i] = five_in_a_block(first);
  }
  shmem_ctx_quiet(ctx);
  int64_t wrong = 0;
  for (int64_t i = 0; i < n; i++) {
    const int64_t first = value_at(7 * i);
    int64_t right = 0;
    for (int64_t k = 0; k < 5; k++) right += (k + 1) * value_at(first + k);
    wrong += own[i] != (first & 1 ? right : 0);
  }
  return wrong;
}

/* What is written is read in an expression, in front of the fetch. */
static int64_t scaled_sums(void) {
  int64_t right[7] = {0}, wrong = 0;
#pragma shmem defer strict
  for (int64_t i = 0; i < n; i++)
    own[i % 7] = (own[i % 7] * 3 ^ own[7]) + shmem_ctx_int64_g(ctx, &from[7 * i % n], nb);
  shmem_ctx_quiet(ctx);
  for (int64_t i = 0; i < n; i++) right[i % 7] = right[i % 7] * 3 + value_at(7 * i);
  for (int64_t i = 0; i < 7; i++) wrong += own[i] != right[i];
  return wrong;
}

static int64_t arms_of_arms(void) {
#pragma shmem defer strict
  for (int64_t i = 0; i < n; i++)
    own[i] = i % 2   ? i % 3 ? shmem_ctx_int64_g(ctx, &from[i], nb) : -i
             : i % 5 ? 7
                     : shmem_ctx_int64_g(ctx, &from[3 * i % n], nb) + 1;
  shmem_ctx_quiet(ctx);
  int64_t wrong = 0;
  for (int64_t i = 0; i < n; i++)
    wrong += own[i] != (i % 2 ? i % 3 ? value_at(i) : -i : i % 5 ? 7 : value_at(3 * i) + 1);
  return wrong;
}

/* ---- values: get does not wait on an aggregation context where it is not deferred, so that these are on
 * another one */

static int64_t byte_into_word(void) {
  int64_t sum = 0, right = 0;
#pragma shmem defer strict
  for (int64_t i = 0; i < n; i++) {
    uint32_t word = 0x100;
    shmem_ctx_uchar_get(plain, (unsigned char*)&word, (unsigned char*)&from[i], 1, nb);
    sum += word; /* little endian */
  }
  shmem_ctx_quiet(ctx);
  for (int64_t i = 0; i < n; i++) right += 0x100 + (value_at(i) & 0xff);
  return sum != right;
}

static void add(double* sum, const double* value) {
  *sum += *value;
}

static int64_t bits_of_doubles(void) {
  for (int64_t i = 0; i < n; i++) {
    const double value = 0.5 + (double)i;
    memcpy(&PART(from, nb)[i], &value, sizeof value);
  }
  double sum = 0, escaping = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    double value;
    shmem_ctx_int64_get(plain, (int64_t*)&value, &from[i], 1, nb);
    sum += value;
  }
  for (int64_t i = 0; i < n; i++) {
    double value;
    shmem_ctx_int64_get(plain, (int64_t*)&value, &from[i], 1, nb);
    add(&escaping, &value);
  }
  return sum != escaping;
}

static int64_t last;

static int64_t in_expressions(void) {
  int64_t sum = 0, wrong = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++)
    own[i] = (i & 1) ? (last = shmem_ctx_int64_g(ctx, &from[7 * i % n], nb)) : -1;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t t;
    sum += (t = shmem_ctx_int64_g(ctx, &from[i], nb)) + __extension__({
             if (i == 100) break;
             i;
           });
  }
  for (int64_t i = 0; i < 100; i++) sum -= value_at(i) + i;
  for (int64_t i = 0; i < n; i++) wrong += own[i] != ((i & 1) ? value_at(7 * i) : -1);
  return wrong + (last != value_at(7 * (n - 1))) + (sum != 0);
}

/* ---- variables and memory of this PE */

static int64_t static_total(void) {
  static int64_t total;
  total = 0;
#pragma shmem defer strict
  for (int64_t i = 0; i < n; i++) total += shmem_ctx_int64_g(ctx, &from[i], nb);
  int64_t right = 0;
  for (int64_t i = 0; i < n; i++) right += value_at(i);
  return total != right;
}

struct state {
  int64_t serial, sum;
};

static int64_t serial_numbers(struct state* s) {
#pragma shmem defer strict
  for (int64_t i = 0; i < n; i++) {
    s->serial++;
    const int64_t v = shmem_ctx_int64_g(ctx, &from[i], nb);
    own[i] = 10000 * v + s->serial;
    s->sum += v;
  }
  int64_t wrong = 0, sum = 0;
  for (int64_t i = 0; i < n; i++) {
    wrong += own[i] != 10000 * value_at(i) + i + 1;
    sum += value_at(i);
  }
  return wrong + (s->sum != sum);
}

/* What a round reads, the one before has left there, so it is deferred too. */
static int64_t latest, sum_of_latest, were_latest[n];
static int64_t read_in_the_next_round(void) {
  latest = sum_of_latest = 0;
#pragma shmem defer strict
  for (int64_t i = 0; i < n; i++) {
    were_latest[i] = latest;
    sum_of_latest ^= 3 * latest + i;
    latest = shmem_ctx_int64_g(ctx, &from[7 * i % n], nb);
  }
  shmem_ctx_quiet(ctx);
  int64_t wrong = 0, before = 0, sum = 0;
  for (int64_t i = 0; i < n; i++) {
    wrong += were_latest[i] != before;
    sum ^= 3 * before + i;
    before = value_at(7 * i);
  }
  return wrong + (latest != before) + (sum_of_latest != sum);
}

static int64_t rows_begin_at_zero(void) {
#pragma shmem defer strict
  for (int64_t r = 0; r < n / 8; r++) {
    own[r] = 1;
    for (int64_t k = 0; k < 8; k++) own[r] += shmem_ctx_int64_g(ctx, &from[8 * r + k], nb);
    own[r] *= 3;
  }
  int64_t wrong = 0;
  for (int64_t r = 0; r < n / 8; r++) {
    int64_t right = 1;
    for (int64_t k = 0; k < 8; k++) right += value_at(8 * r + k);
    wrong += own[r] != 3 * right;
  }
  return wrong;
}

static int64_t phases(void) {
  int64_t sum = 0, right = 0;
#pragma shmem defer
  {
    for (int64_t i = 0; i < n; i++) own[i] = shmem_ctx_int64_g(ctx, &from[i], nb);
    for (int64_t i = 1; i < n; i++) own[i] += own[i - 1];
    for (int64_t i = 0; i < n; i++) sum += own[i] * shmem_ctx_int64_g(ctx, &from[i], nb);
  }
  shmem_ctx_quiet(ctx);
  for (int64_t i = 0, before = 0; i < n; i++) right += (before += value_at(i)) * value_at(i);
  return sum != right;
}

static int64_t memory_that_ends(int64_t m) {
  int64_t wrong = 0;
  for (int64_t r = 0; r < 8; r++) {
    int64_t scratch[m], fixed[16];
    int64_t *s = scratch, *f = fixed, *heap = malloc(sizeof *heap * 16), result = 0;
    if (!heap) exit(3);
    for (int64_t k = 0; k < 16; k++) s[k] = f[k] = heap[k] = 1000 * r;
#pragma shmem defer strict
    for (int64_t k = 0; k < 16; k++) {
      const int64_t v = shmem_ctx_int64_g(ctx, &from[(r + k) % n], nb);
      s[k] += v;
      f[k] += v;
      own[16 * r + k] = s[k] + f[k] + heap[k];
    }
    free(heap);
    heap = malloc(sizeof *heap * 16);
    if (!heap) exit(3);
    memset(heap, -1, sizeof *heap * 16);
    for (int64_t k = 0; k < 16; k++) {
      result += own[16 * r + k] - 3000 * r - 2 * value_at(r + k);
      wrong += heap[k] != -1;
    }
    free(heap);
    wrong += result != 0;
  }
  return wrong;
}

/* ---- what fetches read and change */

static int64_t own_place_is_overwritten(int me) {
  int64_t wrong = 0;
  int64_t* mine = PART(from, me);
  for (int64_t i = 0; i < n; i++) mine[i] = value_at(i);
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t old = shmem_ctx_int64_g(ctx, &mine[7 * i % n], me);
    mine[7 * i % n] = -1;
    own[i] = old;
  }
  for (int64_t i = 0; i < n; i++) wrong += (own[i] != value_at(7 * i)) + (mine[i] != -1);
  return wrong;
}

static int64_t look_and_take(void) {
  int64_t wrong = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t before = shmem_ctx_int64_atomic_fetch(ctx, &into[i % 5], nb);
    const int64_t taken = shmem_ctx_int64_atomic_fetch_inc(ctx, &into[i % 5], nb);
    own[i] = taken - before;
  }
  shmem_ctx_quiet(ctx);
  for (int64_t i = 0; i < n; i++) wrong += own[i] != 0;
  return wrong;
}

static int64_t counter_is_read_behind(void) {
  int64_t sum = 0;
#pragma shmem defer strict
  for (int64_t i = 0; i < n; i++) sum += shmem_ctx_int64_atomic_fetch_inc(ctx, &into[0], nb);
  const int64_t counted = shmem_ctx_int64_atomic_fetch(ctx, &into[0], nb);
  return (counted != n) + (sum != n * (n - 1) / 2);
}

/* ---- output */

static int64_t rows_of_text(void) {
  FILE* file = tmpfile();
  if (!file) exit(3);
#pragma shmem defer
  for (int64_t r = 0; r < 8; r++) {
    for (int64_t k = 0; k < 4; k++) fprintf(file, "%ld ", (long)shmem_ctx_int64_g(ctx, &from[4 * r + k], nb));
    fprintf(file, "\n");
  }
  rewind(file);
  int64_t wrong = 0;
  char line[128];
  for (int64_t r = 0; r < 8; r++) {
    char* at = fgets(line, sizeof line, file);
    for (int64_t k = 0; k < 4; k++) wrong += (at ? strtol(at, &at, 10) : -1) != value_at(4 * r + k);
  }
  fclose(file);
  return wrong;
}

static void check(const char* name, int64_t wrong) {
  static int64_t all;
  if (wrong != 0) fprintf(stderr, "%s: wrong %ld\n", name, (long)wrong);
  all += wrong;
  if (strcmp(name, "the end") == 0 && all != 0) exit(4);
  reset();
}

int main(void) {
  ctx = start();
  if (shmem_ctx_create(0, &plain) != 0) return 2;
  from = symmetric(n);
  into = symmetric(n);
  own = calloc(n, sizeof *own);
  struct state* s = calloc(1, sizeof *s);
  if (!own || !s) return 3;
  const int me = shmem_my_pe();
  nb = (me + 1) % shmem_n_pes();
  reset();
  shmem_barrier_all();
  check("wrapper_that_counts", wrapper_that_counts());
  check("helper_in_dependent_code", helper_in_dependent_code());
  check("helper_between", helper_between());
  check("helper_that_fills", helper_that_fills());
  check("helper_compiled_before", helper_compiled_before());
  check("scaled_sums", scaled_sums());
  check("arms_of_arms", arms_of_arms());
  check("byte_into_word", byte_into_word());
  check("bits_of_doubles", bits_of_doubles());
  check("in_expressions", in_expressions());
  check("static_total", static_total());
  check("serial_numbers", serial_numbers(s));
  check("read_in_the_next_round", read_in_the_next_round());
  check("rows_begin_at_zero", rows_begin_at_zero());
  check("phases", phases());
  check("memory_that_ends", memory_that_ends(16));
  check("look_and_take", look_and_take());
  check("counter_is_read_behind", counter_is_read_behind());
  check("rows_of_text", rows_of_text());
  shmem_barrier_all();
  const int64_t wrong = own_place_is_overwritten(me);
  shmem_barrier_all(); /* `check` writes the parts of others */
  check("own_place_is_overwritten", wrong);
  check("the end", 0);
  shmem_barrier_all();
  if (me == 0) printf("all as written\n");
  shmem_finalize();
  return 0;
}
