// The hooks of -finstrument-functions are called once where the function begins and once on each way out.
// RUN: %cc -O1 -finstrument-functions -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %cc -O0 -finstrument-functions -S %s -o - | grep -c 'call.*__cyg_profile_func_enter' | %FileCheck %s --check-prefix=ONE
// RUN: %cc -O0 -finstrument-functions -S %s -o - | grep -c 'call.*windrow_defer_choose' | %FileCheck %s --check-prefix=ONE
// RUN: %cc -O1 -finstrument-functions -S -emit-llvm %s -o - | grep -o 'call void @__cyg_profile_func_[a-z]*' | sort | uniq -c | %FileCheck %s --check-prefix=COUNT
// RUN: %cc -O1 -finstrument-functions-after-inlining -S %s -o - | grep -c 'call.*__cyg_profile_func_enter' | %FileCheck %s --check-prefix=ONE
#include <shmem.h>

// CHECK-LABEL: define dso_local i64 @total(
// CHECK: call void @__cyg_profile_func_enter(ptr {{(nonnull )?}}@total,
// CHECK: call i32 @windrow_defer_choose(
// CHECK-NOT: call {{.*}}@__cyg_profile_func_enter(
// COUNT: 1 call void @__cyg_profile_func_enter
// COUNT: {{[123]}} call void @__cyg_profile_func_exit
// ONE: {{^}}1{{$}}
int64_t total(shmem_ctx_t ctx, const int64_t* values, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer no_fusion
  for (int64_t i = 0; i < n; i++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &values[i], (int)i % 2);
    sum += v & 1 ? v : 3 * v;
  }
  shmem_ctx_quiet(ctx);
  return sum;
}
