/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads of neighbouring places, one behind the other: which are one read, and what may be in between. */
#include "told.h"

static struct node {
  int kind;
  float weight;
  double value;
  char name[8];
  long far[200];
  long offsets[4];
} nodes[20];
static long small[8], steps[8];
static struct list {
  int next, first, last;
} lists[20];

#define FORM static __attribute__((noinline))

FORM double members(const struct node* r, int pe) {
  return shmem_int_g(&r->kind, pe) + shmem_float_g(&r->weight, pe) * shmem_double_g(&r->value, pe) -
         shmem_char_g(&r->name[3], pe);
}
FORM long upwards_and_down(const long* r, int k, int pe) {
  const long b = shmem_long_g(&r[k + 1], pe), a = shmem_long_g(&r[k], pe), c = shmem_long_g(&r[k + 2], pe);
  return a - 3 * b + 7 * c;
}
FORM long too_far(const struct node* r, int pe) {
  return shmem_int_g(&r->kind, pe) + 3 * shmem_long_g(&r->offsets[1], pe) +
         5 * shmem_long_g(&r->offsets[0], pe);
}
FORM long of_two(const long* r, int pe, int other) {
  return shmem_long_g(&r[0], pe) + 3 * shmem_long_g(&r[0], other) + 5 * shmem_long_g(&r[1], pe) +
         7 * shmem_long_g(&r[1], other);
}
/* A walk: what is read says where to go on. */
FORM long walk(const struct list* r, int pe) {
  long s = 0;
  for (int at = 0, k = 0; k < 15; k++) {
    const int next = shmem_int_g(&r[at].next, pe);
    s = 3 * s + shmem_int_g(&r[at].first, pe) - shmem_int_g(&r[at].last, pe);
    at = next;
  }
  return s;
}
/* Walks whose end is read, too. */
FORM long walk_to_end(const struct list* r, int pe) {
  long s = 0;
  for (int at = 0; at < 20;) {
    const int last = shmem_int_g(&r[at].last, pe);
    s = 3 * s + shmem_int_g(&r[at].first, pe);
    at = shmem_int_g(&r[at].next, pe) > at ? shmem_int_g(&r[at].next, pe) : 20 + last;
  }
  return s;
}
FORM long walk_in_calls(const struct list* r, int at, int pe) {
  const int first = shmem_int_g(&r[at].first, pe), last = shmem_int_g(&r[at].last, pe);
  const int next = shmem_int_g(&r[at].next, pe);
  if (at >= 15) return first;
  const long s = last % 2 ? walk_in_calls(r, at + 5, pe) : last;
  return 3 * s + (next > at ? walk_in_calls(r, next, pe) : first);
}
/* In between: a store to what is read, of this PE. */
FORM long stored(long* r, int me) {
  const long a = shmem_long_g(&r[0], me);
  r[1] = a + 5;
  return a + 3 * shmem_long_g(&r[1], me);
}
/* To memory of the function, and to what its caller may have chosen. */
FORM long copied(const long* r, long* to, int pe) {
  long own[3];
  long* volatile own_too = own;
  own[0] = shmem_long_g(&r[0], pe);
  own[1] = shmem_long_g(&r[1], pe);
  own[2] = shmem_long_g(&r[2], pe);
  to[1] = own_too[0] + own_too[2];
  to[2] = own[1] + shmem_long_g(&r[1], pe) + shmem_long_g(&r[2], pe);
  return own_too[1] + to[2];
}
FORM long perhaps(const long* r, int n, int pe) {
  long s = shmem_long_g(&r[0], pe);
  if (n > 3) s += shmem_long_g(&r[1], pe) + shmem_long_g(&r[3], pe);
  return s;
}
FORM long ended(const long* r, int n, int pe) {
  const long a = shmem_long_g(&r[0], pe);
  if (n < 0) exit(3);
  return a + shmem_long_g(&r[1], pe);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes(), next = (me + 1) % pes;
  for (int i = 0; i < 20; i++) {
    nodes[i] = (struct node){i + me, (float)i, me * 2.5 + i, "abcdef", {0}, {i, me, 3, 4}};
    lists[i] = (struct list){(i * 7 + 3) % 20, i + me, me * i};
  }
  for (int i = 0; i < 8; i++) small[i] = steps[i] = i * i + me;
  shmem_barrier_all();
  for (int i = 0; i < 5; i++) {
    tell("members", (uint64_t)(int64_t)(8 * members(&nodes[i], next)));
    tell("up and down", (uint64_t)upwards_and_down(small, i, next));
    tell("too far", (uint64_t)too_far(&nodes[i], next));
    tell("of two", (uint64_t)of_two(small + i, next, me));
    tell("perhaps", (uint64_t)perhaps(small, i, next));
    tell("ended", (uint64_t)ended(small, i, next));
  }
  tell("walk", (uint64_t)walk(lists, next));
  tell("walk_to_end", (uint64_t)walk_to_end(lists, next));
  tell("walk_in_calls", (uint64_t)walk_in_calls(lists, 0, next));
  tell("copied", (uint64_t)copied(small, steps, next));
  tell("copied here", (uint64_t)copied(steps, steps, me));
  tell("stored", (uint64_t)stored(steps, me));
  long s = 0; /* a loop of the form that all programs of this folder have */
  for (int i = 0; i < 8; i++) s = 3 * s + shmem_long_g(&small[i], next);
  tell("loop", (uint64_t)s);
  shmem_finalize();
}
