/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that only read, of other PEs too: what the loops around them have written is there by then. */
#include "told.h"

enum { room = 256 };
static long x[room], y[room], to[room], r[room];
static int b[room];

__attribute__((pure)) OPAQUE long value_of(const long* place, int pe) {
  return shmem_long_atomic_fetch(place, pe);
}
__attribute__((pure)) OPAQUE long sum_here(const long* from, int n) {
  long s = 0;
  for (int i = 0; i < n; i++) s = 3 * s + from[i];
  return s;
}

/* A swap is complete when it returns. */
static OPAQUE long swapped(int pe) {
  long s = 0;
  for (int i = 0; i < room; i++) {
    (void)shmem_long_atomic_swap(&x[b[i]], i + 1, pe);
    s = 3 * s + value_of(&x[b[i]], pe);
  }
  return s;
}
static OPAQUE long added(int pe) {
  long s = 0;
  for (int i = 0; i < room; i++) {
    (void)shmem_long_atomic_fetch_add(&y[b[i] / 4], i, pe);
    if (i % 3 == 0) s = 3 * s + value_of(&y[b[i] / 4], pe);
  }
  return s;
}
static OPAQUE long filled_between(int pe) {
  shmem_long_get(to, r, room, pe);
  const long v = value_of(&x[3], pe);
  return 5 * v + to[7];
}
static OPAQUE long sums(int pe) {
  long s = 0;
  for (int i = 0; i < room; i++) s = 5 * s + shmem_long_g(&r[i], pe) * sum_here(to, 9);
  return s;
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes();
  for (int i = 0; i < room; i++) {
    b[i] = (i * 7) % room;
    r[i] = me * 1000 + i;
  }
  shmem_barrier_all();
  tell("swapped", (uint64_t)swapped(right));
  tell("added", (uint64_t)added(right));
  tell("filled between", (uint64_t)filled_between(right));
  tell("sums", (uint64_t)sums(right));
  tell_memory("x", x, sizeof x);
  tell_memory("y", y, sizeof y);
  shmem_finalize();
}
