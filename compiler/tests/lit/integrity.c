// What others see of a function stays that of the one that calls its versions: its type, for control flow integrity.
// RUN: %cc -O0 -fsanitize=kcfi -S -emit-llvm %s -o - | %FileCheck %s
#include <shmem.h>

// CHECK: define dso_local i64 @total({{.*}} !kcfi_type
int64_t total(shmem_ctx_t ctx, const int64_t* values, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) sum += shmem_ctx_int64_g(ctx, &values[i], 1);
  return sum;
}
