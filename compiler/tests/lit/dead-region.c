// A directive in code that is never reached.
// RUN: %cc -O0 -S -emit-llvm %s -o - | %FileCheck %s
#include <shmem.h>
// CHECK-NOT: call i32 @llvm.annotation
int64_t f(shmem_ctx_t ctx, const int64_t* values, int64_t n) {
  int64_t sum = 0;
  if (n > 3 && (8 & 1)) {
#pragma shmem defer
    for (int64_t i = 0; i < n; i++) sum += shmem_ctx_int64_g(ctx, &values[i], 1);
  }
  return sum;
}
