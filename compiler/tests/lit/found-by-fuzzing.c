// Programs that the fuzzer found to be wrong once, reduced.
// RUN: %same %S/Inputs/lost-update.c

// What is in the condition, and what stands around it, uses `a`, which the refused exchange would have changed: records were
// made for both, one inside of the other.
// RUN: %cc -O1 -S -emit-llvm -Wpass-failed %s -o - 2>&1 | %FileCheck %s
#include <shmem.h>

int64_t mix(int64_t);

// The assignment of the structure is a call of memcpy, which changes it: once not so for the plug-in of LLVM 16.
// CHECK: [[#@LINE+8]]:{{[0-9]+}}: warning: fetch not deferred: its own arguments depend on a fetched value carried around the loop
struct triple {
  int64_t a, b, c[2];
};
void assigns_structure(shmem_ctx_t ctx, const int64_t* s, int64_t* out, int64_t n, struct triple t) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &s[i], 1);
    const int64_t w = shmem_ctx_int64_g(ctx, &s[v & t.c[1]], 1);
    out[i] = w;
    t = (struct triple){0, w, {1, 7}};
  }
  shmem_ctx_quiet(ctx);
}

// CHECK-NOT: internal error
// CHECK: fetch not deferred: {{.*}} is updated by deferred code
// CHECK-NOT: internal error
// CHECK-LABEL: @order_in_order(
// CHECK-NOT: windrow_defer_open
// CHECK: {{^}}}
void order_in_order(shmem_ctx_t ctx, int64_t* s, int64_t* counts, int64_t* out, int64_t at) {
  int64_t sum = 1, a[4] = {1, 2, 3, 4};
#pragma shmem defer
  for (int64_t r = 0; r < 2; r++) {
    int64_t v = shmem_ctx_int64_g(ctx, &s[at], 1);
    for (int64_t i = 0; i < 3; i++) {
      sum -= v ^ a[1];
      int64_t w = shmem_ctx_int64_atomic_compare_swap(ctx, &s[1], -7, 1, 1);
      at = w;
      a[at] = v;
    }
    for (int64_t k = 0; k < 2; k++) {
      if (v & 3) out[mix(mix(v) ^ a[1])] += 1;
      shmem_ctx_int64_atomic_add(ctx, &counts[mix(k & a[1])], 1, 1);
    }
  }
}
