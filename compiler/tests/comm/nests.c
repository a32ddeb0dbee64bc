/* SPDX-License-Identifier: BSD-3-Clause */
/* Nests of loops whose reads are made together for many rounds of the outer one: by what bounds the inner
 * loops, by what is stored meanwhile, and by how many reads a round has. */
#include "told.h"

enum { table = 1024, most_rows = 300, most_entries = 60000 };
static double x[table], y[most_rows], weight[most_entries];
static long values[table], others[table], begin_of[most_rows + 1], length_of[most_rows];
static long column[most_entries], counts[table], sums[most_rows];
static int kind[most_entries], small_begin[most_rows + 1], small_column[most_entries];

typedef uint64_t u64;
#define FORM static __attribute__((noinline))

FORM void product(double* to, const long* begin, const long* at, long rows, int pes) {
  for (long r = 0; r < rows; r++) {
    double sum = 0;
    for (long e = begin[r]; e < begin[r + 1]; e++)
      sum += weight[e] * shmem_double_g(&x[at[e] % table], (int)(at[e] % pes));
    to[r] = sum;
  }
}
FORM u64 rectangle(const long* at, long rows, int pe) {
  u64 s = 0;
  for (long r = 0; r < rows; r++)
    for (long e = 0; e < 20; e++) s = 3 * s + (u64)shmem_long_g(&values[at[20 * r + e] % table], pe);
  return s;
}
/* A triangle, downwards, with steps. */
FORM u64 triangle(const long* at, int n, int pe) {
  u64 s = 1;
  for (int i = n - 1; i >= 0; i--)
    for (int k = i; k > 0; k -= 2) s = 5 * s - (u64)shmem_long_g(&values[(at[i] + at[k]) % table], pe);
  return s;
}
FORM u64 three_deep(const long* begin, const long* at, long rows, int pe, int other) {
  u64 s = 1;
  for (long r = 0; r < rows; r++) {
    s += (u64)shmem_long_g(&others[at[r] % table], other);
    for (long e = begin[r]; e < begin[r + 1]; e++) {
      s ^= (u64)shmem_long_g(&values[at[e] % table], pe);
      for (long k = 0; k < at[e] % 5; k++) s = 3 * s + (u64)shmem_long_g(&others[(at[e] * k) % table], pe);
    }
    for (int k = 0; k < 9; k++) s = 7 * s + (u64)shmem_long_g(&values[at[r + k] % table], other);
  }
  return s;
}
/* Conditions, ways that meet again, and ways out of the inner loop. */
FORM u64 decisions(const long* begin, const long* at, const int* what, long rows, int pe, int other) {
  u64 s = 1;
  for (long r = 0; r < rows; r++) {
    if (what[r] == 1) continue;
    for (long e = begin[r]; e < begin[r + 1]; e++) {
      long place = at[e];
      switch (what[e] & 7) {
        case 0:
          continue;
        case 1:
          place += 5;
          break;
        case 2:
        case 3:
          place *= 3;
      }
      if (what[e] > 1000) break;
      if ((what[e] & 3) == 2) s += (u64)shmem_long_g(&others[place % table], other);
      s = 3 * s + (u64)shmem_long_g(&values[place % table], (what[e] & 1) ? pe : other);
      if (s & 1) s += 17; /* depends on what is read, but no place does */
    }
  }
  return s;
}
/* A loop inside computes where. */
FORM u64 hashed(const long* at, long rows, int pe) {
  u64 s = 1;
  for (long r = 0; r < rows; r++) {
    unsigned long h = 5;
    for (int k = 0; k < 12; k++) h = h * 31 + (unsigned long)at[r + k];
    for (int k = 0; k < 10; k++) s = 3 * s + (u64)shmem_long_g(&values[(h >> k) % table], pe);
  }
  return s;
}
FORM u64 pieces(const long* begin, const long* at, long rows, int pe) {
  u64 s = 1;
  long three[3];
  for (long r = 0; r < rows; r++)
    for (long e = begin[r]; e < begin[r + 1]; e++) {
      shmem_long_get(three, &values[at[e] % (table - 3)], 3, pe);
      s = 3 * s + (u64)(three[0] ^ three[1]) - (u64)three[2];
    }
  return s;
}
/* Whole rows by steps, beside a place that is computed for each. */
FORM u64 rows_by_steps(const long* at, long rows, int pe) {
  u64 s = 1;
  for (long r = 0; r < rows; r++) {
    const u64 w = (u64)shmem_long_g(&others[at[r] % table], pe);
    for (long k = 0; k < 30; k++) s = 3 * s + w * (u64)shmem_long_g(&values[(r & 7) * 30 + k], pe);
  }
  return s;
}
/* The outer loop alone reads, and writes. */
FORM void outer(long* to, const long* from, long rows, int pe, int other) {
  for (long r = 0; r < rows; r++) {
    u64 s = (u64)shmem_long_g(&from[r], pe);
    for (u64 k = (s & 15); k > 0; k--) s = s * 3 + k;
    shmem_long_p(&to[r], (long)s, other);
  }
}
FORM void outer_of_sums(long* to, const long* begin, const long* at, long rows, int pe, int other) {
  for (long r = 0; r < rows; r++) {
    u64 s = 0;
    for (long e = begin[r]; e < begin[r + 1]; e++) s = 3 * s + (u64)shmem_long_g(&values[at[e] % table], pe);
    shmem_long_p(&to[r], (long)s, other);
  }
}
/* Updates are collected, and what the nest reads is another object. */
FORM void updates(const long* begin, const long* at, long rows, int pes) {
  for (long r = 0; r < rows; r++)
    for (long e = begin[r]; e < begin[r + 1]; e++)
      shmem_long_atomic_add(&counts[at[e] % table], shmem_long_g(&values[at[e] * 7 % table], (int)(r % pes)),
                            (int)(e % pes));
}

/* ---- what the nest itself stores */

/* Of this PE, where it is read. */
FORM void own(long* to, const int* begin, const int* at, long rows, int me, int next) {
  for (long r = 0; r < rows; r++) {
    u64 s = 0;
    for (int e = begin[r]; e < begin[r + 1]; e++)
      s = 3 * s + (u64)shmem_long_g(&values[at[e] % table], at[e] & 512 ? next : me);
    to[r] = (long)s;
  }
}
/* Bounds of later rows, or places of later rows. */
FORM u64 longer_rows(long* begin, const long* at, long rows, int pe) {
  u64 s = 1;
  for (long r = 0; r < rows; r++) {
    for (long e = begin[r]; e < begin[r + 1]; e++) s = 3 * s + (u64)shmem_long_g(&values[at[e] % table], pe);
    begin[r + 2] += (long)(s & 1);
  }
  return s;
}
FORM u64 other_places(const long* begin, long* at, long rows, int pe) {
  u64 s = 1;
  for (long r = 0; r < rows; r++)
    for (long e = begin[r]; e < begin[r + 1]; e++) {
      s = 3 * s + (u64)shmem_long_g(&values[at[e] % table], pe);
      at[e + 3] = (at[e + 3] + (long)(s & 255)) & (table - 1);
    }
  return s;
}
/* Behind the load in each round of the inner loop, and in front of the next one's. */
FORM u64 again_inside(long* at, long rows, int pe) {
  u64 s = 1;
  for (long r = 0; r < rows; r++)
    for (int k = 0; k < 10; k++) {
      s = 3 * s + (u64)shmem_long_g(&values[at[r] & (table - 1)], pe);
      at[r] = at[r] * 5 + k;
    }
  return s;
}
/* Behind the inner loop. */
FORM u64 behind_it(long* at, long rows, int pe) {
  u64 s = 1;
  for (long r = 0; r < rows; r++) {
    for (int k = 0; k < 10; k++) s = 3 * s + (u64)shmem_long_g(&values[(at[r] * k) & (table - 1)], pe);
    at[r] = (long)(s & (table - 1));
  }
  return s;
}

static int me, pes, next, second;
static void start(long rows, long entries_of_a_row) {
  for (int i = 0; i < table; i++) {
    x[i] = me + i / 4.;
    values[i] = me * 1000003L + i * 7919;
    others[i] = values[i] ^ i;
    counts[i] = 0;
  }
  long all = 0;
  for (long r = 0; r < most_rows; r++) {
    begin_of[r] = all;
    length_of[r] = r < rows ? (r * 7 + me) % (entries_of_a_row + 1) : 0;
    if (r == 40 && rows > 200) length_of[r] = 17000 + me;
    all += length_of[r];
  }
  begin_of[most_rows] = all;
  for (long e = 0; e < most_entries; e++) {
    weight[e] = 1 + e % 13;
    column[e] = (e * 37 + me) % 4999;
    kind[e] = (int)((e * 11 + me) % 1021);
  }
  memset(y, 0, sizeof y);
  memset(sums, 0, sizeof sums);
  shmem_barrier_all();
}

static void run(long rows, long entries) {
  start(rows, entries);
  if (me == 0) printf("%ld rows of %ld\n", rows, entries);
  product(y, begin_of, column, rows, pes);
  tell_memory("product", y, sizeof y);
  tell("rectangle", rectangle(column, rows, next));
  tell("triangle", triangle(column, (int)(rows < 60 ? rows : 60), next));
  tell("three deep", three_deep(begin_of, column, rows < 100 ? rows : 100, next, second));
  tell("decisions", decisions(begin_of, column, kind, rows, next, second));
  tell("hashed", hashed(column, rows, next));
  tell("pieces", pieces(begin_of, column, rows < 40 ? rows : 40, next));
  tell("rows by steps", rows_by_steps(column, rows, next));
  outer(sums, values, rows, next, second);
  tell_memory("outer", sums, sizeof sums);
  outer_of_sums(sums, begin_of, column, rows, next, second);
  tell_memory("outer of sums", sums, sizeof sums);
  updates(begin_of, column, rows, pes);
  tell_memory("updates", counts, sizeof counts);
  tell("again inside", again_inside(column, rows, next));
  tell_memory("again inside", column, sizeof column);
  tell("behind it", behind_it(column, rows, next));
  tell_memory("behind it", column, sizeof column);
  tell("other places", other_places(begin_of, column, rows < 40 ? rows : 40, next));
  tell_memory("other places", column, sizeof column);
  if (rows + 1 < most_rows) tell("longer rows", longer_rows(begin_of, column, rows, next));
  tell_memory("longer rows", begin_of, sizeof begin_of);
  start(rows, entries);
  for (int r = 0; r <= most_rows; r++) small_begin[r] = (int)begin_of[r];
  for (int e = 0; e < most_entries; e++) small_column[e] = (int)column[e];
  own(sums, small_begin, small_column, rows, me, next);
  tell_memory("own sums", sums, sizeof sums);
  shmem_barrier_all();
  own(values, small_begin, small_column, rows, me, next);
  tell_memory("own values", values, sizeof values);
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  next = (me + 1) % pes;
  second = (me + 2) % pes;
  const long rows[] = {0, 1, 3, 4, 5, 50, 290};
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) run(rows[i], i % 2 == 0 ? 12 : 30);
  shmem_finalize();
}
