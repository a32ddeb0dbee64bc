// Where deferred code must have run before a call completes it, the runtime is told to (A10).
// RUN: %cc -O1 -c %s -o /dev/null -Rpass-analysis=windrow-defer -Xclang -verify
// RUN: %cc -O0 -S -emit-llvm %s -o - 2>/dev/null | %FileCheck %s
#include <shmem.h>

// CHECK-LABEL: define internal {{.*}} @quiet_comes_first.deferred(
// CHECK-NOT: @windrow_defer_drain
// CHECK: ret i64
int64_t quiet_comes_first(shmem_ctx_t ctx, const int64_t* values, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) sum += shmem_ctx_int64_g(ctx, &values[i], 1);
  shmem_ctx_quiet(ctx);
  return sum;
}

// CHECK-LABEL: define internal {{.*}} @barrier_comes_first.deferred(
// CHECK-NOT: @windrow_defer_drain
// CHECK: ret i64
int64_t barrier_comes_first(shmem_ctx_t ctx, const int64_t* values, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) sum += shmem_ctx_int64_g(ctx, &values[i], 1);
  shmem_barrier_all();
  return sum;
}

// CHECK-LABEL: define internal {{.*}} @is_used.deferred(
// CHECK: call void @windrow_defer_drain()
// CHECK: ret i64
int64_t is_used(shmem_ctx_t ctx, const int64_t* values, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer // expected-remark {{inserted a drain at the end of the region: 'sum' is used at line 35 before any quiet}}
  for (int64_t i = 0; i < n; i++) sum += shmem_ctx_int64_g(ctx, &values[i], 1);
  return sum;
}

// The array is memory of a frame that ends.
// CHECK-LABEL: define internal {{.*}} @goes_out_of_scope.deferred(
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
// CHECK-LABEL: define internal {{.*}} @writes_elsewhere.deferred(
// CHECK-NOT: @windrow_defer_drain
// CHECK: ret void
void writes_elsewhere(shmem_ctx_t ctx, const int64_t* values, int64_t* out, int64_t n) {
#pragma shmem defer nowait
  for (int64_t i = 0; i < n; i++) out[i] = shmem_ctx_int64_g(ctx, &values[i], 1);
}

// The caller may look at it.
// CHECK-LABEL: define internal {{.*}} @returns.deferred(
// CHECK: call void @windrow_defer_drain
// CHECK: ret void
void returns(shmem_ctx_t ctx, const int64_t* values, int64_t* out, int64_t n) {
#pragma shmem defer // expected-remark {{inserted a drain at the end of the region: the function returns at line 66 before any quiet}}
  for (int64_t i = 0; i < n; i++) out[i] = shmem_ctx_int64_g(ctx, &values[i], 1);
}

// Others may wait in sync_all for what deferred code has yet to send.
// CHECK-LABEL: define internal {{.*}} @others_wait.deferred(
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
// CHECK-LABEL: define internal {{.*}} @returned.deferred(
// CHECK: call void @windrow_defer_drain()
// CHECK: ret void
struct sums returned(shmem_ctx_t ctx, const int64_t* values, int64_t n) {
  struct sums result = {{0}};
#pragma shmem defer // expected-remark-re {{inserted a drain at the end of the region: '{{.*}}' {{is used|goes out of scope}}{{.*}} before any quiet}}
  for (int64_t i = 0; i < n; i++) result.all[i & 7] += shmem_ctx_int64_g(ctx, &values[i], 1);
  return result;
}

// Two regions that share a variable at different levels.
// CHECK-LABEL: define internal {{.*}} @two_regions.deferred(
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

// Who waits for the flag writes anew what has been read.
// CHECK-LABEL: define internal {{.*}} @tells_that_it_has_read.deferred(
// CHECK: call void @windrow_defer_drain()
// CHECK: call void @shmem_ctx_int64_p
int64_t tells_that_it_has_read(shmem_ctx_t ctx, const int64_t* values, int64_t* flag, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer // expected-remark {{inserted a drain at the end of the region: another PE may learn by the update at line 118 that it has run}}
  for (int64_t i = 0; i < n; i++) sum += shmem_ctx_int64_g(ctx, &values[i], 1);
  shmem_ctx_int64_p(ctx, flag, 1, 1);
  shmem_ctx_quiet(ctx);
  return sum;
}

// A strided put tells as much.
// CHECK-LABEL: define internal {{.*}} @tells_by_a_strided_put.deferred(
// CHECK: call void @windrow_defer_drain()
// CHECK: call void @shmem_ctx_int64_iput
int64_t tells_by_a_strided_put(shmem_ctx_t ctx, const int64_t* values, int64_t* flag, const int64_t* one, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer // expected-remark {{inserted a drain at the end of the region: another PE may learn by the update at line 131 that it has run}}
  for (int64_t i = 0; i < n; i++) sum += shmem_ctx_int64_g(ctx, &values[i], 1);
  shmem_ctx_int64_iput(ctx, flag, one, 2, 1, 1, 1);
  shmem_ctx_quiet(ctx);
  return sum;
}

// Two contexts have no order between them, around the loop neither.
void two_contexts(shmem_ctx_t ctx, shmem_ctx_t other, int64_t* x, int64_t* out, int64_t n) {
  int64_t sum = 0, product = 1;
  for (int64_t r = 0; r < n; r++) {
#pragma shmem defer // expected-remark {{an operation on another context at line 143}}
    for (int64_t i = 0; i < n; i++) sum = 3 * sum + shmem_ctx_int64_atomic_fetch_inc(ctx, x, 1);
#pragma shmem defer // expected-remark {{an earlier statement, on another context, is come to again}}
    for (int64_t i = 0; i < n; i++) product *= shmem_ctx_int64_atomic_fetch_inc(other, x, 1);
  }
  shmem_ctx_quiet(ctx);
  shmem_ctx_quiet(other);
  *out = sum * product;
}

void contexts_in_turn(shmem_ctx_t now, shmem_ctx_t next, int64_t* x, int64_t* out, int64_t n) {
  int64_t sum = 0;
  for (int64_t r = 0; r < n; r++) {
#pragma shmem defer // expected-remark {{the context may be another one when the statement is come to again}}
    for (int64_t i = 0; i < n; i++) sum = 3 * sum + shmem_ctx_int64_atomic_fetch_inc(now, x, 1);
    const shmem_ctx_t before = now;
    now = next;
    next = before;
  }
  shmem_quiet();
  *out = sum;
}

struct holder {
  shmem_ctx_t ctx;
};
void context_in_memory(struct holder* in, shmem_ctx_t other, int64_t* x, int64_t* out, int64_t n) {
  int64_t sum = 0, product = 1;
#pragma shmem defer // expected-remark {{an operation on another context at line 172}}
  for (int64_t i = 0; i < n; i++) sum = 3 * sum + shmem_ctx_int64_atomic_fetch_inc(in->ctx, x, 1);
  in->ctx = other;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) product *= shmem_ctx_int64_atomic_fetch_inc(in->ctx, x, 1);
  shmem_quiet();
  *out = sum * product;
}

// A call that is the return: what waits is complete in front of it.
// CHECK-LABEL: define internal {{.*}} @ends_in_call.deferred(
// CHECK: call void @windrow_defer_drain()
// CHECK: musttail call i64 @ends_in_call
int64_t ends_in_call(shmem_ctx_t ctx, const int64_t* values, int64_t* out, int64_t n) {
#pragma shmem defer // expected-remark 2 {{inserted a drain}}
  {
    for (int64_t i = 0; i < n; i++) out[i] = shmem_ctx_int64_g(ctx, &values[i], 1);
    __attribute__((musttail)) return ends_in_call(ctx, values, out, n - 1);
  }
  return 0;
}

// What ends the program may use what dependent code computes; what tells of a failure does not wait for it.
void _Exit(int) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
// CHECK-LABEL: define internal {{.*}} @ends_with_the_sum.deferred(
// CHECK: call void @windrow_defer_drain()
// CHECK: call void @_Exit
void ends_with_the_sum(shmem_ctx_t ctx, const int64_t* values, int64_t n) {
  static int64_t sum;
#pragma shmem defer nowait // expected-remark {{inserted a drain at the end of the region: memory that it uses is used at line 200 before any quiet}}
  for (int64_t i = 0; i < n; i++) sum += shmem_ctx_int64_g(ctx, &values[i], 1);
  _Exit((int)sum);
}
// CHECK-LABEL: define internal {{.*}} @fails.deferred(
// CHECK-NOT: @windrow_defer_drain
// CHECK: call void @abort
void fails(shmem_ctx_t ctx, const int64_t* values, int64_t* out, int64_t n) {
#pragma shmem defer nowait
  for (int64_t i = 0; i < n; i++) out[i] = shmem_ctx_int64_g(ctx, &values[i], 1);
  abort();
}

// The others may wait for what is written while this PE computes for ever.
// CHECK-LABEL: define internal {{.*}} @computes_for_ever.deferred(
// CHECK: call void @windrow_defer_drain()
void computes_for_ever(shmem_ctx_t ctx, const int64_t* values, int64_t* out, int64_t n) {
#pragma shmem defer nowait // expected-remark {{inserted a drain at the end of the region: a loop that does not end follows}}
  for (int64_t i = 0; i < n; i++) out[i] = shmem_ctx_int64_g(ctx, &values[i], 1);
  for (;;) n++;
}

// What others may have mapped, too.
// CHECK-LABEL: define internal {{.*}} @ends_at_once.deferred(
// CHECK: call void @windrow_defer_drain()
// CHECK: call void @_Exit
void ends_at_once(shmem_ctx_t ctx, const int64_t* values, int64_t* out, int64_t n) {
#pragma shmem defer nowait // expected-remark-re {{inserted a drain at the end of the region: '_Exit' does not come back at line {{[0-9]+}}}}
  for (int64_t i = 0; i < n; i++) out[i] = shmem_ctx_int64_g(ctx, &values[i], 1);
  _Exit(0);
}
