// Where deferred code must have run before a call completes it, the runtime is told to (A10).
// RUN: %cc -O1 -c %s -o /dev/null -Rpass-analysis=windrow-defer -Xclang -verify
// RUN: %cc -O0 -S -emit-llvm %s -o - 2>/dev/null | %FileCheck %s
#include <shmem.h>

// CHECK-LABEL: @quiet_comes_first(
// CHECK-NOT: @windrow_defer_drain
// CHECK: ret i64
int64_t quiet_comes_first(shmem_ctx_t ctx, const int64_t* values, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) sum += shmem_ctx_int64_g(ctx, &values[i], 1);
  shmem_ctx_quiet(ctx);
  return sum;
}

// CHECK-LABEL: @barrier_comes_first(
// CHECK-NOT: @windrow_defer_drain
// CHECK: ret i64
int64_t barrier_comes_first(shmem_ctx_t ctx, const int64_t* values, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) sum += shmem_ctx_int64_g(ctx, &values[i], 1);
  shmem_barrier_all();
  return sum;
}

// CHECK-LABEL: @is_used(
// CHECK: call void @windrow_defer_drain()
// CHECK: ret i64
int64_t is_used(shmem_ctx_t ctx, const int64_t* values, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer // expected-remark {{inserted a drain at the end of the region: 'sum' is used at line 35 before any quiet}}
  for (int64_t i = 0; i < n; i++) sum += shmem_ctx_int64_g(ctx, &values[i], 1);
  return sum;
}

// The array is memory of a frame that ends.
// CHECK-LABEL: @goes_out_of_scope(
// CHECK: call void @windrow_defer_drain()
void goes_out_of_scope(shmem_ctx_t ctx, const int64_t* values, int64_t n) {
  int64_t histogram[64] = {0};
#pragma shmem defer nowait // expected-remark {{inserted a drain at the end of the region: 'histogram' goes out of scope before any quiet}}
  for (int64_t i = 0; i < n; i++) {
    int64_t v = shmem_ctx_int64_g(ctx, &values[i], 1);
    histogram[v & 63] += v;
  }
}

// The caller has its quiet: only memory of others is written.
// CHECK-LABEL: @writes_elsewhere(
// CHECK-NOT: @windrow_defer_drain
// CHECK: ret void
void writes_elsewhere(shmem_ctx_t ctx, const int64_t* values, int64_t* out, int64_t n) {
#pragma shmem defer nowait
  for (int64_t i = 0; i < n; i++) out[i] = shmem_ctx_int64_g(ctx, &values[i], 1);
}

// The caller may look at it.
// CHECK-LABEL: @returns(
// CHECK: call void @windrow_defer_drain
// CHECK: ret void
void returns(shmem_ctx_t ctx, const int64_t* values, int64_t* out, int64_t n) {
#pragma shmem defer // expected-remark {{inserted a drain at the end of the region: the function returns at line 66 before any quiet}}
  for (int64_t i = 0; i < n; i++) out[i] = shmem_ctx_int64_g(ctx, &values[i], 1);
}

// Others may wait in sync_all for what deferred code has yet to send.
// CHECK-LABEL: @others_wait(
// CHECK: call void @windrow_defer_drain()
// CHECK: call void @shmem_sync_all()
void others_wait(shmem_ctx_t ctx, const int64_t* values, int64_t* out, int64_t n) {
#pragma shmem defer // expected-remark {{inserted a drain at the end of the region: 'shmem_sync_all' is called at line 75 before any quiet}}
  for (int64_t i = 0; i < n; i++) out[i] = shmem_ctx_int64_g(ctx, &values[i], 1);
  shmem_sync_all();
}

// A structure that the function returns in its caller's memory.
struct sums {
  int64_t all[8];
};
// CHECK-LABEL: @returned(
// CHECK: call void @windrow_defer_drain()
// CHECK: ret void
struct sums returned(shmem_ctx_t ctx, const int64_t* values, int64_t n) {
  struct sums result = {{0}};
#pragma shmem defer // expected-remark-re {{inserted a drain at the end of the region: '{{.*}}' {{is used|goes out of scope}}{{.*}} before any quiet}}
  for (int64_t i = 0; i < n; i++) result.all[i & 7] += shmem_ctx_int64_g(ctx, &values[i], 1);
  return result;
}

// Two regions that share a variable at different levels.
// CHECK-LABEL: @two_regions(
// CHECK: call void @windrow_defer_drain()
void two_regions(shmem_ctx_t ctx, const int64_t* values, int64_t* out, int64_t n) {
  int64_t sum = 0;
  for (int64_t r = 0; r < n; r++) {
#pragma shmem defer // expected-remark {{inserted a drain}}
    for (int64_t i = 0; i < n; i++) sum = 3 * sum + shmem_ctx_int64_g(ctx, &values[i], 1);
#pragma shmem defer // expected-remark {{inserted a drain}}
    for (int64_t i = 0; i < n; i++) {
      int64_t at = shmem_ctx_int64_g(ctx, &values[i], 1);
      sum += shmem_ctx_int64_g(ctx, &values[at], 1);
    }
  }
  shmem_ctx_quiet(ctx);
  *out = sum;
}
