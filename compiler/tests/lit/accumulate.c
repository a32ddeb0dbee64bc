// What becomes of the smallest loop.
// RUN: %cc -O0 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %cc -O2 -Rpass=windrow-defer -c %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=REMARK
// RUN: %bare -O2 -S -emit-llvm -fpass-plugin=%plugin -DMACRO %s -o - | %FileCheck %s --check-prefix=PASS
#include <shmem.h>

// Without the front end the marker can be written by hand.
#ifdef MACRO
#define DEFER if (__builtin_annotation(1, "windrow.defer:") == 0) {} else
#else
#define DEFER _Pragma("shmem defer")
#endif

// REMARK: accumulate.c:[[#@LINE+12]]:12: remark: deferred 1 statement(s) behind 1 fetch(es), captured 16 bytes by value, shared by reference [sum]
// CHECK-LABEL: define internal void @total.defer1.0(ptr %rec)
// CHECK: %fetched = load i64
// CHECK-LABEL: define internal i64 @total.deferred(
// CHECK-NOT: call i64 @shmem_ctx_int64_g
// CHECK: load ptr, ptr @windrow_defer_view
// CHECK: [[REC:%rec.*]] = call ptr @windrow_defer_open(ptr %{{.*}}, ptr @total.defer1.0, i64 16, ptr null, i32 0)
// PASS-LABEL: define dso_local i64 @total(
// PASS: call ptr @windrow_defer_open(
int64_t total(shmem_ctx_t ctx, const int64_t* values, int64_t n) {
  int64_t sum = 0;
  DEFER for (int64_t i = 0; i < n; i++)
    sum += shmem_ctx_int64_g(ctx, &values[i], (int)(i & 1));
  // CHECK: call void @windrow_defer_ctx_int64_g(ptr %{{.*}}, ptr [[REC]],
  // CHECK: call void @windrow_defer_commit(ptr %
  // CHECK: call void @shmem_ctx_quiet(
  shmem_ctx_quiet(ctx);
  return sum;
}
