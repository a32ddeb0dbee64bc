// A file that names errno may load it, so functions that set it change what a loop may use.
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed %s -Xclang -verify
#include <errno.h>
#include <math.h>
#include <shmem.h>

double of_functions(const double* r, int n, int pe) {
  double s = 0;
  for (int i = 0; i < n; i++) s += log(shmem_double_g(&r[i], pe)); // expected-remark {{read stays as it is: the loop calls log, which may synchronise}}
  return s;
}
int failed(void) {
  return errno == EDOM;
}
