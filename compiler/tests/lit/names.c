// What functions do is known by their names where these are the library's.
// RUN: %cc -O1 -c %s -o /dev/null -Rpass=windrow-defer 2>&1 | %FileCheck %s --check-prefix=LIBRARY
// LIBRARY: remark: deferred 1 statement(s) behind 1 fetch(es)
// RUN: %cc -O1 -c %s -o /dev/null -fno-builtin 2>&1 | %FileCheck %s --check-prefix=OTHER
// RUN: %cc -O1 -c %s -o /dev/null -DOTHER_TYPE 2>&1 | %FileCheck %s --check-prefix=OTHER
// RUN: %cc -O1 -c %s -o /dev/null -DWEAK 2>&1 | %FileCheck %s --check-prefix=OTHER
// OTHER: warning: fetch not deferred: 'drand48' may see what is deferred
// RUN: %cc -O1 -c %s -o /dev/null -DTOOL 2>&1 | %FileCheck %s --check-prefix=TOOL
// TOOL: warning: region not deferred: the file has a function 'shmem_ctx_long_g' of its own
#include <shmem.h>

#ifdef OTHER_TYPE
#define DRAW() drand48(1)
double drand48(int);
#else
#define DRAW() drand48()
double drand48(void);
#endif

#ifdef WEAK
__attribute__((weak)) double drand48(void) {
  return .5;
}
#endif

#ifdef TOOL
long calls;
long shmem_ctx_long_g(shmem_ctx_t ctx, const long* source, int pe) {
  calls++;
  return pshmem_ctx_long_g(ctx, source, pe);
}
#endif

void draws(shmem_ctx_t ctx, const long* values, long* found, double* drawn, long n) {
#pragma shmem defer
  for (long i = 0; i < n; i++) {
    drawn[i] = DRAW();
    found[i] += shmem_ctx_long_g(ctx, &values[i], 1);
  }
}
