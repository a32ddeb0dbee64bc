// Functions that change nothing may read memory of other PEs, and wait for them: `pure` does not say that
// they keep off. Those whose code is here to see, and the C library's, are known to, and `const` ones that are not
// here: they read nothing but their arguments.
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed %s -Xclang -verify
#include <math.h>
#include <shmem.h>
#include <stdlib.h>
#include <string.h>
#define OWN __attribute__((noinline))

long unseen(const long* a) __attribute__((pure));
long of_its_value(long x) __attribute__((const));
OWN __attribute__((pure)) long of_other_pe(const long* a, int pe) {
  return shmem_long_atomic_fetch(a, pe);
}
OWN __attribute__((pure)) static long by_way_of(const long* a, int pe) {
  return 3 * of_other_pe(a, pe) + a[1];
}
OWN __attribute__((const)) static long my_word(long at) {
  static long words[8];
  return shmem_long_g(&words[at], 0); // expected-remark {{read stays as it is}}
}
OWN __attribute__((pure)) static long here(const long* a, int n) {
  long s = 0;
  for (int i = 0; i < n; i++) s = 5 * s + a[i] + (long)strlen((const char*)a) + of_its_value(s);
  return s;
}

long loop_with_unseen(const long* r, const long* a, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) s += shmem_long_g(&r[i], pe) * unseen(a); // expected-remark {{read stays as it is: the loop calls unseen, which may synchronise}}
  return s;
}
long loop_by_way_of(const long* r, const long* a, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) s += shmem_long_g(&r[i], pe) * by_way_of(&a[i], pe); // expected-remark {{read stays as it is: the loop calls by_way_of, which may synchronise}}
  return s;
}
void writes_by_way_of(long* r, const long* a, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_long_p(&r[i], by_way_of(&a[i], pe), pe); // expected-remark {{write stays as it is: the loop calls by_way_of, which may synchronise}}
}
long place_by_constant(const long* r, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) s += shmem_long_g(&r[my_word(i & 7)], pe); // expected-remark {{read stays as it is: the loop calls my_word, which may synchronise}}
  return s;
}
long loop_with_known(const long* r, const long* a, const char* text, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) s += shmem_long_g(&r[i], pe) * here(a, i) + (long)strlen(text) * of_its_value(i); // expected-remark {{read vectorised}}
  return s;
}

// Hints change nothing.
long with_hints(const long* r, const long* a, long* restrict to, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    s += to[i] = shmem_long_g(&r[i], pe); // expected-remark {{read vectorised}}
    __builtin_prefetch(&a[i + 8]);
    __builtin_prefetch(&to[i + 8], 1);
  }
  return s;
}

long again_behind_unseen(const long* r, const long* a, int pe) {
  const long v = shmem_long_g(r, pe) + unseen(a); // expected-remark {{it is not in a loop}}
  return v + 3 * shmem_long_g(r, pe);             // expected-remark {{read again: the place may be changed by unseen at line}} expected-remark {{it is not in a loop}}
}
long again_by_way_of(const long* r, const long* a, int pe) {
  const long v = shmem_long_g(r, pe) + by_way_of(a, pe); // expected-remark {{it is not in a loop}}
  return v + 3 * shmem_long_g(r, pe);                    // expected-remark {{read again: the place may be changed by by_way_of at line}} expected-remark {{it is not in a loop}}
}
long again_behind_known(const long* r, const long* a, int pe) {
  const long v = shmem_long_g(r, pe) + here(a, 9); // expected-remark {{it is not in a loop}}
  return v + 3 * shmem_long_g(r, pe);              // expected-remark {{read once}}
}
long beside_unseen(const long* r, const long* a, int pe) {
  const long v = shmem_long_g(&r[0], pe) + unseen(a); // expected-remark {{it is not in a loop}}
  return v + 3 * shmem_long_g(&r[1], pe);             // expected-remark {{it is not in a loop}}
}
long beside_known(const long* r, const long* a, int pe) {
  const long v = shmem_long_g(&r[0], pe) + here(a, 9); // expected-remark {{read together with 1 beside it}}
  return v + 3 * shmem_long_g(&r[1], pe);              // expected-remark {{read together with 1 beside it}}
}
long begun_before_unseen(const long* r, const long* a, long* restrict to, int n, int pe) {
  shmem_long_get(to, r, n, pe); // expected-remark {{read stays as it is: there is nothing to do until it is waited for by unseen at line}}
  return unseen(a) + to[0];
}
long begun_before_known(const long* r, const long* restrict a, long* restrict to, int n, int pe) {
  shmem_long_get(to, r, n, pe); // expected-remark {{read split: it is only begun here}}
  return here(a, 9) + to[0];
}

// A function that computes a number from numbers may set errno, which this file does not name (comm-errno.c).
double of_functions(const double* r, double* restrict to, int n, int pe) {
  double s = 0;
  for (int i = 0; i < n; i++) s += to[i] = exp(shmem_double_g(&r[i], pe)) / sqrt(i); // expected-remark {{read vectorised}}
  return s;
}
void of_functions_beside(double* r, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_double_p(&r[i], pow(i, .3), pe); // expected-remark {{write vectorised}}
}
double again_behind_function(const double* r, double x, int pe) {
  const double v = shmem_double_g(r, pe) + log(x); // expected-remark {{it is not in a loop}}
  return v + 3 * shmem_double_g(r, pe);            // expected-remark {{read once}}
}
double begun_before_function(const double* r, double* restrict to, double x, int n, int pe) {
  shmem_double_get(to, r, n, pe); // expected-remark {{read split: it is only begun here}}
  return log(x) + to[0];
}
// It stays, for the sake of errno.
void of_no_use(const long* r, int n, int pe) {
  static long own[4096];
  for (int i = 0; i < n; i++) {
    own[i] = shmem_long_g(&r[i], pe); // expected-remark {{read vectorised: one read for up to 2048 rounds}}
    (void)fmod(n, i);
  }
}
void by_chance(long* r, int n, int pes) {
  for (int i = 0; i < n; i++) shmem_long_atomic_inc(&r[rand() & 1023], rand() % pes); // expected-remark {{update vectorised}}
}
