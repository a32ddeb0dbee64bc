// The version is chosen by the context of the fetches where the function begins, if that is a member of what is surely there,
// and not one that the function makes itself.
// RUN: %cxx -O0 -S -emit-llvm %s -o - | %FileCheck %s
#include <shmem.h>
#include <shmemx.h>

struct table {
  const int64_t* values;
  shmem_ctx_t ctx;
  int64_t sum(int64_t n);
  void open(int64_t n);
  int64_t reopened(int64_t n, shmem_ctx_t other);
};

// CHECK-LABEL: @_ZN5table3sumEl(
// CHECK: [[AT:%.*]] = getelementptr inbounds i8, ptr %this, i64 8
// CHECK: [[CTX:%.*]] = load ptr, ptr [[AT]]
// CHECK: call i32 @windrow_defer_choose(ptr [[CTX]],
int64_t table::sum(int64_t n) {
  int64_t all = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) all += shmem_ctx_int64_g(ctx, &values[i], 1);
  return all;
}

// CHECK-LABEL: @_ZN5table4openEl(
// CHECK: call i32 @windrow_defer_choose(ptr null,
void table::open(int64_t n) {
  shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx);
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) shmem_int64_p(const_cast<int64_t*>(values), shmem_ctx_int64_g(ctx, &values[i], 1), 0);
}

// CHECK-LABEL: @_ZN5table8reopenedElP{{[A-Za-z0-9_]*}}(
// CHECK: call i32 @windrow_defer_choose(ptr null,
int64_t table::reopened(int64_t n, shmem_ctx_t other) {
  int64_t all = 0;
  ctx = other;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) all += shmem_ctx_int64_g(ctx, &values[i], 1);
  return all;
}

struct first {
  shmem_ctx_t ctx;
  const int64_t* values;
  int64_t limit() const;
  int64_t sum(int64_t n);
};

// What is called for the object does not make its context.
// CHECK-LABEL: @_ZN5first3sumEl(
// CHECK: [[CTX:%.*]] = load ptr, ptr
// CHECK: call i32 @windrow_defer_choose(ptr [[CTX]],
int64_t first::sum(int64_t n) {
  int64_t all = 0;
  n = n < limit() ? n : limit();
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) all += shmem_ctx_int64_g(ctx, &values[i], 1);
  return all;
}
