// What records have in common is compared between rounds, and may be a variable that is not set yet: it has one value in all
// of a round.
// RUN: %cc -O1 -S -emit-llvm -mllvm -opt-bisect-limit=0 -Rpass=windrow-defer %s -o - 2>/dev/null | %FileCheck %s
// RUN: %cc -O1 -S -emit-llvm -mllvm -opt-bisect-limit=0 -Rpass=windrow-defer %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=SAID
#include <shmem.h>

int64_t opaque(void);

// SAID-DAG: unset.c:[[#@LINE+9]]:{{[0-9]+}}: remark: deferred
// CHECK-LABEL: define{{.*}} void @here.deferred(
// CHECK: [[IN_BATCH:%.*]] = load i64, ptr %addend
// CHECK: freeze i64 [[IN_BATCH]]
void here(shmem_ctx_t ctx, const int64_t* s, int64_t* out, int64_t n, int set) {
  int64_t addend;
  if (set) addend = opaque();
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t value = shmem_ctx_int64_g(ctx, &s[i * 3], 1);
    if (set) out[i] = value + addend;
  }
  shmem_ctx_quiet(ctx);
}

// SAID-DAG: unset.c:[[#@LINE+9]]:{{[0-9]+}}: remark: fused at owner
// CHECK-LABEL: define{{.*}} void @at_owner.deferred(
// CHECK: [[SENT:%least[0-9]*]] = load i64
// CHECK: freeze i64 [[SENT]]
void at_owner(shmem_ctx_t ctx, int64_t* s, int64_t n, int pe, int set) {
  int64_t least;
  if (set) least = opaque();
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t before = shmem_ctx_int64_g(ctx, &s[i * 3], pe);
    if (set && before > least) shmem_ctx_int64_atomic_inc(ctx, &s[i * 3], pe);
  }
  shmem_ctx_quiet(ctx);
}
