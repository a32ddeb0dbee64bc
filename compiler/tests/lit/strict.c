// With `strict` every refusal is an error.
// RUN: %cc -O1 -c %s -o /dev/null -Xclang -verify
// RUN: %not %cc -O1 -c %s -o %t.o
// RUN: sed -e 's/#pragma shmem defer/& strict/' -e 's/expected-warning/expected-error/' %S/refusals.c > %t.c
// RUN: %cc -O1 -ferror-limit=0 -c %t.c -o /dev/null -Xclang -verify && %not %cc -O1 -c %t.c -o /dev/null
#include <shmem.h>
void opaque(int64_t*);
void escapes(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t x = 0;
#pragma shmem defer strict
  for (int64_t i = 0; i < n; i++) {
    int64_t v = shmem_ctx_int64_g(ctx, &s[i], 1); // expected-error {{fetch not deferred: the address of 'x' escapes}}
    x += v;
    opaque(&x);
  }
}
void nothing(int64_t* s, int64_t n) {
#pragma shmem defer strict // expected-error {{'#pragma shmem defer' region contains no fetch to defer}}
  for (int64_t i = 0; i < n; i++) s[i]++;
}
int64_t fine(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t sum = 0;
#pragma shmem defer strict
  for (int64_t i = 0; i < n; i++) sum += shmem_ctx_int64_g(ctx, &s[i], 1);
  shmem_ctx_quiet(ctx);
  return sum;
}
