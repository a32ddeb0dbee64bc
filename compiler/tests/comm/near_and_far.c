/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that read from memory which this PE can load from, its own or a neighbour's, and from memory which it
 * cannot: what the loop stores may be what a later round reads. */
#include "told.h"

enum { N = 100 };
static long a[2 * N + 4], b[2 * N + 4], c[2 * N + 4];
static int at[N];

#define FORM static __attribute__((noinline))

/* Nothing that is read is stored. */
FORM void apart(int near, int far, int n) {
  for (int i = 0; i < n; i++) c[i] = shmem_long_g(&a[i], near) + 3 * shmem_long_g(&b[i], far);
}
/* The next round reads what this one has stored, if it is this PE's. */
FORM void of_the_round_before(int near, int far, int n) {
  for (int i = 0; i < n; i++) a[i + 1] = shmem_long_g(&a[i], near) + 3 * shmem_long_g(&b[i], far);
}
FORM void of_later_rounds(int near, int far, int n) {
  for (int i = 0; i < n; i++) a[i] = shmem_long_g(&a[i + 1], near) + 3 * shmem_long_g(&b[i], far);
}
FORM void backwards(int near, int far, int n) {
  for (int i = n - 1; i >= 0; i--) a[i] = shmem_long_g(&a[i + 1], near) + 3 * shmem_long_g(&b[i], far);
}
/* The stores come to where the reads have been only in the end. */
FORM void meets_late(long* to, int near, int far, int n) {
  for (int i = 0; i < n; i++) to[2 * i] = shmem_long_g(&a[i + n], near) + 3 * shmem_long_g(&b[i], far);
}
/* Where is known as it runs alone. */
FORM void anywhere(int near, int far, int n) {
  for (int i = 0; i < n; i++) a[at[i]] = shmem_long_g(&a[i], near) + 3 * shmem_long_g(&b[i], far);
}
/* Through a pointer into a neighbour's memory. */
FORM void through_pointer(long* p, int near, int far, int n) {
  for (int i = 0; i < n; i++) p[i + 1] = shmem_long_g(&a[i], near) + 3 * shmem_long_g(&b[i], far);
}
static OPAQUE long read(const long* r, int pe) {
  return shmem_long_g(r, pe);
}
static OPAQUE void through_pointer_as_written(long* p, int near, int far, int n) {
  for (int i = 0; i < n; i++) p[i + 1] = read(&a[i], near) + 3 * read(&b[i], far);
}
/* Places of some are computed ahead. */
FORM void with_computed_places(int near, int far, int n) {
  for (int i = 0; i < n; i++) c[i] = shmem_long_g(&a[i], near) + 3 * shmem_long_g(&b[at[i]], far);
}
FORM void with_computed_places_stored(int near, int far, int n) {
  for (int i = 0; i < n; i++) a[i + 1] = shmem_long_g(&a[i], near) + 3 * shmem_long_g(&b[at[i]], far);
}
FORM void computed_places_near(int near, int far, int n) {
  for (int i = 0; i < n; i++) b[i + 1] = shmem_long_g(&a[i], far) + 3 * shmem_long_g(&b[at[i]], near);
}
/* A get into memory that is read. */
FORM void gets(int near, int far, int n) {
  for (int i = 0; i < n; i++) {
    shmem_long_get(&a[i + 1], &b[i], 1, far);
    c[i] = shmem_long_g(&a[i], near);
  }
}
/* The bound is in memory that is read, and may be stored to. */
FORM void bound_is_loaded(long* bound, int near, int far) {
  for (long i = 0; i < *bound; i++)
    a[i + 1] = (shmem_long_g(&a[i + 2], near) & 63) + (shmem_long_g(&b[i], far) & 7);
}

static int me, n_pes;
static void start(void) {
  for (int i = 0; i < 2 * N + 4; i++) {
    a[i] = 1000 * me + i;
    b[i] = 7 * i - me;
    c[i] = -i;
  }
  for (int i = 0; i < N; i++) at[i] = (i * 37 + me) % N;
  shmem_barrier_all();
}
static void end(const char* name) {
  shmem_barrier_all();
  tell(name, hash_of(a, sizeof a) ^ 3 * hash_of(b, sizeof b) ^ 5 * hash_of(c, sizeof c));
}
#define RUN(FORM, ...) \
  do {                 \
    start();           \
    FORM(__VA_ARGS__); \
    end(#FORM);        \
  } while (0)
int main(void) {
  shmem_init();
  me = shmem_my_pe();
  n_pes = shmem_n_pes();
  /* This PE, and the one whose memory may be within reach while others' is not. */
  for (int which = 0; which < 2; which++) {
    const int near = which == 0 ? me : (me ^ 1) % n_pes, far = (me + 1 + which) % n_pes;
    for (int n = 3; n <= N; n += 97) {
      RUN(apart, near, far, n);
      if (which == 0) {
        RUN(of_the_round_before, near, far, n);
        RUN(of_later_rounds, near, far, n);
        RUN(backwards, near, far, n);
        RUN(meets_late, a, near, far, n);
        RUN(anywhere, near, far, n);
        RUN(with_computed_places_stored, near, far, n);
        RUN(computed_places_near, near, far, n);
        RUN(gets, near, far, n);
      }
      RUN(meets_late, c, near, far, n);
      RUN(with_computed_places, near, far, n);
    }
  }
  static long bound;
  start();
  bound = N;
  bound_is_loaded(&bound, me, (me + 1) % n_pes);
  end("bound_is_loaded");
  start();
  a[40] = N;
  bound_is_loaded(&a[40], me, (me + 1) % n_pes);
  end("bound_is_stored");
  /* One PE at a time, since it changes what its neighbour has. */
  for (int pe = 0; pe < n_pes; pe++) {
    const int near = (pe ^ 1) % n_pes, far = (pe + 2) % n_pes;
    uint64_t hashes[2] = {0, 0};
    for (int which = 0; which < 2; which++) {
      start();
      long* p = shmem_ptr(a, near);
      if (me == pe && p != NULL)
        which == 0 ? through_pointer(p, near, far, N) : through_pointer_as_written(p, near, far, N);
      shmem_barrier_all();
      hashes[which] = hash_of(a, sizeof a);
      shmem_barrier_all();
    }
    tell("through_pointer", hashes[0] == hashes[1]);
  }
  shmem_finalize();
  return 0;
}
