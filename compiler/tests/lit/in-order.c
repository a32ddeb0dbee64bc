// Code around a fetch that uses what depends on it is deferred in its turn: values fetched on a condition (A15; on a
// context that can be had only where the condition holds, else the fetch is made in any case), sums over an inner loop (A16).
// RUN: %cc -O1 -S -emit-llvm -Rpass=windrow-defer %s -o - 2>&1 | %FileCheck %s
// RUN: %same %S/Inputs/in-order.c
// RUN: %instrumented --levels O2 --orders lifo,random %S/Inputs/in-order.c
#include <shmem.h>

struct holder { int64_t n; shmem_ctx_t ctx; };

// CHECK-DAG: in-order.c:[[#@LINE+6]]:20: remark: deferred 1 statement(s) behind 1 fetch(es)
// CHECK-DAG: in-order.c:[[#@LINE+4]]:49: remark: deferred 1 statement(s) in the order of other deferred code
// CHECK-DAG: in-order.c:[[#@LINE+5]]:{{[0-9]+}}: remark: deferred 1 statement(s) in the order of other deferred code
void after_join(const struct holder* of, const int64_t* s, int64_t* out, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) { int64_t v = i;
    if (i & 1) v = shmem_ctx_int64_g(of->ctx, &s[i], 1);
    out[i] = v * 2;
  }
  shmem_quiet();
}

// CHECK-DAG: in-order.c:[[#@LINE+6]]:{{[0-9]+}}: remark: deferred 1 statement(s) behind 1 fetch(es)
// CHECK-DAG: in-order.c:[[#@LINE+6]]:{{[0-9]+}}: remark: deferred 1 statement(s) in the order of other deferred code
void row_sums(shmem_ctx_t ctx, const int64_t* s, int64_t* out, int64_t n) {
#pragma shmem defer
  for (int64_t r = 0; r < n; r++) {
    int64_t sum = 0;
    for (int64_t i = 0; i < r; i++) sum += shmem_ctx_int64_g(ctx, &s[i], (int)(i & 1));
    out[r] = sum;
  }
  shmem_ctx_quiet(ctx);
}

// A loop's end that depends on it is no such code.
// CHECK-NOT: @while_small.defer
int64_t while_small(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t r = 0; sum < 100; r++)
    for (int64_t i = 0; i < n; i++) sum += shmem_ctx_int64_g(ctx, &s[i], 1);
  return sum;
}
