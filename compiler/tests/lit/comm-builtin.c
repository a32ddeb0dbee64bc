// The C library's random numbers change nothing that others see; with -fno-builtin the names are the program's.
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed %s -Xclang -verify=library
// RUN: %clang %comm -fno-builtin -fplugin-arg-windrow-comm=relaxed %s -Xclang -verify=own
#include <shmem.h>
#include <stdlib.h>

void scattered(long* r, int n, int pes) {
  for (int i = 0; i < n; i++) shmem_long_atomic_inc(&r[rand() & 1023], i % pes); // library-remark {{update vectorised}} own-remark {{update stays as it is: the loop calls rand, which may synchronise}}
}
