/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that write a place twice, or read what they have written: not to be relied upon, but right where
 * operations are not late, and so with strips. */
#include "told.h"

enum { room = 5000 };
static long b[room], sent[room], a[room];
static int which[room], small[8];
static long double wide[64];
long opaque_zero;

#define FORM static __attribute__((noinline))

/* What is written is read in the next round. */
FORM void move_up(long* r, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_long_p(&r[i + 1], shmem_long_g(&r[i], pe) + 1, pe);
}
FORM void move(long* to, const long* r, int n, int pe) {
  for (int i = n; i-- > 0;) shmem_long_p(&to[i], shmem_long_g(&r[i], pe) + 1, pe);
}
FORM void two_writers(long* to, long* too, int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_long_p(&to[i], i, pe);
    shmem_long_p(&too[i], -i, pe);
  }
}
FORM void in_place(long* r, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_long_p(&r[i], shmem_long_g(&r[i], pe) * 2, pe);
}
/* What names the place is changed by the loop: by a put to this PE. */
FORM long moving_pe(const long* r, int* which, int n, int me, int next) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    s = 3 * s + shmem_long_g(&r[i], *which);
    shmem_int_p(&which[i], i < 2 ? next : me, me);
  }
  return s;
}
FORM long doubled(const long* r, long* to, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    s += shmem_long_g(&r[i], pe);
    shmem_long_p(&to[i], s, pe);
    s += shmem_long_g(&to[n - 1 - i], pe);
  }
  return s;
}
/* Reads whose places are computed ahead, of what the same loop writes. */
FORM void permuted(long* r, const int* index, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_long_p(&r[index[i]], shmem_long_g(&r[index[n - 1 - i]], pe) + i, pe);
}
FORM void in_steps(long* r, const int* index, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_long_p(&r[i], shmem_long_g(&r[index[i]], pe) + i, pe);
}
/* The index is changed by a put to this PE. */
FORM long moving_index(const long* r, int* index, int n, int me, int next) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    s = 3 * s + shmem_long_g(&r[index[i]], next);
    shmem_int_p(&index[i + 1], (int)(s & 1023), me);
  }
  return s;
}
/* The bound is changed by a put to this PE. */
FORM long stop_by_put(long* bound, const long* r, int me, int pe) {
  long s = 0, i = 0;
  do {
    s += shmem_long_g(&r[i], pe);
    if (i == 40) shmem_long_p(bound, 60, me);
  } while (++i < *bound);
  return s + i;
}

/* Writes and updates at computed places: of one place again and again, read back, and beside others. */
FORM void again(long* r, int* q, const int* index, int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_long_p(&r[index[i] & 63], i, pe);
    shmem_long_atomic_add(&r[index[n - 1 - i] & 63], 1000, pe);
    shmem_int_atomic_inc(&q[index[i] & 7], pe);
    shmem_long_atomic_set(&r[index[i] & 7], -i, pe);
  }
}
FORM long read_back(long* r, const int* index, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    shmem_long_p(&r[index[i] & 63], s + i, pe);
    s += shmem_long_g(&r[index[i / 2] & 63], pe);
  }
  return s;
}
FORM void beside_steps(long* r, const int* index, int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_long_p(&r[i], i, pe);
    shmem_long_p(&r[index[i]], -i, pe);
  }
}
FORM void beside_wide(long double* r, const int* index, int n, int pe) {
  for (int i = 0; i < n / 8; i++) {
    shmem_longdouble_p(&r[index[i] & 63], i, pe);
    shmem_long_p((long*)&r[index[i] & 63], i, pe);
  }
}
FORM void beside_strict(long* r, const int* index, int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_long_p(&r[index[i] & 63], i, pe);
#pragma shmem strict
    shmem_long_p(&r[index[n - 1 - i] & 63], -i, pe);
  }
}
/* What is written here is seen at once. */
FORM long seen_at_once(long* r, const int* b, int n, int me, int next) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    shmem_long_p(&r[b[i]], s + i, b[i] & 1 ? next : me);
    s = 3 * s + (b[i] & 1 ? 0 : r[b[i]]);
  }
  return s;
}
FORM long names_later(int* b, int n, int me) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    s += b[i];
    shmem_int_p(&b[(b[i] & 63) + i], i & 63, me);
  }
  return s;
}
/* Writes to this PE, beside reads of another one: what a later round loads, or reads. */
FORM long writes_near(long* to, const long* r, int n, int me, int next) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    shmem_long_p(&to[i + 1], shmem_long_g(&r[i], next), me);
    s = 5 * s + to[i];
  }
  return s;
}
FORM long reads_near(long* to, const long* r, int n, int me, int next) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    shmem_long_p(&to[i + 1], i + shmem_long_g(&r[i], next), me);
    s = 5 * s + shmem_long_g(&to[i], me);
  }
  return s;
}

/* Blocks at places that are computed ahead are changed and put back: later rounds get what earlier ones have
 * put, in whole or in part, on the next PE and on this one. */
FORM void put_back(int n, int apart, int me, int next) {
  for (int i = 0; i < n; i++) {
    long block[16];
    const int at = which[i] % 2000, here = which[i] & 1;
    long* const from = &a[at + (here ? room / 2 : 0)];
    shmem_long_get(block, from, 16, here ? me : next);
    for (int k = 0; k < 16; k++) block[k] = block[k] * 3 + i + k;
    shmem_long_put(from + apart, block, 13, here ? me : next);
  }
}
FORM void put_first(int n, int me, int next) {
  for (int i = 0; i < n; i++) {
    long block[5] = {i, 2 * i, 3 * i, 4 * i, 5 * i};
    shmem_long_put(&a[which[i] % 2000 + 2], block, 5, next);
    shmem_long_get(block, &a[which[n - 1 - i] % 2000], 5, next);
    sent[i] = block[0] + block[1] * 7 + block[4] * 5 + me;
  }
}
/* What names the places is changed by a put to this PE. */
FORM uint64_t put_names(int n, int me, int next) {
  uint64_t s = 0;
  for (int i = 0; i < n; i++) {
    long block[4];
    shmem_long_get(block, &a[which[i]], 4, next);
    s = s * 3 + (uint64_t)block[1];
    const int names[2] = {(int)(s & 1023), (int)(s & 511)};
    shmem_int_put(&which[i + 3], names, 2, me);
  }
  return s;
}
/* The same, by a pointer into the memory of another PE, where there is one. */
FORM uint64_t put_names_near(const int* index, int n, int next) {
  uint64_t s = 0;
  for (int i = 0; i < n; i++) {
    long block[4];
    shmem_long_get(block, &a[index[i]], 4, next);
    s = s * 3 + (uint64_t)block[1];
    const int names[2] = {(int)(s & 1023), (int)(s & 511)};
    shmem_int_put(&which[i + 3], names, 2, next);
  }
  return s;
}
/* Later rounds, which do not read, would read below all memory. */
enum { long_way = (1 << 16) + 200 };
static long many[long_way];
FORM long only_first(long* r, long n, long some, int pe) {
  long s = 0;
  for (long i = 0; i < n; i++) {
    shmem_long_p(&r[i], i + 5, pe);
    if (i < some) s = 3 * s + shmem_long_g(&r[-i * ((1 << 28) - 1)], pe);
  }
  return s;
}
/* An answer to each request is looked for, but not for ever. */
enum { requests = 8 };
static long request[requests], answer[requests];
FORM long ask(int me, int to) {
  long unanswered = 0;
  for (int k = 0; k < requests; k++) {
    shmem_long_p(&request[k], k + 1, to);
    long t;
    for (t = 0; t < 30000000; t++)
      if (shmem_long_g(&answer[k], me) != 0) break;
    unanswered += t == 30000000;
  }
  return unanswered;
}
/* At what has been read is looked a round later. */
static long looked_at[2];
FORM long ask_and_look_later(int me, int to) {
  long unanswered = 0;
  for (int k = 0; k < requests; k++) {
    shmem_long_p(&request[k], k + 1, to);
    long *now = &looked_at[0], *before = &looked_at[1], t;
    *before = 0;
    for (t = 0; t < 30000000; t++) {
      *now = shmem_long_g(&answer[k], me);
      if (*before != 0) break;
      long* const last = before;
      before = now, now = last;
    }
    unanswered += t == 30000000;
  }
  return unanswered;
}
/* The answer says how many more looks there are. */
static long more_looks;
FORM long ask_for_the_bound(int me, int to) {
  long unanswered = 0;
  for (int k = 0; k < requests; k++) {
    more_looks = answer[k] = 30000000;
    shmem_long_p(&request[k], k + 1, to);
    for (long t = 0; t < more_looks; t++) shmem_long_get(&more_looks, &answer[k], 1, me);
    unanswered += more_looks == 30000000;
  }
  return unanswered;
}
/* The answer is loaded, behind reads of something else. */
FORM long ask_and_load(int me, int to) {
  long unanswered = 0, s = 0;
  for (int k = 0; k < requests; k++) {
    shmem_long_p(&request[k], k + 1, to);
    long t;
    for (t = 0; t < 30000000 && !answer[k]; t++) {
#pragma shmem strict
      s += shmem_long_g(&sent[room - 1], me);
    }
    unanswered += t == 30000000;
  }
  return s + unanswered - s;
}
static OPAQUE void answer_all(int to) {
  for (int k = 0; k < requests; k++) {
    shmem_long_wait_until(&request[k], SHMEM_CMP_EQ, k + 1);
    shmem_long_p(&answer[k], k + 1, to);
    shmem_quiet();
  }
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
  const int n = 2300 + (int)opaque_zero;
  move_up(b, n, next);
  tell_memory("move up", b, sizeof b);
  move(b + 3, b, n, next);
  tell_memory("move", b, sizeof b);
  move(b, b + 3, n, next);
  tell_memory("move down", b, sizeof b);
  in_place(b, n, next);
  tell_memory("in place", b, sizeof b);
  two_writers(sent, sent + n, n, next);
  tell_memory("two writers", sent, sizeof sent);
  two_writers(sent, sent + n / 2, n, next);
  tell_memory("overlapping writers", sent, sizeof sent);
  for (int i = 0; i < room; i++) a[i] = me * 1000003L + (long)i * i;
  which[0] = me;
  shmem_barrier_all();
  tell("moving PE", (uint64_t)moving_pe(a, which, n, me, next));
  tell("doubled", (uint64_t)doubled(b, sent, n, next));
  tell_memory("doubled", sent, sizeof sent);
  for (int i = 0; i < room; i++) which[i] = i * 37 % n;
  shmem_barrier_all();
  permuted(a, which, n, next);
  tell_memory("permuted", a, sizeof a);
  in_steps(a, which, n, next);
  tell_memory("in steps", a, sizeof a);
  tell("moving index", (uint64_t)moving_index(b, which, n, me, next));
  which[0] = 0;
  sent[0] = 500;
  shmem_barrier_all();
  tell("stop by put", (uint64_t)stop_by_put(sent, b, me, next));
  for (int i = 0; i < room; i++) {
    which[i] = i * 37 % n;
    a[i] = 0;
  }
  shmem_barrier_all();
  again(a, small, which, n, next);
  tell_memory("again", a, sizeof a);
  tell_memory("small", small, sizeof small);
  tell("read back", (uint64_t)read_back(a, which, n, next));
  tell_memory("read back", a, sizeof a);
  beside_steps(a, which, n, next);
  tell_memory("beside steps", a, sizeof a);
  beside_wide(wide, which, n, next);
  shmem_barrier_all();
  tell("beside wide", (uint64_t)wide[which[3] & 63] + (uint64_t)wide[which[60] & 63]);
  beside_strict(a, which, n, next);
  tell_memory("beside strict", a, sizeof a);
  tell("seen at once", (uint64_t)seen_at_once(a, which, n, me, next));
  tell_memory("seen here", a, sizeof a);
  tell("writes near", (uint64_t)writes_near(sent, b, n, me, next));
  tell("reads near", (uint64_t)reads_near(sent, b, n, me, next));
  tell("names later", (uint64_t)names_later(which, n / 2, me));
  for (int i = 0; i < room; i++) {
    which[i] = (i * 37 + me) % n;
    a[i] = i + me;
  }
  shmem_barrier_all();
  for (int apart = 0; apart < 20; apart += 9) {
    put_back(n, apart, me, next);
    tell_memory("put back", a, sizeof a);
  }
  put_first(n, me, next);
  tell_memory("put first", a, sizeof a);
  tell_memory("and sent", sent, sizeof sent);
  tell("put names", put_names(n, me, next));
  const int* const near_names = shmem_ptr(which, next);
  if (shmem_n_pes() < 2) tell("put names near", put_names_near(near_names, n, next));
  long (*const ways[])(int, int) = {ask, ask_and_look_later, ask_for_the_bound, ask_and_load};
  for (int way = 0; way < 4; way++) {
    memset(request, 0, sizeof request);
    memset(answer, 0, sizeof answer);
    shmem_barrier_all();
    long unanswered = 0;
    if (shmem_n_pes() > 1 && me == 0) unanswered = ways[way](0, 1);
    if (me == 1) answer_all(0);
    tell("unanswered", (uint64_t)unanswered);
  }
  tell("only first", (uint64_t)only_first(many, long_way + opaque_zero, 1 + opaque_zero, next));
  tell_memory("many", many, sizeof many);
  shmem_finalize();
}
