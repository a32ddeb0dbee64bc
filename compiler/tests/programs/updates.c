/* Updates of one place, by dependent code and by code that stays, of different kinds and in nested calls,
 * each followed by fetches or plain loads. On a context that does not aggregate they keep the order of the
 * program; on one that does they have none until quiet, so there only updates that may change places stand
 * together. */
#include "job.h"

enum { rounds = 48, places = 8 };

static shmem_ctx_t ordinary, aggregating;
static int64_t *from, *at; /* symmetric: what is fetched, and what is updated */
static int64_t found[rounds], last[places];

static void see(const char* what, int to, int me) {
  uint64_t sum = 0;
  shmem_ctx_quiet(ordinary);
  shmem_ctx_quiet(aggregating);
  for (int i = 0; i < rounds; i++) sum = mixed(sum, (uint64_t)found[i]), found[i] = 0;
  for (int i = 0; i < places; i++) {
    last[i] = shmem_int64_g(&at[i], to);
    sum = mixed(sum, (uint64_t)last[i]);
    shmem_int64_p(&at[i], 0, to);
  }
  shmem_quiet();
  if (me == 0) printf("%s: %016lx, %ld %ld\n", what, (unsigned long)sum, (long)last[0], (long)last[1]);
}

/* ---- a context that does not aggregate */

static void kinds_that_do_not_commute(int to) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    const int64_t v = shmem_ctx_int64_g(ordinary, &from[i], to);
    shmem_ctx_int64_atomic_set(ordinary, &at[0], v, to);
    shmem_ctx_int64_atomic_add(ordinary, &at[0], i, to); /* stays, by itself */
    shmem_ctx_int64_p(ordinary, &at[1], v * 3, to);
    shmem_ctx_int64_p(ordinary, &at[1], i, to);
    shmem_ctx_uint64_atomic_or(ordinary, (uint64_t*)&at[2], (uint64_t)v, to);
    shmem_ctx_uint64_atomic_and(ordinary, (uint64_t*)&at[2], ~(uint64_t)i, to);
    shmem_ctx_uint64_atomic_xor(ordinary, (uint64_t*)&at[2], (uint64_t)v & 5, to);
  }
}
static void before_and_behind(int to) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    shmem_ctx_int64_atomic_set(ordinary, &at[i & 1], i, to);
    const int64_t v = shmem_ctx_int64_atomic_fetch(ordinary, &from[i], to);
    if (v & 2) shmem_ctx_int64_atomic_set(ordinary, &at[i & 1], -v, to);
    shmem_ctx_int64_atomic_inc(ordinary, &at[i & 1], to);
  }
}
static void followed_by_fetches(int to) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    const int64_t v = shmem_ctx_int64_g(ordinary, &from[i], to);
    shmem_ctx_int64_atomic_add(ordinary, &at[v & 3], v, to);
    if (i % 16 == 15) {
      shmem_ctx_quiet(ordinary);
      found[i] = shmem_ctx_int64_atomic_fetch(ordinary, &at[v & 3], to);
    }
  }
  shmem_ctx_quiet(ordinary);
#pragma shmem defer
  for (int i = 0; i < places; i++) found[i] += shmem_ctx_int64_atomic_swap(ordinary, &at[i], i, to);
}
static void at_two_levels(int to) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    const int64_t v = shmem_ctx_int64_g(ordinary, &from[i], to);
    shmem_ctx_int64_p(ordinary, &at[3], v, to);
    const int64_t w = shmem_ctx_int64_g(ordinary, &from[v % rounds], to);
    shmem_ctx_int64_p(ordinary, &at[3], w + i, to);
  }
}

/* ---- one that does */

static void kinds_that_commute(int to) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    const int64_t v = shmem_ctx_int64_g(aggregating, &from[i], to);
    shmem_ctx_int64_atomic_add(aggregating, &at[0], v, to);
    shmem_ctx_int64_atomic_inc(aggregating, &at[0], to);
    shmem_ctx_uint64_atomic_xor(aggregating, (uint64_t*)&at[1], (uint64_t)v, to);
    shmem_ctx_uint64_atomic_xor(aggregating, (uint64_t*)&at[1], (uint64_t)i << 7, to);
  }
}
static void quiet_between(int to) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++)
    shmem_ctx_int64_atomic_add(aggregating, &at[i & 3], shmem_ctx_int64_g(aggregating, &from[i], to), to);
  shmem_ctx_quiet(aggregating);
#pragma shmem defer
  for (int i = 0; i < places; i++) {
    const int64_t v = shmem_ctx_int64_atomic_fetch(aggregating, &at[i], to);
    shmem_ctx_int64_atomic_set(aggregating, &at[i], v * 2 + i, to);
  }
  shmem_ctx_quiet(aggregating);
#pragma shmem defer
  for (int i = 0; i < places; i++) found[i] = shmem_ctx_int64_atomic_fetch_add(aggregating, &at[i], 3, to);
}

/* ---- both, nested calls, and loads of one's own part */

static void add_all(shmem_ctx_t ctx, int64_t v, int to) {
#pragma shmem defer
  for (int k = 0; k < 3; k++)
    shmem_ctx_int64_atomic_add(ctx, &at[k], v + shmem_ctx_int64_g(ctx, &from[(v + k) % rounds], to), to);
}
static void nested(shmem_ctx_t ctx, int to) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &from[i], to);
    add_all(ctx, v, to);
    found[i] = v;
  }
}
static void set_and_add(shmem_ctx_t ctx, int64_t v, int to) {
  shmem_ctx_int64_atomic_set(ctx, &at[4], v, to);
  shmem_ctx_int64_atomic_add(ctx, &at[4], 1, to);
}
static void nested_in_order(int to) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    set_and_add(ordinary, shmem_ctx_int64_g(ordinary, &from[i], to), to);
    set_and_add(ordinary, i, to);
  }
}
static void loads(shmem_ctx_t ctx, int64_t* mine, int me) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++)
    shmem_ctx_int64_atomic_add(ctx, &at[i & 7], shmem_ctx_int64_g(ctx, &from[i], me), me);
  shmem_ctx_quiet(ctx);
  for (int i = 0; i < places; i++) found[i] = mine[i];
#pragma shmem defer
  for (int i = 0; i < places; i++) shmem_ctx_int64_p(ctx, &at[i], -shmem_ctx_int64_g(ctx, &from[i], me), me);
  shmem_ctx_quiet(ctx);
  for (int i = 0; i < places; i++) found[places + i] = mine[i], mine[i] = 7;
}

int main(void) {
  aggregating = start();
  if (shmem_ctx_create(0, &ordinary) != 0) return 2;
  from = symmetric(rounds);
  at = symmetric(places);
  FOR_MY_PES(me) {
    const int to = (me + 1) % shmem_n_pes();
    for (int i = 0; i < rounds; i++) PART(from, me)[i] = 7 * i % rounds;
    for (int i = 0; i < rounds; i++) shmem_int64_p(&from[i], 7 * i % rounds, to);
    shmem_barrier_all();
    kinds_that_do_not_commute(to), see("kinds", to, me);
    before_and_behind(to), see("before and behind", to, me);
    followed_by_fetches(to), see("fetches", to, me);
    at_two_levels(to), see("levels", to, me);
    kinds_that_commute(to), see("aggregated", to, me);
    quiet_between(to), see("quiet between", to, me);
    nested(ordinary, to), see("nested", to, me);
    nested(aggregating, to), see("nested, aggregated", to, me);
    nested_in_order(to), see("nested, in order", to, me);
    shmem_barrier_all();
    loads(ordinary, PART(at, me), me), see("loads", me, me);
    loads(aggregating, PART(at, me), me), see("loads, aggregated", me, me);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
