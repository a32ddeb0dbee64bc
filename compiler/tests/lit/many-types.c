// Fetches of every type and kind, by their typed and generic names.
// RUN: %cc -O1 -Wall -Wextra -Werror -c %s -o %t.o -Rpass-missed=windrow-defer -Wno-error=pass-failed 2>&1 | %FileCheck %s --allow-empty
// RUN: %cc -O1 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=IR
// CHECK-NOT: not deferred
#include <shmem.h>
#define ONE(T, N, call) \
  void N(shmem_ctx_t ctx, T* s, T* out, int64_t n) { \
    _Pragma("shmem defer") for (int64_t i = 0; i < n; i++) out[i] = call; \
  }
#define RMA(T, N, A, B) ONE(T, get_##N, shmem_ctx_##N##_g(ctx, &s[i], (int)(i & 1)))
WINDROW_SHMEM_RMA_TYPES(RMA, , )
#define AMO(T, N, A, B)                                                             \
  ONE(T, inc_##N, shmem_ctx_##N##_atomic_fetch_inc(ctx, &s[i], (int)(i & 1)))                  \
  ONE(T, add_##N, shmem_ctx_##N##_atomic_fetch_add(ctx, &s[i], (T)i, 1))            \
  ONE(T, cas_##N, shmem_ctx_##N##_atomic_compare_swap(ctx, &s[i], (T)i, (T)1, 1))
WINDROW_SHMEM_AMO_TYPES(AMO, , )
#define EXTENDED(T, N, A, B)                                     \
  ONE(T, fetch_##N, shmem_ctx_##N##_atomic_fetch(ctx, &s[i], (int)(i & 1))) \
  ONE(T, swap_##N, shmem_ctx_##N##_atomic_swap(ctx, &s[i], (T)i, 1))
WINDROW_SHMEM_EXTENDED_AMO_TYPES(EXTENDED, , )
#define BITWISE(T, N, A, B)                                              \
  ONE(T, and_##N, shmem_ctx_##N##_atomic_fetch_and(ctx, &s[i], (T)i, 1)) \
  ONE(T, or_##N, shmem_ctx_##N##_atomic_fetch_or(ctx, &s[i], (T)i, 1))   \
  ONE(T, xor_##N, shmem_ctx_##N##_atomic_fetch_xor(ctx, &s[i], (T)i, 1))
WINDROW_SHMEM_BITWISE_AMO_TYPES(BITWISE, , )
ONE(long, generic_g, shmem_g(ctx, &s[i], (int)(i & 1)))
ONE(double, generic_swap, shmem_atomic_swap(ctx, &s[i], 1.0, 1))
// IR-DAG: call void @windrow_defer_ctx_longdouble_g(
// IR-DAG: call void @windrow_defer_ctx_char_g(
// IR-DAG: call void @windrow_defer_ctx_float_atomic_swap(
// IR-DAG: call void @windrow_defer_ctx_uint64_atomic_fetch_xor(
// IR-NOT: call {{.*}} @shmem_ctx_{{.*}}_p(
