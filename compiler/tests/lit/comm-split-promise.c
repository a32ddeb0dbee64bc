// Without a promise puts are begun only, and gets stay.
// RUN: %clang %comm -fplugin-arg-windrow-comm %s -Xclang -verify
#include <shmem.h>

void all_gather(double* to, const double* from, size_t n, int pes) {
  for (int pe = 0; pe < pes; pe++)
    shmem_double_get(&to[(size_t)pe * n], from, n, pe); // expected-remark {{read stays as it is: other PEs may write what is read meanwhile}}
}
void promised(double* to, const double* from, size_t n, int pes) {
#pragma shmem relaxed
  for (int pe = 0; pe < pes; pe++)
    shmem_double_get(&to[(size_t)pe * n], from, n, pe); // expected-remark {{read split}}
}
void scatter(double* to, const double* from, size_t n, int pes) {
  for (int pe = 0; pe < pes; pe++)
    shmem_double_put(to, &from[(size_t)pe * n], n, pe); // expected-remark {{write split}}
}
