// Polling of a bounded number of rounds is not changed, though LLVM would put the rounds behind each other: of each
// loop nothing is said here, since it stays a loop. Rounds that are written behind each other keep their reads.
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed,reuse,coalesce %s -Xclang -verify
#include <shmem.h>
#define OWN __attribute__((noinline))
long hidden(long x) __attribute__((const));
OWN static int done(long x) {
  return hidden(x) > 7;
}

int by_expression(const long* flag, int pe) {
  for (int t = 0; t < 6; t++)
    if (shmem_long_g(flag, pe) != 0) return t;
  return -1;
}
int by_call(const long* flag, int pe) {
  for (int t = 0; t < 6; t++)
    if (done(shmem_long_g(flag, pe))) return t;
  return -1;
}
int by_memory(const long* flag, int pe, int m) {
  long last[4] = {0};
  for (int t = 0; t < 6; t++) {
    last[t & m] = shmem_long_g(flag, pe);
    if (last[0] + last[1] + last[2]) return t;
  }
  return -1;
}
int by_get(const long* flag, int pe) {
  long seen;
  for (int t = 0; t < 5; t++) {
    shmem_long_get(&seen, flag, 1, pe);
    if (done(seen)) return t;
  }
  return -1;
}
/* What the last round brings is the result. */
long last_value(const long* flag, int pe) {
  long v = 0;
  for (int t = 0; t < 6 && !v; t++) v = shmem_long_g(flag, pe);
  return v;
}
int as_asked(const long* flag, int pe) {
#pragma unroll
  for (int t = 0; t < 4; t++)
    if (done(shmem_long_g(flag, pe))) return t;
  return -1;
}
/* The pair is at one place in each round. */
int of_neighbours(const long* flag, int pe) {
  for (int t = 0; t < 4; t++)
    if (shmem_long_g(&flag[0], pe) | shmem_long_g(&flag[1], pe)) // expected-remark 0+{{read stays as it is}}
      return t;
  return -1;
}

int calls_in_turn(const long* flag, int pe) {
  if (done(shmem_long_g(flag, pe))) return 1;
  if (done(shmem_long_g(flag, pe))) return 2; // expected-remark {{read again: both reads decide which way the program goes}}
  return 0;
}
void both_times(const long* flag, long* restrict to, int pe) {
  if (done(shmem_long_g(flag, pe))) to[0] = 1;
  if (done(shmem_long_g(flag, pe))) to[1] = 1; // expected-remark {{read again: both reads decide which way the program goes}}
}
int memory_in_turn(const long* flag, int pe, int m) {
  long last[4] = {0};
  last[m & 1] = shmem_long_g(flag, pe);
  if (last[0] + last[2]) return 1;
  last[m & 2] = shmem_long_g(flag, pe); // expected-remark {{read again: both reads decide which way the program goes}}
  if (last[0] + last[3]) return 2;
  return 0;
}
int place_in_turn(const long* head, const long* ring, int pe) {
  if (shmem_long_g(&ring[shmem_long_g(head, pe)], pe)) return 1;
  if (shmem_long_g(&ring[shmem_long_g(head, pe)], pe)) return 2; // expected-remark {{read again: both reads decide}}
  return 0;
}

/* No polling: the second read is of what the first has found, or decides about nothing. */
long largest(const long* r, int pe) {
  return shmem_long_g(r, pe) > 3 ? shmem_long_g(r, pe) : 3; // expected-remark {{read once}}
}
long in_memory(const long* r, long* restrict to, int n, int pe) {
  for (int i = 0; i < n; i++) {
    to[i] = shmem_long_g(r, pe);
    to[i + n] = hidden(shmem_long_g(r, pe)); // expected-remark {{read once}}
  }
  return to[0] > 5 ? to[n] : to[1];
}
long where_it_is(const long* slot, const long* table, int pe) {
  const long first = shmem_long_g(&table[shmem_long_g(slot, pe)], pe); // expected-remark {{read together}}
  return first + shmem_long_g(&table[shmem_long_g(slot, pe) + 9], pe); // expected-remark {{read once}} expected-remark {{read together}}
}
/* Places that another round does not read. */
long row(const long* r, int pe) {
  long s = 0;
  for (int k = 0; k < 3; k++) s = s * 3 + shmem_long_g(&r[k], pe); // expected-remark 3 {{read together with 2 beside it}}
  return s;
}
