// What a loop loads of this PE's own memory stays behind reads that may wait for another PE, and where nothing is made of
// the loop's accesses.
// RUN: %clang %comm -S -emit-llvm -fplugin-arg-windrow-comm %s -o - | %FileCheck %s
// RUN: %clang %comm -S -emit-llvm -fplugin-arg-windrow-comm=relaxed %s -o - | %FileCheck %s
#include <shmem.h>
long own, other, tick;

// CHECK-LABEL: @behind_polling(
// CHECK-NOT: load {{.*}}@own
// CHECK: @shmem_long_g(
// CHECK: load {{.*}}@own
// CHECK: @shmem_long_p(
void behind_polling(const long* flag, long* restrict to, int n, int pe) {
  for (int i = 0; i < n; i++) {
    while (shmem_long_g(flag, pe) <= i) continue;
    shmem_long_p(&to[own / other + i], i, pe);
  }
}
// CHECK-LABEL: @behind_strict(
// CHECK-NOT: load {{.*}}@own
// CHECK: @shmem_long_g(
// CHECK: load {{.*}}@own
// CHECK: @shmem_long_p(
void behind_strict(const long* r, long* restrict to, int n, int pe) {
  long x;
  for (int i = 0; i < n; i++) {
#pragma shmem strict
    x = shmem_long_g(&r[i], pe);
    shmem_long_p(&to[own], x, pe);
  }
}
// CHECK-LABEL: @exit_by_load(
// CHECK: [[LOOP:[0-9]+]]:
// CHECK: load {{.*}}@other
// CHECK: br i1 {{.*}}label %[[LOOP]]
// CHECK: ret
void exit_by_load(int pe) {
  long n = 0;
  do shmem_long_p(&tick, n++, pe);
  while (!other);
}
// CHECK-LABEL: @nothing_made(
// CHECK: [[LOOP:[0-9]+]]:
// CHECK: load {{.*}}@own
// CHECK: load {{.*}}@other
// CHECK: br i1 {{.*}}label %[[LOOP]]
// CHECK: ret
void nothing_made(const long* next, long at, long n, int pe) {
#pragma shmem relaxed
  while (at != n) at = shmem_long_g(&next[at + own], pe) / other;
}
