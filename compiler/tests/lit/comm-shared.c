// By the rules of C one file has the definition of an inline function for all: what is promised of this file says
// nothing of it.
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed,reuse %s -Xclang -verify
// RUN: %clang %comm -std=gnu89 -DGNU_RULES -fplugin-arg-windrow-comm=relaxed,reuse %s -Xclang -verify
#include <shmem.h>
#define OWN __attribute__((noinline))
#ifdef GNU_RULES
#define EXTERN
#else
#define EXTERN extern
#endif

OWN EXTERN inline long before(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v + shmem_long_g(r, pe); // expected-remark {{read again: other PEs may write there meanwhile; #pragma shmem relaxed in this function promises that they do not, and -fcomm=relaxed promises nothing of functions that files share}}
}
#ifndef GNU_RULES
inline long behind(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v * shmem_long_g(r, pe); // expected-remark@*:* {{read again: other PEs may write there meanwhile}}
}
extern inline long behind(const long* r, int pe);
#endif
/* Weak variables have functions for other files, too. */
static long listed(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v + 9 * shmem_long_g(r, pe); // expected-remark {{read again: other PEs may write there meanwhile}}
}
__attribute__((weak)) long (*const table[])(const long*, int) = {listed};
static long under_two_names(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v - 9 * shmem_long_g(r, pe); // expected-remark {{read again: other PEs may write there meanwhile}}
}
long other_name(const long* r, int pe) __attribute__((weak, alias("under_two_names")));

/* Of these each file has its own. */
OWN static inline long own(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v | shmem_long_g(r, pe); // expected-remark {{read once}}
}
long by_own(const long* r, int pe) {
  return own(r, pe);
}
long plain(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v & shmem_long_g(r, pe); // expected-remark {{read once}}
}
