// What each promise allows: without one, writes alone are combined.
// RUN: %clang %comm -fplugin-arg-windrow-comm %s -Xclang -verify
// RUN: %clang %comm -fplugin-arg-windrow-comm=strict %s -Xclang -verify
// RUN: %not %clang %comm -fplugin-arg-windrow-comm=strict,relaxed %s 2>&1 | %FileCheck %s --check-prefix=BOTH
// BOTH: error: windrow: -fcomm is given both strict and relaxed: name one of them
// RUN: %not %clang %comm -fplugin-arg-windrow-comm=vectorise,fast %s 2>&1 | %FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: windrow: -fcomm=fast: there is no such part; there are strict or relaxed, vectorise, reuse, split and coalesce
// RUN: %clang %comm -O0 -fplugin-arg-windrow-comm %s 2>&1 | %FileCheck %s --check-prefix=LEVEL
// LEVEL: warning: windrow: -fcomm does nothing at -O0; give -O1, -O2 or -O3 too
// LEVEL-NOT: remark
// RUN: %clang %comm %s 2>&1 | %FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: remark
// RUN: %not %clang %comm -DWRONG %s 2>&1 | %FileCheck %s --check-prefix=WRONG
#include <shmem.h>

void copy(long* to, const long* r, int n, int pe) {
  for (int i = 0; i < n; i++)
    shmem_long_p(&to[i],                      // expected-remark {{write vectorised: one write}}
                 shmem_long_g(&r[i], pe), pe); // expected-remark {{read stays as it is: other PEs may write what is read meanwhile; #pragma shmem relaxed}}
}
void promised(long* to, const long* r, int n, int pe) {
#pragma shmem relaxed
  for (int i = 0; i < n; i++) {
    to[i] = shmem_long_g(&r[i], pe); // expected-remark {{read vectorised}}
#pragma shmem strict
    to[i] ^= shmem_long_g(&r[i + n], pe); // expected-remark {{read stays as it is: it stands behind #pragma shmem strict}}
  }
  for (int i = 0; i < n; i++) to[i] ^= shmem_long_g(&r[i], pe); // expected-remark {{other PEs may write}}
}
void in_order(long* to, int n, int pe) {
#pragma shmem strict
  for (int i = 0; i < n; i++) shmem_long_p(&to[i], i, pe); // expected-remark {{write stays as it is: it stands behind #pragma shmem strict}}
}
#ifdef WRONG
void wrong(long* to, const long* r, int n, int pe) {
// WRONG: error: '#pragma shmem relaxed' has no clauses, but there is 'now'
#pragma shmem relaxed now
  for (int i = 0; i < n; i++) to[i] = shmem_long_g(&r[i], pe);
// WRONG: error: '#pragma shmem strict' stands before a declaration
#pragma shmem strict
  int x = 0;
  (void)x;
}
#endif
