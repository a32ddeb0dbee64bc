// Which reads are made once, and why the others are made again.
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed,reuse %s -Xclang -verify
// RUN: %clang %comm -fplugin-arg-windrow-comm=reuse %s 2>&1 | %FileCheck %s --check-prefix=STRICT
// STRICT: remark: read again: other PEs may write there meanwhile; #pragma shmem relaxed promises that they do not
// STRICT-NOT: remark: read once
#include <shmem.h>
void opaque(void);
extern long own[4];

long twice(const long* r, int pe) {
  return shmem_long_g(r, pe) +
         shmem_long_g(r, pe) * 2 + // expected-remark {{read once: it is the value of line}}
         shmem_long_g(r, pe) * 3;  // expected-remark {{read once: it is the value of line}}
}
long on_one_way(const long* r, int pe, int x) {
  long s = shmem_long_g(r, pe);
  if (x) s += 7 * shmem_long_g(r, pe); // expected-remark {{read once}}
  return s;
}
long on_both_ways(const long* r, int pe, int x) {
  long s = 0;
  if (x) s = shmem_long_g(r, pe);
  return s + shmem_long_g(r, pe); // the first one is not always made
}
long in_a_round(const long* r, const int* index, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) {
      const long* place = &r[index[i]];
      s += shmem_long_g(place, pe) ^ 5 * shmem_long_g(place, pe); // expected-remark {{read once}}
  }
  return s;
}
long beside_other_write(long* r, int pe) {
  long s = shmem_long_g(r, pe);
  shmem_long_p(&r[1], 3, pe);
  return s + shmem_long_g(r, pe); // expected-remark {{read once}}
}

long after_barrier(const long* r, int pe) {
  long s = shmem_long_g(r, pe);
  shmem_barrier_all();
  return s + shmem_long_g(r, pe); // expected-remark {{read again: the place may be changed by shmem_barrier_all at line}}
}
long after_unknown(const long* r, int pe) {
  long s = shmem_long_g(r, pe);
  opaque();
  return s + shmem_long_g(r, pe); // expected-remark {{read again: the place may be changed by opaque at line}}
}
long after_put(long* r, long* q, int pe) {
  long s = shmem_long_g(r, pe);
  shmem_long_p(q, 3, 0);
  return s + shmem_long_g(r, pe); // expected-remark {{read again: the place may be changed by shmem_long_p at line}}
}
long after_atomic(long* r, int pe) {
  long s = shmem_long_g(r, pe);
  shmem_long_atomic_inc(r, pe);
  return s + shmem_long_g(r, pe); // expected-remark {{read again: the place may be changed by shmem_long_atomic_inc at line}}
}
/* Of this PE, perhaps. */
long after_store(long* q, int pe) {
  long s = shmem_long_g(&own[1], pe);
  *q = 5;
  return s + shmem_long_g(&own[1], pe); // expected-remark {{read again: the place may be changed at line}}
}
long on_a_long_way(const long* r, int n, int pe) {
  long s = shmem_long_g(r, pe);
  for (int i = 0; i < n; i++)
    if (i & 4) opaque();
  return s + shmem_long_g(r, pe); // expected-remark {{read again: the place may be changed by opaque at line}}
}
void poll(const long* flag, int pe) {
  if (shmem_long_g(flag, pe) == 0)
    while (shmem_long_g(flag, pe) == 0) {
    }
}
int poll_thrice(const long* flag, int pe) {
  if (shmem_long_g(flag, pe)) return 1;
  if (shmem_long_g(flag, pe)) return 2; // expected-remark {{read again: both reads decide which way the program goes, as polling does}}
  return 0;
}
int poll_twice_a_round(const long* flag, int pe) {
  int rounds = 0;
  long seen;
  do {
    const long before = shmem_long_g(flag, pe);
    seen = before | shmem_long_g(flag, pe); // expected-remark {{read again: its value may decide whether a loop around it goes on}}
    rounds++;
  } while (!seen);
  return rounds;
}
long wait_and_read(const long* flag, int pe) {
  long s = shmem_long_g(flag, pe);
  if (s == 0)
    while (shmem_long_g(flag, pe) == 0) {
    }
  return s + shmem_long_g(flag, pe); // expected-remark {{read again: the place may be changed by shmem_long_g}}
}
