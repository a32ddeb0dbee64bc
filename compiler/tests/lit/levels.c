// A variable that dependent code of two levels uses, and of which the levels cannot be made one.
// RUN: %cc -O1 -c %s -o /dev/null -Xclang -verify
#include <shmem.h>
#include <stdint.h>

#define G(object, pe) shmem_ctx_int64_g(ctx, (object), (pe))

int64_t two_levels(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t c = 0;
#pragma shmem defer
  {
    for (int64_t i = 0; i < n; i++) {
      int64_t v = G(&s[i], 1);
      for (int64_t j = 0; j < v; j++) c ^= G(&s[j], 2); // expected-warning {{fetch not deferred: 'c' is accessed at two nesting levels of deferred code}}
    }
    for (int64_t i = 0; i < n; i++) c += G(&s[i], 3);
  }
  return c;
}
