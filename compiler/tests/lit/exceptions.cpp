// An exception must not end a frame that deferred code refers to.
// RUN: %cxx -O1 -c %s -o /dev/null -Rpass-analysis=windrow-defer -Xclang -verify
#include <shmem.h>
void throws(long);
void throws_not(long) noexcept;
static void surely_throws(long i) {
  if (i > 5) throw i;
}

long in_the_region(shmem_ctx_t ctx, const long* s, long n) {
  long c = 0;
#pragma shmem defer // expected-remark {{inserted a drain at the end of the region: the function is left in the region}}
  for (long i = 0; i < n; i++) {
    surely_throws(i);
    c += shmem_ctx_long_g(ctx, &s[i], 1);
  }
  shmem_ctx_quiet(ctx);
  return c;
}

long between(shmem_ctx_t ctx, const long* s, long* out, long n) {
#pragma shmem defer
  for (long i = 0; i < n; i++) {
    const long v = shmem_ctx_long_g(ctx, &s[i], 1); // expected-warning {{fetch not deferred: call of '__cxa_throw' between the fetch and the code that uses it does not return}}
    surely_throws(i);
    out[i] = v;
  }
  return 0;
}

long behind(shmem_ctx_t ctx, const long* s, long n) {
  long c = 0;
#pragma shmem defer // expected-remark {{inserted a drain at the end of the region: 'throws' may throw at line 36, and 'c' goes out of scope before any quiet}}
  for (long i = 0; i < n; i++) c += shmem_ctx_long_g(ctx, &s[i], 1);
  throws_not(n);
  throws(n);
  shmem_ctx_quiet(ctx);
  return c;
}

void dependent(shmem_ctx_t ctx, const long* s, long n) {
#pragma shmem defer
  for (long i = 0; i < n; i++) throws(shmem_ctx_long_g(ctx, &s[i], 1)); // expected-warning {{fetch not deferred: call with unknown effects ('throws') in dependent code}}
}
