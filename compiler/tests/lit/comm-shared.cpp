// The promise of a file says nothing of functions whose code other files may run. Messages about the overloads
// of shmem.h are at their calls.
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed,reuse %s -Xclang -verify
#include <shmem.h>
#define OWN __attribute__((noinline))

OWN inline long shared(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v + shmem_long_g(r, pe); // expected-remark {{read again: other PEs may write there meanwhile}}
}
OWN static long helper(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v * shmem_long_g(r, pe); // expected-remark {{read again: other PEs may write there meanwhile}}
}
OWN inline long by_helper(const long* r, int pe) {
  return 1 + helper(r, pe);
}
template <class T>
OWN T instance(const T* r, int pe) {
  const T v = shmem_long_g(r, pe);
  return v - shmem_long_g(r, pe); // expected-remark {{read again: other PEs may write there meanwhile}}
}
OWN inline long promised(const long* r, int pe) {
  long v;
#pragma shmem relaxed
  {
    v = shmem_long_g(r, pe);
    v ^= shmem_long_g(r, pe); // expected-remark {{read once}}
  }
  return v;
}
OWN static long own(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v | shmem_long_g(r, pe); // expected-remark {{read once}}
}
inline long inlined(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v & shmem_long_g(r, pe); // expected-remark {{read once}}
}
long all(const long* r, int pe) {
  return shared(r, pe) + by_helper(r, pe) + instance(r, pe) + promised(r, pe) + own(r, pe);
}
long generic(const long* r, int pe) {
  const long v = shmem_g(r, pe);
  return v + 3 * shmem_g(r, pe); // expected-remark-re {{read once: it is the value of line {{4[0-9]}}}}
}
long one(const long* r, int pe) {
  return inlined(r, pe);
}
