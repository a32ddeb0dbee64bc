// Callees stay calls whose attributes do not fit those of the function: what they are compiled for, what they are checked by, and how
// vectors are handed to what they call would change.
// RUN: %cxx -O0 --target=x86_64-linux-gnu -S -emit-llvm %s -o %t.ll && %FileCheck %s --input-file %t.ll
// RUN: %cxx -O1 --target=x86_64-linux-gnu -march=skylake-avx512 -fsanitize=address -fno-exceptions -c %s -o /dev/null
#include <shmem.h>

#include <coroutine>

typedef long wide __attribute__((vector_size(64)));
wide product(wide x, wide y);
static long of_wide(long v) {
  const wide x = {v, 1, 2, 3, 4, 5, 6, v};
  const wide y = product(x, x + 1);
  return y[0] + y[7];
}
// CHECK-LABEL: define dso_local void @_Z9uses_wide
// CHECK: call {{.*}}i64 @_ZL7of_widel(
void uses_wide(shmem_ctx_t ctx, const int64_t* s, int64_t* out) {
#pragma shmem defer
  for (int i = 0; i < 32; i++) out[i] = shmem_ctx_int64_g(ctx, &s[i], 1) + of_wide(i);
}

__attribute__((naked)) static long three() {
  __asm__("mov $3, %eax\n ret");
}
// CHECK-LABEL: define dso_local void @_Z10uses_naked
// CHECK: call {{.*}}i64 @_ZL5threev(
void uses_naked(shmem_ctx_t ctx, const int64_t* s, int64_t* out) {
#pragma shmem defer
  for (int i = 0; i < 32; i++) {
    const int64_t at = three();
    out[i] = shmem_ctx_int64_g(ctx, &s[at], 1);
  }
}

__attribute__((no_sanitize("address"))) static int64_t unchecked(const int64_t* at) {
  return *at;
}
struct task {
  struct promise_type {
    task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};
static task suspended() {
  co_await std::suspend_always{};
}
// CHECK-LABEL: define dso_local void @_Z14uses_coroutine
// CHECK: call {{.*}}@_ZL9suspendedv(
void uses_coroutine(shmem_ctx_t ctx, const int64_t* s, int64_t* out) {
  for (int i = 0; i < 32; i++) {
#pragma shmem defer
    {
      const auto started = suspended();
      out[i] = shmem_ctx_int64_g(ctx, &s[i], 1);
      started.handle.destroy();
    }
    out[i] += unchecked(&s[i]);
  }
}

__attribute__((target("fma"))) static double horner(double x, double a) {
  return x * x - a;
}
// CHECK-LABEL: define internal void @_Z11uses_fusing{{.*}}.defer1.0
// CHECK: call {{.*}}double @_ZL6hornerdd(
void uses_fusing(shmem_ctx_t ctx, const double* s, double* out) {
#pragma shmem defer
  for (int i = 0; i < 32; i++) out[i] = horner(shmem_ctx_double_g(ctx, &s[i], 1), 1.5);
}
