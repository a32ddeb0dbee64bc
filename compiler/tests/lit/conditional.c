// A fetch on a condition whose value is used behind it is made in any case, beside others or alone, and opened in place with
// them; but not where the statement writes what it fetches, or the contexts may differ.
// RUN: %cc -O1 -S -emit-llvm -Rpass=windrow-defer %s -o %t.ll 2>&1 | %FileCheck %s --check-prefix=REMARK
// RUN: %FileCheck %s --input-file %t.ll
#include <shmem.h>
#include <shmemx.h>

// REMARK: conditional.c:[[#@LINE+7]]:{{[0-9]+}}: remark: deferred {{.*}} behind 2 fetch(es)
// CHECK-LABEL: define dso_local void @beside(
// CHECK: load ptr, ptr @windrow_defer_view
void beside(shmem_ctx_t ctx, const int64_t* s, const int32_t* t, const int64_t* at, int64_t* out, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int32_t w = 0;
    const int64_t v = shmem_ctx_int64_g(ctx, &s[i], 1);
    if (at[i] > 0) w = shmem_ctx_int32_g(ctx, &t[at[i]], 2);
    out[i] += v + w;
  }
}

// REMARK: conditional.c:[[#@LINE+6]]:{{[0-9]+}}: remark: deferred {{.*}} behind 2 fetch(es)
void own_context(const int64_t* s, const int64_t* at, int64_t* out, int64_t n) {
  shmem_ctx_t ctx;
  shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx);
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &s[i], 1);
    int64_t w = 0;
    if (at[i] > 0) w = shmem_ctx_int64_g(ctx, &s[at[i]], 2);
    out[i] += v + w;
  }
  shmem_ctx_destroy(ctx);
}

// REMARK: conditional.c:[[#@LINE+4]]:{{[0-9]+}}: remark: deferred {{.*}} behind 2 fetch(es)
void wider(shmem_ctx_t ctx, const int64_t* s, const int32_t* t, const int64_t* at, int64_t* out, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int32_t v = shmem_ctx_int32_g(ctx, &t[i], 1);
    int64_t w = 0;
    if (at[i] > 0) w = shmem_ctx_int64_g(ctx, &s[at[i]], 2);
    out[i] += v + w;
  }
}

// REMARK: conditional.c:[[#@LINE+10]]:{{[0-9]+}}: remark: deferred {{.*}} behind 1 fetch(es)
// CHECK-LABEL: define dso_local void @alone(
// CHECK: call ptr @windrow_defer_existing_context(
// CHECK: load ptr, ptr @windrow_defer_view
// CHECK-NOT: @windrow_defer_open_in_order
void alone(shmem_ctx_t ctx, const int64_t* s, const int64_t* at, int64_t* out, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t v = i;
    if (i != 7 && at[i] > 0)
      v += shmem_ctx_int64_g(ctx, &s[at[i]], 2);
    out[i] += v;
  }
}

// REMARK: conditional.c:[[#@LINE+4]]:{{[0-9]+}}: remark: deferred 1 statement(s) behind 1 fetch(es)
void chosen(shmem_ctx_t ctx, const int64_t* s, const int64_t* at, int64_t* out, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++)
    out[at[i]] += at[i] > 0 ? shmem_ctx_int64_g(ctx, &s[at[i]], 2) : 5;
}

// What is only added to is changed where there is something to add.
// REMARK: conditional.c:[[#@LINE+7]]:{{[0-9]+}}: remark: deferred 1 statement(s) behind 1 fetch(es)
// CHECK-LABEL: define dso_local i64 @added(
// CHECK-NOT: call ptr @windrow_defer_existing_context
int64_t added(shmem_ctx_t ctx, const int64_t* s, const int64_t* at, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++)
    if (at[i] > 0) sum += shmem_ctx_int64_g(ctx, &s[at[i]], 2);
  return sum;
}

// REMARK-NOT: behind 2 fetch(es)
void place_is_written(shmem_ctx_t ctx, const int64_t* s, int64_t* t, const int64_t* at, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &s[i], 1);
    int64_t w = 0;
    if (at[i] > 0) w = shmem_ctx_int64_g(ctx, &t[at[i]], 0);
    t[at[i]] = v + w;
  }
}

void contexts(shmem_ctx_t one, shmem_ctx_t other, const int64_t* s, const int64_t* at, int64_t* out, int64_t n) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    shmem_ctx_t ctx = one;
    const int64_t v = shmem_ctx_int64_g(ctx, &s[i], 1);
    int64_t w = 0;
    ctx = other;
    if (at[i] > 0) w = shmem_ctx_int64_g(ctx, &s[at[i]], 2);
    out[i] += v + w;
  }
}
