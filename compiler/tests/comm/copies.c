/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that only store what they read, and some that do a little more. */
#include "told.h"

enum { most = 4096, most_pes = 8, side = 24 };
static int me, pes;
static double matrix[side][side * most_pes], turned[side][side * most_pes];
static struct point {
  double x, y;
  float z;
  char tag, more[3];
} points[most], mine[most];
static long keys[most], other_keys[most], out[most], out_too[most], box[most];
static char letters[most], word[most];
static long double wide[64], wide_out[64];
long opaque_zero;

#define FORM static __attribute__((noinline))

FORM void transpose(long rows) {
  for (long r = 0; r < rows; r++)
    for (int pe = 0; pe < pes; pe++)
      for (long c = 0; c < rows; c++)
        turned[r][pe * rows + c] = shmem_double_g(&matrix[c][me * rows + r], pe);
}
FORM void dense(long n, int pe) {
  for (long i = 0; i < n; i++) out[i] = shmem_long_g(&keys[i], pe);
}
FORM void spread(long n, int pe) {
  for (long i = 0; i < n; i++) out[3 * i] = shmem_long_g(&keys[i], pe);
}
FORM void gathered(long n, int pe) {
  for (long i = 0; i < n; i++) out[i] = shmem_long_g(&keys[5 * i], pe);
}
FORM void members(long n, int pe) {
  for (long i = 0; i < n; i++) mine[i].x = shmem_double_g(&points[i].y, pe);
  for (long i = 0; i < n; i++) mine[i].z = shmem_float_g(&points[i].z, pe);
  for (long i = 0; i < n; i++) mine[i].tag = shmem_char_g(&points[i].tag, pe);
}
FORM void upside_down(long n, int pe) {
  for (long i = 0; i < n; i++) out[n - 1 - i] = shmem_long_g(&keys[i], pe);
  for (long i = n - 1; i >= 0; i--) out_too[i] = shmem_long_g(&keys[i], pe);
}
FORM void text(long n, int pe) {
  for (long i = 0; i < n; i++) word[i] = shmem_char_g(&letters[i], pe);
}
FORM void long_doubles(long n, int pe) {
  for (long i = 0; i < n; i++) wide_out[i] = shmem_longdouble_g(&wide[i], pe);
}
FORM void pairs_by_get(long n, int pe) {
  for (long i = 0; i < n; i++) shmem_long_get(&out[4 * i], &keys[4 * i], 2, pe);
  for (long i = 0; i < n; i++) shmem_long_get(&out_too[2 * i], &keys[2 * i], 2, pe);
}
/* What this PE reads is what it has just stored, if the PE is this one. */
FORM void carried(long n, int pe) {
  for (long i = 0; i < n; i++) keys[i + 1] = shmem_long_g(&keys[i], pe);
}
FORM void two_arrays(long n, int pe) {
  for (long i = 0; i < n; i++) {
    out[i] = shmem_long_g(&keys[i], pe);
    out_too[i] = shmem_long_g(&other_keys[i], pe);
  }
}
/* The second overwrites what the first has stored in another round. */
FORM void one_over_the_other(long n, int pe) {
  for (long i = 0; i < n; i++) {
    out[i + 7] = shmem_long_g(&keys[i], pe);
    out[2 * i] = shmem_long_g(&other_keys[i], pe);
  }
}
FORM void and_more(long n, int pe) {
  for (long i = 0; i < n; i++) {
    out[i] = shmem_long_g(&keys[i], pe);
    out_too[i] = i * 3;
  }
}
FORM void stored_twice(long n, int pe) {
  for (long i = 0; i < n; i++) out[i] = out_too[n - i] = shmem_long_g(&keys[i], pe);
}
FORM long with_the_last(long n, int pe) {
  long last = 0;
  for (long i = 0; i < n; i++) out[i] = last = shmem_long_g(&keys[i], pe);
  return last;
}
FORM void some_of_them(long n, int pe, long least) {
  for (long i = 0; i < n; i++) {
    const long key = shmem_long_g(&keys[i], pe);
    if (i >= least) out[i] = key;
  }
}
/* Of pointers nobody knows what they point to: here it is what is read. */
FORM void by_pointer(long* to, const long* from, long n, int pe) {
  for (long i = 0; i < n; i++) to[i] = shmem_long_g(&from[i], pe);
}
FORM void by_restrict(long* restrict to, const long* restrict from, long n, int pe) {
  for (long i = 0; i < n; i++) to[i] = shmem_long_g(&from[i], pe);
}
FORM long used_at_once(long n) {
  long sum = 0;
  for (int pe = 0; pe < pes; pe++) {
    for (long i = 0; i < n; i++) out[i] = shmem_long_g(&keys[2 * i], pe);
    sum = sum * 3 + out[n / 2];
    out[n / 3] = sum;
  }
  return sum + out[n / 3];
}
/* Each overwrites half of the one before. */
FORM void overlapping(long n) {
  for (int pe = 0; pe < pes; pe++)
    for (long i = 0; i < n; i++) out[pe * n / 2 + i] = shmem_long_g(&keys[3 * i], pe);
}
/* More than are under way at a time, in memory that is given back. */
FORM uint64_t many(long n) {
  uint64_t sum = 0;
  long* all = malloc((size_t)(n * pes * 8) * sizeof *all);
  for (long i = 0; i < n; i++)
    for (int pe = 0; pe < pes; pe++)
      for (long k = 0; k < 8; k++) all[(i * pes + pe) * 8 + k] = shmem_long_g(&keys[i + 4 * k], pe);
  for (long i = 0; i < n * pes * 8; i++) sum = sum * 5 + (uint64_t)all[i];
  free(all);
  return sum;
}
/* What is put goes on to where something is read, and what is read is what is put. */
FORM void there_and_back(long n) {
  const int next = (me + 1) % pes;
  for (int k = 0; k < 5; k++) {
    for (long i = 0; i < n; i++) out[i] = shmem_long_g(&box[2 * i], next);
    shmem_long_put(box, out, (size_t)n, next);
    shmem_quiet();
  }
}
FORM void then_others_read(long n) {
  const int next = (me + 1) % pes;
  for (long i = 0; i < n; i++) box[i] = shmem_long_g(&keys[2 * i], next);
  shmem_barrier_all();
  for (long i = 0; i < n; i++) out[i] = shmem_long_g(&box[i], next);
  shmem_barrier_all();
}
FORM void in_a_frame(long n, int pe) {
  long frame[64];
  for (long i = 0; i < n; i++) frame[i] = shmem_long_g(&keys[2 * i], pe);
  memcpy(out, frame, (size_t)n * sizeof *out);
}

int main(void) {
  shmem_init();
  me = shmem_my_pe(), pes = shmem_n_pes();
  for (int i = 0; i < most; i++) {
    keys[i] = i * 7 + me, other_keys[i] = i * 5 - me, box[i] = i + me * 3, letters[i] = (char)(i % 61 + me);
    points[i] = (struct point){i + me, i * 2 - me, (float)(i % 9), (char)(i % 11 + me), {0}};
  }
  for (int i = 0; i < 64; i++) wide[i] = i + me;
  for (int i = 0; i < side; i++)
    for (int k = 0; k < side * most_pes; k++) matrix[i][k] = i * 1000 + k + me * 100000;
  shmem_barrier_all();
  const uint64_t size = sizeof out;
  for (long rows = 1 + opaque_zero; rows <= side; rows += 11)
    transpose(rows), tell("transpose", hash_of(turned, sizeof turned));
  for (long n = opaque_zero; n < 700; n = n * 5 + 1)
    for (int pe = 0; pe < pes; pe++) {
      dense(n, pe), tell("dense", hash_of(out, size));
      spread(n, pe), tell("spread", hash_of(out, size));
      gathered(n, pe), tell("gathered", hash_of(out, size));
      members(n, pe), tell("members", hash_of(mine, sizeof mine));
      upside_down(n, pe), tell("upside_down", hash_of(out, size) + hash_of(out_too, size));
      text(n, pe), tell("text", hash_of(word, sizeof word));
      pairs_by_get(n, pe), tell("pairs", hash_of(out, size) + hash_of(out_too, size));
      two_arrays(n, pe), tell("two_arrays", hash_of(out, size) + hash_of(out_too, size));
      one_over_the_other(n, pe), tell("over", hash_of(out, size));
      and_more(n, pe), tell("and_more", hash_of(out, size) + hash_of(out_too, size));
      stored_twice(n, pe), tell("twice", hash_of(out, size) + hash_of(out_too, size));
      tell("last", (uint64_t)with_the_last(n, pe));
      some_of_them(n, pe, n / 2), tell("some", hash_of(out, size));
      by_pointer(out, keys, n, pe), tell("pointer", hash_of(out, size));
      by_restrict(out_too, keys, n, pe), tell("restrict", hash_of(out_too, size));
    }
  long_doubles(50 + opaque_zero, pes - 1);
  for (int i = 0; i < 50; i++) tell("wide", (uint64_t)wide_out[i]);
  tell("used_at_once", (uint64_t)used_at_once(50 + opaque_zero));
  overlapping(60 + opaque_zero), tell("overlapping", hash_of(out, size));
  tell("many", many(70 + opaque_zero));
  in_a_frame(40 + opaque_zero, (me + 1) % pes), tell("frame", hash_of(out, size));
  shmem_barrier_all();
  then_others_read(90 + opaque_zero), tell("then_others", hash_of(out, size));
  there_and_back(80 + opaque_zero), tell("there_and_back", hash_of(out, size));
  shmem_barrier_all();
  tell("box", hash_of(box, sizeof box));
  carried(100 + opaque_zero, me), tell("carried", hash_of(keys, sizeof keys));
  by_pointer(&keys[1], keys, 100 + opaque_zero, me), tell("carried_by_pointer", hash_of(keys, sizeof keys));
  shmem_finalize();
}
