// What becomes of the reads of nests of loops, with -fcomm=relaxed: those of many rounds of the outer loop are made together, if what
// bounds the inner ones, and names the places, is known ahead.
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed %s -Xclang -verify
// RUN: %clang %comm -fplugin-arg-windrow-comm=relaxed %s -g -Xclang -verify
#include <shmem.h>

void opaque(void);
double noted(long);

void sparse_product(double* y, const double* value, const long* row, const long* column, const double* x, long rows, long per) {
  for (long r = 0; r < rows; r++) {
    double sum = 0;
    for (long k = row[r]; k < row[r + 1]; k++)
      sum += value[k] * shmem_double_g(&x[column[k] % per], (int)(column[k] / per)); // expected-remark {{read vectorised: the places of up to 16384 rounds, in the loop at line 11 and those inside, are computed first}}
    y[r] = sum;
  }
}
long rectangle(const long* x, const long* at, long rows, int pe) {
  long s = 0;
  for (long r = 0; r < rows; r++)
    for (int k = 0; k < 20; k++) s += shmem_long_g(&x[at[20 * r + k]], pe); // expected-remark {{rounds, in the loop at line}}
  return s;
}
long on_conditions(const long* x, const int* at, const int* when, long rows, int pe) {
  long s = 0;
  for (long r = 0; r < rows; r++) {
    if (when[r] < 0) continue;
    for (int k = 0; k < when[r]; k++) {
      if (at[k] < 0) break;
      if (at[k] & 1) s += shmem_long_g(&x[at[k] + r], pe); // expected-remark {{rounds, in the loop at line}}
    }
  }
  return s;
}
long of_the_outer_loop(const long* x, const long* at, long* work, long rows, int pe) {
  long s = 0;
  for (long r = 0; r < rows; r++) {
    s += shmem_long_g(&x[at[r]], pe); // expected-remark {{rounds, in the loop at line}}
    for (int k = 0; k < 100; k++) s = 3 * s + k / (s | 1);
  }
  return s;
}
long steps_of_the_outer_loop(const long* x, long rows, int pe) {
  long s = 0;
  for (long r = 0; r < rows; r++) {
    s += shmem_long_g(&x[r], pe); // expected-remark {{read vectorised: one read for up to 2048 rounds}}
    for (int k = 0; k < 100; k++) s = 3 * s + k / (s | 1);
  }
  return s;
}

// ---- one row at a time

long contiguous_rows(const long* x, long rows, int pe) {
  long s = 0;
  for (long r = 0; r < rows; r++)
    for (int k = 0; k < 100; k++) s += shmem_long_g(&x[100 * r + k], pe); // expected-remark {{read vectorised: one read for up to 2048 rounds}}
  return s;
}
void in_between(const long* x, const long* at, long rows, int pe) {
  for (long r = 0; r < rows; r++) {
    long s = 0;
    for (int k = 0; k < 20; k++)
      s += shmem_long_g(&x[at[20 * r + k]], pe); // expected-remark {{read vectorised: the places of up to 16384 rounds of the loop are computed}} expected-remark {{read is not made for many rounds of the loop around: the loop calls noted, which may synchronise}}
    noted(s);
  }
}
long other_bounds(const long* x, const long* at, long* row, long rows, int pe) {
  long s = 0;
  for (long r = 0; r < rows; r++) {
    for (int k = 0; k < 20; k++) s += shmem_long_g(&x[at[k + row[r]]], pe); // expected-remark {{read vectorised: the places of up to 16384 rounds of the loop are computed}} expected-remark {{read is not made for many rounds of the loop around: its place cannot be computed ahead: the loop writes at line}}
    row[at[r]] += s;
  }
  return s;
}
long of_what_is_read(const long* x, const long* at, long rows, int pe) {
  long s = 0;
  for (long r = 0; r < rows; r++) {
    const long n = shmem_long_g(&x[at[r]], pe); // expected-remark {{rounds, in the loop at line}}
    for (long k = 0; k < n; k++) s += shmem_long_g(&x[at[k]], pe); // expected-remark {{read vectorised: the places of up to 16384 rounds of the loop are computed}} expected-remark {{read is not made for many rounds of the loop around: it depends on a condition, and its place depends on what the loop reads}}
  }
  return s;
}
long waits_inside(const long* x, const long* at, const int* flag, long rows, int pe) {
  long s = 0;
  for (long r = 0; r < rows; r++)
    for (long k = 0; flag[r] == 0; k++) s += shmem_long_g(&x[at[k & 63]], pe); // expected-remark {{read stays as it is: the number of rounds is not known before the loop}}
  return s;
}
void answers(long* x, const int* flag, long rows, int pe) {
  for (long r = 0; r < rows; r++) {
    shmem_long_p(&x[r], r, pe); // expected-remark {{write stays as it is: a loop inside does not count, and may wait for what is written}}
    while (shmem_int_g(&flag[r], pe) == 0) continue; // expected-remark {{read stays as it is: the number of rounds is not known before the loop}}
  }
}
/* How far is searched is no flag that is waited for, but what is read behind one is of a place that polls. */
long searches(const long* x, const int* length, long rows, long key, int pe) {
  long s = 0;
  for (long r = 0; r < rows; r++) {
    const int most = shmem_int_g(&length[r], pe); // expected-remark {{read vectorised: one read for up to 4096 rounds of the loop}}
    for (int k = 0; k < most; k++)
      if (shmem_long_g(&x[k], pe) == key) { // expected-remark {{read stays as it is: the loop may be left before its end}}
        s += k;
        break;
      }
  }
  return s;
}
long read_behind(const long* slots, long rows, int pe) {
  long s = 0;
  for (long r = 0; r < rows; r++) {
    while (shmem_long_g(&slots[r & 3], pe) <= r) continue; // expected-remark {{read stays as it is: the number of rounds is not known before the loop}}
    s += shmem_long_g(&slots[r & 3], pe); // expected-remark {{read stays as it is: a loop inside may wait for what it reads}}
  }
  return s;
}
