/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that look like ones for strips, or reads like ones that are made once, and have something special. */
#include <pthread.h>
#include <setjmp.h>

#include "told.h"

enum { room = 5000 };
static long a[room], sent[room], own[room];
static int halves[room][2];
static struct __attribute__((packed)) odd {
  int a;
  double b;
} odds[room], sent_odds[room];
static struct __attribute__((packed)) person {
  char name[30];
  double weight;
  int age;
} people[room];
static struct holes {
  double a, hole, b;
} holes[room];
static char is_edge[room]; /* none is */
static long x, y;
long opaque_zero;

#define FORM static __attribute__((noinline))

/* Counters that wrap. */
FORM long wrapping(const long* r, unsigned from, unsigned n, int pe) {
  long s = 0;
  for (unsigned i = from; i != n; i++) s = 3 * s + shmem_long_g(&r[(unsigned)(i + 7) % 64], pe);
  for (unsigned i = from; i != n; i++) s = 3 * s + shmem_long_g(&r[i + 7], pe);
  return s;
}
FORM long small_counter(const long* r, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) s = 3 * s + shmem_long_g(&r[(unsigned char)i], pe);
  for (unsigned char i = 0; i < (unsigned char)n; i++) s = 3 * s + shmem_long_g(&r[(signed char)i + 128], pe);
  return s;
}
/* Two halves of an element, in either order. */
FORM void both_halves(int (*r)[2], int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_int_p(&r[i][1], i, pe);
    shmem_int_p(&r[i][0], -i, pe);
  }
}
FORM double unaligned(const struct odd* r, struct odd* to, int n, int pe) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s = s / 3 + shmem_double_g(&r[i].b, pe);
    shmem_int_p(&to[i].a, i, pe);
  }
  for (int i = 0; i < n; i++) shmem_double_p(&to[i].b, i, pe);
  return s;
}
/* At distances that no strided transfer has. */
FORM double far_apart(const struct person* r, int n, int pe) {
  double s = 0;
  for (int i = 0; i < n; i++) s = s / 3 + shmem_double_g(&r[i].weight, pe);
  for (int i = n; i-- > 0;) {
    char part[3];
    shmem_getmem(part, &r[i].name[5], 3, pe);
    s = s / 3 + part[0] - 5 * part[2];
  }
  return s;
}
FORM void around_holes(struct holes* r, int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_double_p(&r[i].a, i + 1, pe);
    shmem_double_p(&r[i].b, i + 2, pe);
  }
}
/* One variable for all rounds. */
FORM void through_one(long* to, const long* r, int n, int pe) {
  long one = 0;
  for (int i = 0; i < n; i++) {
    shmem_long_get(&one, &r[i], 1, pe);
    one += i;
    shmem_long_put(&to[i], &one, 1, pe);
  }
}
FORM long triangle(const long* r, int n, int pe) {
  long s = 0;
  for (int row = 0; row < n; row++)
    for (int i = row; i < n; i++) s = 3 * s + shmem_long_g(&r[row + i], pe);
  return s;
}
FORM long deep(const long* r, int depth, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) s = 3 * s + shmem_long_g(&r[i], pe);
  return depth == 0 ? s : s + deep(r + 1, depth - 1, n, pe) + 7 * shmem_long_g(r, pe);
}
FORM long own_pe_inside(const long* r, long* to, int n) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    s = 3 * s + shmem_long_g(&r[i], (shmem_my_pe() + 1) % shmem_n_pes());
    shmem_long_p(&to[i], s, (shmem_my_pe() + 1) % shmem_n_pes());
  }
  return s;
}
FORM long of_all(const long* r, int n) {
  long s = 0;
  for (int pe = 0; pe < shmem_n_pes(); pe++)
    for (int i = 0; i < n; i++) s = 3 * s + shmem_long_g(&r[i], pe);
  for (int i = 0; i < n; i++)
    for (int pe = 0; pe < shmem_n_pes(); pe++) s = 3 * s + shmem_long_g(&r[i], pe);
  return s;
}
FORM long jumps(const long* r, int n, int pe) {
  long s = 0;
  int i = 0;
again:
  s = 3 * s + shmem_long_g(&r[i], pe);
  switch (s & 3) {
    case 0:
      s += 5;
    case 1:
      s ^= 9;
      break;
    default:
      s -= shmem_long_g(&r[2 * i], pe);
  }
  if (++i < n) goto again;
  return s;
}
/* What names the place is changed by the loop: by a store that may meet it. */
FORM long moving_place(const long** r, int* which, int n, int next, const long** also_r, int* also_which) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    s = 3 * s + shmem_long_g(&(*r)[i], *which);
    if (i == 30) *also_which = next;
    if (i == 40) *also_r += 5;
  }
  return s;
}
/* Several values live on behind the loop. */
FORM long lives_on(const long* r, int n, int pe) {
  long previous = 1, value = 2;
  const long* place = r;
  int i;
  for (i = 0; i < n; i++) {
    previous = value;
    place = &r[i];
    value = shmem_long_g(place, pe);
  }
  return previous * 3 + value * 5 + i * 7 + (place - r);
}
FORM long sized(const long* r, long* to, int n, int pe) {
  for (int i = 0; i < n; i++) {
    unsigned char bytes[24];
    shmem_get64(bytes, &r[3 * i], 3, pe);
    shmem_putmem(&to[3 * i], bytes, sizeof bytes, pe);
  }
  return n;
}
FORM long until_set(const long* r, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    const long v = shmem_long_g(&r[i], pe);
    if (v % 1000 == 999) break;
    s = 3 * s + v;
  }
  return s;
}
/* What is written is what was read. */
FORM void passed_on(long* to, long* too, const long* r, int n, int pe) {
  for (int i = 0; i < n; i++) {
    const long v = shmem_long_g(&r[i], pe);
    shmem_long_p(&to[i], v, pe);
    shmem_long_p(&too[i], v, pe);
  }
}
/* PE and place of the read are no values where there is one column, and no edge. */
static inline long exchange(const long* r, long* to, int pe, int columns, int shift) {
  long s = 0;
  for (int i = 0; i < 1000; i++) {
    shmem_long_p(&to[i], i + 1, pe);
    if (is_edge[i]) s += shmem_long_g(&r[i + (1 << shift)], (pe + 1) % columns);
  }
  return s;
}
FORM long no_columns(const long* r, long* to, int pe) {
  return exchange(r, to, pe, 0, 3);
}
FORM long no_place(const long* r, long* to, int pe) {
  return exchange(r, to, pe, 2, 40);
}
FORM long columns_by_variable(const long* r, long* to, int pe, int columns) {
  return exchange(r, to, pe, columns, 3);
}
/* Six transfers, whose buffers are larger than the stack of the thread. */
static int receiver;
static void* on_small_stack(void* rows) {
  long* to = rows;
  for (int i = 0; i < 800; i++)
    for (int row = 0; row < 6; row++) shmem_long_p(&to[800 * row + i], i + row, receiver);
  return NULL;
}
OPAQUE static int run_on_small_stack(int pe) {
  pthread_attr_t small;
  pthread_t thread;
  receiver = pe;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  const int failed = pthread_create(&thread, &small, on_small_stack, sent);
  if (!failed) pthread_join(thread, NULL);
  return failed;
}

/* Reads of one place. */
FORM long stored_between(long* p, int pe) {
  const long before = shmem_long_g(&x, pe);
  *p = before + 5;
  return before * 3 + shmem_long_g(&x, pe);
}
FORM long put_between(long* p, int pe) {
  const long before = shmem_long_g(&x, pe);
  shmem_long_p(p, before + 5, pe);
  shmem_quiet();
  return before * 3 + shmem_long_g(&x, pe);
}
FORM long half_between(long* p, int pe) {
  const long before = shmem_long_g(p, pe);
  shmem_int_p((int*)p + 1, 77, pe);
  shmem_quiet();
  return before * 3 + shmem_long_g(p, pe);
}
FORM long near_store(int pe) {
  const long before = shmem_long_g(&y, pe);
  long* copy = shmem_ptr(&y, pe);
  if (copy) *copy = 12;
  return copy ? shmem_long_g(&y, pe) - 12 : before * 0;
}
FORM long wait_for(long* flag, int pe) {
  long rounds = 0;
  if (shmem_long_g(flag, pe) == 0)
    while (shmem_long_g(flag, pe) == 0) rounds++;
  return rounds * 0 + shmem_long_g(flag, pe);
}

/* The loop is left before it divides. */
static jmp_buf way_out;
static OPAQUE void leave_if_zero(long by) {
  if (by == 0) longjmp(way_out, 1);
}
static OPAQUE long divides(long by, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    leave_if_zero(by);
    s += shmem_long_g(&own[7 / by + (i & 1)], pe);
  }
  return s;
}
static OPAQUE void writes_where_it_divides(long by, int n, int pe) {
  for (int i = 0; i < n; i++) {
    leave_if_zero(by);
    shmem_long_p(&own[7 / by + i], i, pe);
  }
}
static OPAQUE int never_divides(int n, int pe) {
  volatile int left = 0;
  if (setjmp(way_out) == 0)
    divides(opaque_zero, n, pe);
  else
    left++;
  if (setjmp(way_out) == 0)
    writes_where_it_divides(opaque_zero, n, pe);
  else
    left += 2;
  return left;
}

int main(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_SERIALIZED, &provided);
  const int me = shmem_my_pe(), pes = shmem_n_pes(), next = (me + 1) % pes;
  for (int i = 0; i < room; i++) {
    a[i] = me * 1000003L + (long)i * i;
    odds[i] = (struct odd){i, i / 3. + me};
    holes[i] = (struct holes){0, me, 0};
    people[i].weight = i / 7. + me;
    for (int k = 0; k < 30; k++) people[i].name[k] = (char)(i * 3 + k + me);
  }
  shmem_barrier_all();
  const int n = 2300 + (int)opaque_zero;
  if (opaque_zero) is_edge[3] = 1;
  tell("wrapping", (uint64_t)wrapping(a, 0xfffffffeu, 6, next));
  tell("small counter", (uint64_t)small_counter(a, 600, next));
  tell("triangle", (uint64_t)triangle(a, 40, next));
  tell("deep", (uint64_t)deep(a, 5, 100, next));
  tell("of all", (uint64_t)of_all(a, 50));
  tell("jumps", (uint64_t)jumps(a, 100, next));
  tell("lives on", (uint64_t)lives_on(a, n, next));
  const long* place = a;
  int which = me;
  tell("moving place", (uint64_t)moving_place(&place, &which, n, next, &place, &which));
  tell("until set", (uint64_t)until_set(a, n, next));
  through_one(sent, a, n, next);
  tell_memory("through one", sent, sizeof sent);
  both_halves(halves, n, next);
  tell_memory("both halves", halves, sizeof halves);
  tell("unaligned", (uint64_t)(int64_t)(1000 * unaligned(odds, sent_odds, n, next)));
  tell_memory("unaligned", sent_odds, sizeof sent_odds);
  tell("far apart", (uint64_t)(int64_t)(1000 * far_apart(people, n, next)));
  around_holes(holes, n, next);
  tell_memory("around holes", holes, sizeof holes);
  tell("own PE inside", (uint64_t)own_pe_inside(a, sent, n));
  tell_memory("own PE inside", sent, sizeof sent);
  tell("sized", (uint64_t)sized(a, sent, n / 2, next));
  tell_memory("sized", sent, sizeof sent);
  passed_on(sent, sent + n, a, n, next);
  tell_memory("passed on", sent, sizeof sent);
  tell("no columns", (uint64_t)no_columns(a, sent, next));
  tell("no place", (uint64_t)no_place(a, sent + 1, next));
  tell("no columns known", (uint64_t)columns_by_variable(a, sent + 2, next, (int)opaque_zero));
  tell_memory("no columns", sent, sizeof sent);
  tell("on a small stack", (uint64_t)run_on_small_stack(next));
  tell_memory("on a small stack", sent, sizeof sent);
  x = 3 + me;
  shmem_barrier_all();
  const long stored = stored_between(&x, me); /* read by nobody else */
  shmem_barrier_all();
  tell("stored between", (uint64_t)stored);
  const long put = put_between(&x, next);
  shmem_barrier_all();
  tell("put between", (uint64_t)put);
  const long half = half_between(&x, next);
  shmem_barrier_all();
  tell("half between", (uint64_t)half);
  tell("near store", (uint64_t)near_store(next));
  tell("never divides", (uint64_t)never_divides(n, next));
  own[0] = 0;
  shmem_barrier_all();
  shmem_long_p(&own[0], 1, next);
  shmem_quiet();
  tell("wait for", (uint64_t)wait_for(own, me));
  shmem_finalize();
}
