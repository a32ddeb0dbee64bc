// More elements than their bytes can be counted are no fewer bytes: the routine, which tells the mistake, is called.
// RUN: %clang %comm -S -emit-llvm -fplugin-arg-windrow-comm=relaxed %s -o - | %FileCheck %s
// CHECK-LABEL: @elements(
// CHECK: load i32, ptr @windrow_comm_has_far_pes
// CHECK: icmp ult i64 %{{.*}}, 2305843009213693952
// CHECK: call {{.*}} @windrow_comm_begin_get(
// CHECK-LABEL: @rounds(
// CHECK: icmp ult i64 %{{.*}}, 2305843009213693952
// CHECK: select i1 %{{.*}}, i64 %{{.*}}, i64 -1
#include <shmem.h>

static long a[100], b[100], c[100];
long elements(size_t n, size_t m, int pe) {
  shmem_long_get(b, a, n, pe);
  shmem_long_get(c, a, m, pe);
  return b[0] + c[0];
}
void rounds(size_t n, int pe) {
  for (size_t i = 0; i < n; i++) b[i] = shmem_long_g(&a[i], pe);
}
