// A get of one element into a local variable is a fetch, in the directive's statement only.
// RUN: %cc -O0 -S -emit-llvm -Rpass=windrow-defer %s -o - 2>&1 | %FileCheck %s
// RUN: %same %S/Inputs/gets.c
#include <shmem.h>

// CHECK-DAG: gets.c:[[#@LINE+6]]:{{[0-9]+}}: remark: deferred 2 statement(s) behind 1 fetch(es)
double typed(shmem_ctx_t ctx, const double* from, int64_t n) {
  double sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    double v;
    shmem_ctx_double_get(ctx, &v, &from[i], 1, (int)(i & 1));
    sum += v;
  }
  shmem_ctx_quiet(ctx);
  return sum;
}

// CHECK-DAG: gets.c:[[#@LINE+6]]:{{[0-9]+}}: remark: deferred 2 statement(s) behind 1 fetch(es)
int by_size(shmem_ctx_t ctx, const int* from, int64_t n) {
  int sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int v;
    shmem_ctx_get32(ctx, &v, &from[i], 1, (int)(i & 1));
    sum ^= v;
  }
  shmem_ctx_quiet(ctx);
  return sum;
}

// More elements, other places and other statements stay what they are.
// CHECK-LABEL: define internal void @others.deferred(
// CHECK: call void @shmem_ctx_long_get(
// CHECK: call void @shmem_ctx_long_get(
// CHECK: call void @shmem_ctx_long_get(
// CHECK-NOT: call void @shmem_ctx_long_get(
void others(shmem_ctx_t ctx, const long* from, long* to, int64_t n) {
  long pair[2], one, sum = 0;
  shmem_ctx_long_get(ctx, &one, from, 1, 1);
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    shmem_ctx_long_get(ctx, pair, &from[i], 2, 1);
    shmem_ctx_long_get(ctx, &to[i], &from[i], 1, 1);
    sum += shmem_ctx_long_g(ctx, &from[i], 1);
  }
  shmem_ctx_quiet(ctx);
  to[n] = sum + one + pair[0];
}

static long read_at(shmem_ctx_t ctx, const long* from, int pe) {
  long value;
  shmem_ctx_long_get(ctx, &value, from, 1, pe);
  return value;
}
// In a small function that the statement calls, it waits in each version.
// CHECK-LABEL: define internal i64 @by_helper.blocking(
// CHECK-NOT: @read_at(
// CHECK: call i64 @shmem_ctx_long_g(
// CHECK-NOT: @read_at(
// CHECK: ret i64
long by_helper(shmem_ctx_t ctx, const long* from, int64_t n) {
  long sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) sum += read_at(ctx, &from[i], 1);
  shmem_ctx_quiet(ctx);
  return sum;
}
