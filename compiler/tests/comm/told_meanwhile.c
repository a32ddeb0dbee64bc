/* SPDX-License-Identifier: BSD-3-Clause */
/* PE 1 writes memory of PE 0, and then a flag that PE 0 polls: what PE 0 loads behind that, of its own
 * memory, is what has been written, whether anything is promised or not. */
#include <unistd.h>

#include "told.h"

enum { room = 64, rounds = 8 };
static long flag, slot, parts, limit, done, tick, in[room], out[room], which[rounds];
static int to_pe;
static struct list {
  long* base;
  long n;
} list;
static long numbers[5000];

#define FORM static __attribute__((noinline))

FORM long place(int me) {
  for (long k = 0; k < rounds; k++) {
    while (shmem_long_g(&flag, me) < 1) continue;
    shmem_long_p(&out[slot + k], k + 1, me);
  }
  return 0;
}
FORM long divided(int me) {
  const long all = 12 + (me >> 8);
  for (long k = 0; k < rounds; k++) {
    while (shmem_long_g(&flag, me) < 1) continue;
    shmem_long_p(&out[all / parts + k], k + 1, me);
  }
  return 0;
}
FORM long pe(int me) {
  for (long k = 0; k < rounds; k++) {
    while (shmem_long_g(&flag, me) < 1) continue;
    shmem_long_p(&out[k], k + 1, to_pe);
  }
  return 0;
}
FORM long bound(int me) {
  long k;
  for (k = 0; k < limit; k++) {
    while (shmem_long_g(&flag, me) < 1) continue;
    shmem_long_p(&out[k], k, me);
  }
  return k;
}
FORM long bound_of_reads(int me) {
  long k, s = 0;
  for (k = 0; k < limit; k++)
    if (shmem_long_g(&in[k], me) == 0)
      while (shmem_long_g(&flag, me) < 1) continue;
    else
      s++;
  return k + (s != 0);
}
FORM long anew(int me) {
  long s = slot;
  for (long k = 0; k < rounds; k++) {
    do {
    } while (shmem_long_g(&flag, me) < 1);
    s = 3 * s + slot;
    shmem_long_p(&out[k], k + 1, me);
  }
  return s;
}
FORM long branch(int me) {
  long s = 0;
  for (long k = 1; k <= rounds; k++) {
    while (shmem_long_g(&flag, me) < 1) continue;
    s = slot & 1 ? s + k : 3 * s;
    shmem_long_p(&out[k], k, me);
  }
  return s;
}
FORM long got(int me) {
  long x, s = 0;
  for (long k = 0; k < rounds; k++) {
    while (shmem_long_g(&flag, me) < 1) continue;
#pragma shmem strict
    shmem_long_get(&x, &in[slot], 1, me);
    s = 3 * s + x;
  }
  return s;
}
/* What names the place, or decides whether it is read, or how often, comes by a flag that is polled beside a
 * read with the promise. */
FORM long indexed(int me) {
  long s = 0;
  for (long k = 0; k < rounds; k++) {
#pragma shmem strict
    while (shmem_long_g(&flag, me) < 1) continue;
#pragma shmem relaxed
    s = 3 * s + shmem_long_g(&in[which[k]], 1);
  }
  return s;
}
FORM long by_condition(int me) {
  long s = 0;
  for (long k = 0; k < rounds; k++) {
#pragma shmem strict
    while (shmem_long_g(&flag, me) < 1) continue;
#pragma shmem relaxed
    if (which[k] & 1) s = 3 * s + shmem_long_g(&in[k], 1);
  }
  return s;
}
FORM long by_limit(int me) {
  long s = 0;
  for (long k = 0; k < rounds; k++) {
#pragma shmem strict
    for (long t = 0; t < 1000000000; t++)
      if (shmem_long_g(&flag, me) > 0) break;
#pragma shmem relaxed
    s = 3 * s + shmem_long_g(&in[which[k]], 1);
  }
  return s;
}
FORM long inside(int me) {
  long s = 0;
  for (long k = 0; k < rounds; k++) {
#pragma shmem strict
    while (shmem_long_g(&flag, me) < 1) continue;
#pragma shmem relaxed
    for (long i = 0; i < which[k] % 5; i++) s = 3 * s + shmem_long_g(&in[which[i] + 1], 1);
  }
  return s;
}
/* What comes is another value than the last one, and each look that finds none is counted: LLVM puts the
 * first look in front of the loop. */
static long slots[4], looks, taken;
FORM long received(int me) {
  long s = 0, last[4] = {0}, v;
  for (long k = 0; k < 4 * rounds; k++) {
    while ((v = shmem_long_g(&slots[k & 3], me)) == last[k & 3]) looks++;
    last[k & 3] = v;
    s = 3 * s + v;
    taken = k + 1;
  }
  return s;
}
FORM long read_behind(int me) {
  long s = 0;
  for (long k = 0; k < 4 * rounds; k++) {
    while (shmem_long_g(&slots[k & 3], me) != k + 1) continue;
    s = 3 * s + shmem_long_g(&slots[k & 3], me);
    taken = k + 1;
  }
  return s;
}
static void send(void) {
  for (long k = 0; k < 4 * rounds; k++) {
#pragma shmem strict
    while (shmem_long_g(&taken, 0) + 4 <= k) continue;
#pragma shmem strict
    shmem_long_p(&slots[k & 3], k + 1, 0);
  }
}
/* Its end is nothing but a load. */
FORM long until_done(int me) {
  long s = 0;
  while (!done) s += 1 + 0 * shmem_long_g(&tick, me);
  return s > 0;
}
/* What has been read before it is read again. */
FORM long again_when_done(int me) {
  const long before = shmem_long_g(&slot, me);
  while (!done) {
#pragma shmem strict
    tick += shmem_long_g(&in[0], me);
  }
  return 10 * before + shmem_long_g(&slot, me);
}
FORM long ordinary(int pe) {
  long s = 0;
#pragma shmem relaxed
  for (long i = 0; i < list.n; i++) s = 3 * s + shmem_long_g(&list.base[i], pe);
  return s;
}

static void write_and_tell(void) {
  usleep(20000);
  shmem_long_p(&slot, 7, 0);
  shmem_long_p(&parts, 3, 0);
  shmem_long_p(&limit, 6, 0);
  shmem_int_p(&to_pe, 1, 0);
  for (long k = 0; k < rounds; k++) shmem_long_p(&which[k], 5 * k + 3, 0);
  shmem_fence();
  shmem_long_p(&flag, 1, 0);
  shmem_fence();
  shmem_long_p(&done, 1, 0);
  shmem_quiet();
}

static OPAQUE void check(const char* name, long (*form)(int)) {
  flag = taken = slot = parts = done = to_pe = 0;
  limit = 1;
  memset(out, 0, sizeof out);
  memset(which, 0, sizeof which);
  memset(slots, 0, sizeof slots);
  for (long i = 0; i < room; i++) in[i] = i * i;
  long result = 0;
  shmem_barrier_all();
  if (shmem_n_pes() > 1 && shmem_my_pe() == 0) result = form(0);
  if (shmem_my_pe() == 1) form == received || form == read_behind ? send() : write_and_tell();
  tell(name, (uint64_t)result);
  tell_memory(name, out, sizeof out);
}
#define CHECK(form) check(#form, form)

int main(void) {
  shmem_init();
  CHECK(place);
  CHECK(divided);
  CHECK(pe);
  CHECK(bound);
  CHECK(bound_of_reads);
  CHECK(anew);
  CHECK(branch);
  CHECK(got);
  CHECK(indexed);
  CHECK(by_condition);
  CHECK(by_limit);
  CHECK(inside);
  CHECK(received);
  CHECK(read_behind);
  CHECK(until_done);
  CHECK(again_when_done);
  for (long i = 0; i < 5000; i++) numbers[i] = i * shmem_my_pe();
  list.base = numbers;
  list.n = 4000 + 250 * shmem_n_pes();
  shmem_barrier_all();
  tell("ordinary", (uint64_t)ordinary((shmem_my_pe() + 1) % shmem_n_pes()));
  shmem_finalize();
}
