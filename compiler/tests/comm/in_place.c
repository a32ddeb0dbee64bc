/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that write where they have read: all rounds of a strip read before the first of them writes. */
#include <math.h>

#include "told.h"

enum { room = 6000, n_most = 5200 };
static long a[room], b[room], kept[4], mine[room];
static double doubles[room];
static int order[room];
static struct pair {
  int first;
  long second;
} pairs[room];

#define FORM static __attribute__((noinline))

FORM void change(long* r, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_long_p(&r[i], 3 * shmem_long_g(&r[i], pe) + i, pe);
}
FORM void from_behind(long* r, int n, int pe) {
  for (int i = n; i-- > 0;) shmem_long_p(&r[2 * i], 3 * shmem_long_g(&r[2 * i], pe) + i, pe);
}
/* Each round writes what earlier ones have read. */
FORM void move_down(long* r, int n, int pe) {
  for (int i = 0; i < n; i++)
    shmem_long_p(&r[i], shmem_long_g(&r[i], pe) - shmem_long_g(&r[i + 1], pe) + shmem_long_g(&r[i + 7], pe),
                 pe);
}
FORM void move_up(long* r, int n, int pe) {
  for (int i = n; i-- > 0;) shmem_long_p(&r[i + 1], shmem_long_g(&r[i], pe) + i, pe);
}
FORM void members(struct pair* r, int n, int pe) {
  for (int i = 0; i < n; i++) {
    const long second = shmem_long_g(&r[i].second, pe);
    shmem_int_p(&r[i].first, shmem_int_g(&r[i].first, pe) + (int)second, pe);
    shmem_long_p(&r[i].second, second + 1, pe);
  }
}
FORM void exchange(long* r, long* with, int n, int pe) {
  for (int i = 0; i < n; i++) {
    const long before = shmem_long_g(&r[i], pe);
    shmem_long_p(&r[i], with[i], pe);
    with[i] = before;
  }
}
FORM void blocks(long* r, int n, int pe) {
  for (int i = 0; i < n; i++) {
    long block[3];
    shmem_long_get(block, &r[3 * i], 3, pe);
    block[1] += block[0] + i;
    block[2] ^= block[1];
    shmem_long_put(&r[3 * i], block, 3, pe);
  }
}
/* By functions that may set errno, which nothing here looks at. */
FORM void functions(double* r, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_double_p(&r[i], floor(sqrt(shmem_double_g(&r[i], pe)) + pow(i, .5)), pe);
}
/* Beside reads and writes of other objects, which stay in their rounds or are computed ahead. */
FORM long beside_kept(int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    shmem_long_p(&a[i], 3 * shmem_long_g(&a[i], pe) + i, pe);
    s = 3 * s + shmem_long_g(&kept[1], pe);
  }
  return s;
}
FORM long beside_puts(int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    long block[2];
    shmem_long_get(block, &b[2 * order[i]], 2, pe);
    block[0] = s = 3 * s + block[1];
    shmem_long_put(&b[2 * order[i]], block, 2, pe);
    shmem_long_put(&a[i], &s, 1, pe);
  }
  return s;
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  for (int i = 0; i < room; i++) {
    a[i] = b[i] = (long)i * i + me;
    doubles[i] = i + me;
    order[i] = (i * 37) % (room / 2);
    pairs[i] = (struct pair){i, i * 7 + me};
    mine[i] = -i;
  }
  kept[1] = me + 5;
  shmem_barrier_all();
  static const int rounds[] = {3, 5, 2047, 2048, 2049, n_most};
  for (size_t k = 0; k < sizeof rounds / sizeof rounds[0]; k++) {
    const int n = rounds[k], pe = (me + (int)k) % pes;
    change(a, n, pe);
    tell_memory("change", a, sizeof a);
    from_behind(a, n / 2, pe);
    tell_memory("from behind", a, sizeof a);
    move_down(a, n, pe);
    tell_memory("move down", a, sizeof a);
    move_up(a, n, pe);
    tell_memory("move up", a, sizeof a);
    members(pairs, n, pe);
    shmem_barrier_all();
    for (int i = 0; i < room; i++) mine[i] ^= pairs[i].first ^ pairs[i].second;
    exchange(a, mine, n, pe);
    tell_memory("exchange", a, sizeof a);
    tell_memory("exchanged", mine, sizeof mine);
    blocks(a, n / 3, pe);
    tell_memory("blocks", a, sizeof a);
    functions(doubles, n, pe);
    tell_memory("functions", doubles, sizeof doubles);
    tell("kept", (uint64_t)beside_kept(n, pe));
    tell_memory("beside kept", a, sizeof a);
    tell("puts", (uint64_t)beside_puts(n / 2, pe));
    tell_memory("beside puts", a, sizeof a);
    tell_memory("and b", b, sizeof b);
  }
  shmem_finalize();
}
