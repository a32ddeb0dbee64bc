// Blocking gets and puts of whole ranges are begun only, and waited for before anything that could tell.
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed %s -Xclang -verify
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed %s -g -Xclang -verify
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed,vectorise %s 2>&1 | %FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: remark: {{(read|write)}} split
#include <setjmp.h>
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

void opaque(void);
struct halo {
  double up[100], down[100], inside[100];
};

void all_gather(double* to, const double* from, size_t n, int pes) {
  for (int pe = 0; pe < pes; pe++)
    shmem_double_get(&to[(size_t)pe * n], from, n, pe); // expected-remark {{read split: it is only begun here, and waited for at the end of the function}}
}
double gathered_sum(const double* from, size_t n, int pes) {
  double* all = malloc(n * (size_t)pes * sizeof *all);
  for (int pe = 0; pe < pes; pe++)
    shmem_getmem(&all[(size_t)pe * n], from, n * sizeof *all, pe); // expected-remark {{read split: it is only begun here, and waited for at line}}
  double sum = 0;
  for (size_t i = 0; i < n * (size_t)pes; i++) sum += all[i];
  free(all);
  return sum;
}
void halos(struct halo* to, const struct halo* of, int left, int right) {
  shmem_double_get(to->up, of->inside, 100, left);    // expected-remark {{read split: it is only begun here, and waited for at line}}
  shmem_double_get(to->down, of->inside, 100, right); // expected-remark {{read split: it is only begun here, and waited for at line}}
  for (int i = 0; i < 100; i++) to->inside[i] = to->up[i] + to->down[i];
}
void scatter(double* to, const double* from, size_t n, int pes) {
  for (int pe = 0; pe < pes; pe++)
    shmem_double_put(to, &from[(size_t)pe * n], n, pe); // expected-remark {{write split: it is only begun here, and waited for by shmem_quiet at line}}
  shmem_quiet();
}
void rows(double* to, double* from, size_t n, int pes) {
  for (int row = 0; row < 10; row++) {
    memset(&from[(size_t)row * n], row, n * sizeof *from);
    for (int pe = 0; pe < pes; pe++)
      shmem_double_put(&to[(size_t)row * n], &from[(size_t)row * n], n, pe); // expected-remark {{write split: it is only begun here, and waited for at the end of the function}}
  }
}
long early(long* to, const long* from, size_t n, int pes, const int* stops) {
  for (int pe = 0; pe < pes; pe++) {
    shmem_long_get(&to[(size_t)pe * n], from, n, pe); // expected-remark {{read split: it is only begun here, and waited for at the end of the function}}
    if (stops[pe]) return pe;
  }
  return -1;
}
long until_a_strict_read(double* restrict to, const double* from, const long* flag, size_t n, int pes) {
  for (int pe = 0; pe < pes; pe++)
    shmem_double_get(&to[(size_t)pe * n], from, n, pe); // expected-remark {{read split: it is only begun here, and waited for by shmem_long_g at line}}
  long seen;
#pragma shmem strict
  seen = shmem_long_g(flag, 1); // expected-remark {{read stays as it is}}
  return seen;
}
double until_it_is_read_by_its_pe(double* to, const double* from, size_t n, int pes, int me) {
  for (int pe = 0; pe < pes; pe++)
    shmem_double_get(&to[(size_t)pe * n], from, n, pe); // expected-remark {{read split: it is only begun here, and waited for by shmem_double_g at line}}
  return shmem_double_g(to, me); // expected-remark {{read stays as it is}}
}
double until_the_place_is_read(double* to, const double* restrict from, size_t n, int pes) {
  for (int pe = 0; pe < pes; pe++)
    shmem_double_put(to, &from[(size_t)pe * n], n, pe); // expected-remark {{write split: it is only begun here, and waited for by shmem_double_g at line}}
  return shmem_double_g(to, 1); // expected-remark {{read stays as it is}}
}

// ---- those that stay

void used_at_once(double* to, const double* from, size_t n, int pe) {
  shmem_double_get(to, from, n, pe); // expected-remark {{read stays as it is: there is nothing to do until it is waited for at line}}
  to[0] += 1;
}
double one_buffer(double* buffer, const double* from, size_t n, int pes) {
  double sum = 0;
  for (int pe = 0; pe < pes; pe++) {
    shmem_double_get(buffer, from, n, pe); // expected-remark {{read stays as it is: there is nothing to do until it is waited for at line}}
    for (size_t i = 0; i < n; i++) sum += buffer[i];
  }
  return sum;
}
void ordered(double* to, const double* from, size_t n, int pes) {
  for (int pe = 0; pe < pes; pe++) {
    shmem_double_get(&to[(size_t)pe * n], from, n, pe); // expected-remark {{there is nothing to do until it is waited for by shmem_fence at line}}
    shmem_fence();
  }
}
void unknown(double* to, const double* from, size_t n, int pes) {
  for (int pe = 0; pe < pes; pe++) {
    shmem_double_get(&to[(size_t)pe * n], from, n, pe); // expected-remark {{there is nothing to do until it is waited for by opaque at line}}
    opaque();
  }
}
void seen(double* to, const double* from, size_t n, int pes, volatile int* flag) {
  for (int pe = 0; pe < pes; pe++) {
    shmem_double_get(&to[(size_t)pe * n], from, n, pe); // expected-remark {{there is nothing to do until it is waited for at line}}
    *flag = pe;
  }
}
void strict(double* to, const double* from, size_t n, int pes) {
#pragma shmem strict
  for (int pe = 0; pe < pes; pe++)
    shmem_double_get(&to[(size_t)pe * n], from, n, pe); // expected-remark {{it stands behind #pragma shmem strict}}
}
void told(double* to, const double* from, size_t n, int pes, int* flag) {
  for (int pe = 0; pe < pes; pe++) {
    shmem_double_get(&to[(size_t)pe * n], from, n, pe); // expected-remark {{there is nothing to do until it is waited for by shmem_int_p at line}}
    shmem_int_p(flag, 1, pe);                           // expected-remark {{write stays as it is}}
  }
}
void polled(long* to, const long* from, int pes) {
  do
    for (int pe = 0; pe < pes; pe++)
      shmem_long_get(&to[2 * pe], from, (size_t)pes, pe); // expected-remark {{its value may decide whether a loop around it goes on}}
  while (!to[0]);
}
int may_jump(long* to, const long* from, size_t n, jmp_buf back, int pes) {
  if (setjmp(back)) return 1;
  for (int pe = 0; pe < pes; pe++) shmem_long_get(&to[(size_t)pe * n], from, n, pe);
  return 0;
}
// What takes the place of its function runs when that has ended, whatever it does.
static __attribute__((noinline)) double at_the_end(double* to, const double* from, size_t n, int pe) {
  return (double)n + pe + (from != to);
}
double ends_by_a_call(double* to, const double* from, size_t n, int pe) {
  static double here[64];
  shmem_double_get(here, from, 64, pe); // expected-remark {{read split: it is only begun here, and waited for by at_the_end at line}}
  shmem_double_get(to, from, n, pe);    // expected-remark {{read split: it is only begun here, and waited for by at_the_end at line}}
  __attribute__((musttail)) return at_the_end(to, from, n, pe);
}
void ends_by_a_get(double* to, const double* from, size_t n, int pe) {
  static double here[64];
  shmem_double_get(here, from, 64, pe); // expected-remark {{there is nothing to do until it is waited for by shmem_double_get at line}}
  __attribute__((musttail)) return shmem_double_get(to, from, n, pe);
}
// In the nest as it was written, beside the one that computes places ahead, the get stands once more.
long beside_places(const long* restrict r, const int* restrict index, const long* restrict from, long n, long m, int pe) {
  long sum = 0, two[2];
  for (long i = 0; i < n; i++) {
    for (long k = 0; k < m; k++) sum += shmem_long_g(&r[index[i + k]], pe); // expected-remark {{read vectorised}}
#pragma shmem strict
    shmem_long_get(two, &from[2 * i], 2, pe); // expected-remark {{read stays as it is: it stands behind #pragma shmem strict}}
    sum += two[1];
  }
  return sum;
}
