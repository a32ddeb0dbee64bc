// What -E prints compiles to the same (A8), and both steps of -save-temps transform (A9).
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %bare -fplugin=%plugin -fno-discard-value-names -Xclang -disable-lifetime-markers -O1 -S -emit-llvm %s -o direct.ll
// RUN: %cc -E -P %s -o printed.c && %bare -fpass-plugin=%plugin -fno-discard-value-names -Xclang -disable-lifetime-markers -O1 -S -emit-llvm printed.c -o printed.ll
// RUN: grep -v -e source_filename -e ModuleID direct.ll > direct && grep -v -e source_filename -e ModuleID printed.ll > printed
// RUN: grep -v 'annotation\|^@\.str' direct > a && grep -v 'annotation\|^@\.str' printed > b && diff a b
// RUN: %cc -fpass-plugin=%plugin -save-temps -O2 -c %s -o saved.o && grep -q windrow_defer_open saved.o
// RUN: env CC=%clang %windrow cc -fdefer -save-temps -O2 -c %s -o wrapped.o && grep -q windrow_defer_open wrapped.o
// RUN: %cc -O2 -c %s -o one_flag.o && grep -q windrow_defer_open one_flag.o
// RUN: %cc -fpass-plugin=%plugin -O2 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %cc -O0 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes=windrow-defer -S | %FileCheck %s
#include <shmem.h>
// CHECK-LABEL: @total(
// CHECK-COUNT-1: call ptr @windrow_defer_open(
// CHECK-NOT: call ptr @windrow_defer_open(
int64_t total(shmem_ctx_t ctx, const int64_t* values, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) sum += shmem_ctx_int64_g(ctx, &values[i], 1);
  shmem_ctx_quiet(ctx);
  return sum;
}
