// All fetches of a block are stored together in place, or all by calls; and a record holds the one of the level above only
// if it uses that one's memory.
// RUN: %cc -O1 -S -emit-llvm %s -o %t.ll -Rpass=windrow-defer 2>&1 | %FileCheck %s --check-prefix=REMARK
// RUN: %FileCheck %s --input-file %t.ll
#include <shmem.h>

#define DEFER _Pragma("shmem defer")

// REMARK: remark: deferred 1 statement(s) behind 2 fetch(es)
// CHECK-LABEL: define dso_local void @both(
// CHECK: load ptr, ptr @windrow_defer_view
// CHECK: [[REC:%rec.*]] = {{.*}}call ptr @windrow_defer_open(ptr %{{.*}} @both.defer1.0.single, i64 {{[0-9]+}}, ptr null, i32 0)
// CHECK-NEXT: call void @windrow_defer_ctx_int64_atomic_fetch_inc(ptr %ctx, ptr [[REC]], ptr
// CHECK: call void @windrow_defer_ctx_int64_g(ptr %ctx, ptr [[REC]], ptr
// CHECK: call void @windrow_defer_commit(
// CHECK-NOT: @windrow_defer_open
// CHECK: call void @shmem_ctx_quiet(
void both(shmem_ctx_t ctx, int64_t* counts, const int64_t* values, int64_t* seen, int64_t n) {
  DEFER for (int64_t i = 0; i < n; i++)
    seen[i] = shmem_ctx_int64_atomic_fetch_inc(ctx, &counts[i], 1) + shmem_ctx_int64_g(ctx, &values[i], 2);
  shmem_ctx_quiet(ctx);
}

// Another call between them sees where they are made: calls.
// CHECK-LABEL: define dso_local void @with_a_call_between(
// CHECK-NOT: @windrow_defer_view{{[_0-9]*}}, align
// CHECK: call ptr @windrow_defer_open(
// CHECK: call void @windrow_defer_ctx_int64_g(
// CHECK: call i32 @puts(
// CHECK: call void @windrow_defer_ctx_int64_g(
// CHECK: call void @windrow_defer_commit(
int puts(const char* text);
void with_a_call_between(shmem_ctx_t ctx, const int64_t* values, int64_t* seen, int64_t n) {
  DEFER for (int64_t i = 0; i < n; i++) {
    const int64_t one = shmem_ctx_int64_g(ctx, &values[i], 1);
    puts("between");
    const int64_t other = shmem_ctx_int64_g(ctx, &values[i], 2);
    seen[i] = one + other;
  }
  shmem_ctx_quiet(ctx);
}

void values_only(shmem_ctx_t ctx, const int64_t* links, const int64_t* values, int64_t* seen, int64_t n) {
  DEFER for (int64_t i = 0; i < n; i++)
    seen[i] = shmem_ctx_int64_g(ctx, &values[shmem_ctx_int64_g(ctx, &links[i], 1)], 2);
  shmem_ctx_quiet(ctx);
}

void shared_between_levels(shmem_ctx_t ctx, const int64_t* links, const int64_t* values, int64_t* seen,
                           int64_t n) {
  DEFER for (int64_t i = 0; i < n; i++) {
    const int64_t first = shmem_ctx_int64_g(ctx, &links[i], 1);
    int64_t at = first;
    for (int64_t j = 0; j < first; j++) {
      const int64_t value = shmem_ctx_int64_g(ctx, &values[first + j], 2);
      at += value;
      seen[at] = value;
    }
  }
  shmem_ctx_quiet(ctx);
}

// CHECK-LABEL: define internal {{.*}}void @values_only.defer1.{{[0-9]+}}(ptr
// CHECK: call ptr @windrow_defer_open(ptr %{{.*}} @values_only.defer2.{{.*}}, ptr null, i32 1)
// CHECK-LABEL: define internal {{.*}}void @shared_between_levels.defer1.{{[0-9]+}}(ptr
// CHECK: call ptr @windrow_defer_open(ptr %{{.*}} @shared_between_levels.defer2.{{.*}}, ptr {{.*}}%rec, i32 1)
