// The default context never aggregates: nothing to defer, which a remark says.
// RUN: %cc -O1 -c %s -o /dev/null -Rpass-missed=windrow-defer -Wno-deprecated-declarations -Xclang -verify
#include <shmem.h>
static long count;
int64_t f(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer // expected-warning {{region contains no fetch to defer}} expected-remark {{region contains no fetch to defer}}
  for (int64_t i = 0; i < n; i++) {
    sum += shmem_int64_g(&s[i], 1); // expected-remark {{fetch not deferred: the default context is never aggregated; use a context of your own}}
    int64_t other = shmem_ctx_int64_g(SHMEM_CTX_DEFAULT, &s[i], 1); // expected-remark {{the default context is never aggregated}}
    sum -= other;
    sum += shmem_long_fadd(&count, 1, 1); // expected-remark {{the default context is never aggregated}}
  }
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) s += shmem_ctx_int64_g(ctx, s, 1); // expected-warning {{its own arguments depend on a fetched value carried around the loop}} expected-remark {{its own arguments}}
  return sum;
}
