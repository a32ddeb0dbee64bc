// What would see that deferred code has not run yet comes behind it, or keeps the fetch from being deferred.
// RUN: %cc -O0 -c %s -o /dev/null -Rpass-analysis=windrow-defer -Xclang -verify
// RUN: %cc -O2 -c %s -o /dev/null -Rpass-analysis=windrow-defer -Xclang -verify
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define G(object, pe) shmem_ctx_int64_g(ctx, (object), (pe))
#define ADD(object, pe) shmem_ctx_int64_atomic_fetch_add(ctx, (object), 1, (pe))

void elsewhere(void);

void place_is_overwritten(shmem_ctx_t ctx, int64_t* s, int64_t* out, int64_t n) {
#pragma shmem defer nowait
  for (int64_t i = 0; i < n; i++) {
    const int64_t old = G(&s[7 * i % n], 1); // expected-warning {{fetch not deferred: the object that it fetches from is also used by code of the region that is not deferred, and one of them changes it}}
    s[7 * i % n] = -1;
    out[i] = old;
  }
}

// base[i] is another place in each round.
void place_was_written(shmem_ctx_t ctx, int64_t* s, int64_t* out, int64_t n) {
#pragma shmem defer nowait
  for (int64_t i = 0; i < n; i++) {
    s[i] = -1;
    out[i] = G(&s[i], 1);
  }
}

void table(shmem_ctx_t ctx, int64_t* s, const int64_t* at, int64_t n) {
#pragma shmem defer nowait
  for (int64_t i = 0; i < n; i++) {
    const int64_t k = at[i];
    shmem_int64_p(&s[k], G(&s[k], 1) + 1, 1); // expected-warning {{fetch not deferred: a later fetch reads what dependent code writes, or changes what it uses}}
  }
}

void other_context(shmem_ctx_t ctx, const int64_t* s, int64_t* out, int64_t* flags, int64_t n) {
#pragma shmem defer nowait
  for (int64_t i = 0; i < n; i++) {
    out[i] = G(&s[i], 1); // expected-warning {{fetch not deferred: an operation on another context at line 43}}
    shmem_int64_p(&flags[i], 1, 1);
  }
}

void output(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
#pragma shmem defer nowait
  for (int64_t i = 0; i < n; i++) {
    puts("next");
    printf("%d\n", (int)G(&s[i], 1)); // expected-warning {{fetch not deferred: output and other effects outside of memory keep their order at line 50}}
  }
}

void call_in_the_loop(shmem_ctx_t ctx, const int64_t* s, int64_t* out, int64_t n) {
#pragma shmem defer nowait
  for (int64_t i = 0; i < n; i++) {
    elsewhere();
    out[i] = G(&s[i], 1); // expected-warning {{fetch not deferred: 'elsewhere' may see what is deferred at line 58}}
  }
}

void call_behind(shmem_ctx_t ctx, const int64_t* s, int64_t* out, int64_t n) {
#pragma shmem defer nowait // expected-remark {{inserted a drain at the end of the region: 'elsewhere' may see what is deferred at line 66}}
  for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1);
  elsewhere();
}

void freed_behind(shmem_ctx_t ctx, const int64_t* s, int64_t* out, int64_t n) {
#pragma shmem defer nowait // expected-remark {{inserted a drain at the end of the region: memory is freed at line 72}}
  for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1);
  free(out);
}

void exit_in_the_loop(shmem_ctx_t ctx, const int64_t* s, int64_t* out, int64_t n) {
#pragma shmem defer nowait // expected-remark {{inserted a drain at the end of the region: the function is left in the region}}
  for (int64_t i = 0; i < n; i++) {
    if (i == 77) exit(3);
    out[i] = G(&s[i], 1);
  }
}

void levels(shmem_ctx_t ctx, int64_t* s, int64_t* log, int64_t n) {
#pragma shmem defer nowait
  for (int64_t i = 0; i < n; i++) {
    const int64_t k = G(&s[i], 1);
    log[k & 7] += k;
    const int64_t l = G(&s[k], 1); // expected-warning {{fetch not deferred: memory is accessed at two nesting levels of deferred code, and one of them writes it}}
    log[l & 7] ^= l;
  }
}

void rounds(shmem_ctx_t ctx, int64_t* s, int64_t* t, int64_t n) {
  for (int64_t r = 0; r < n; r++) {
#pragma shmem defer nowait // expected-remark {{inserted a drain at the end of the region: memory that it uses is used at line 98 before any quiet}}
    for (int64_t i = 0; i < n; i++) t[i] = G(&s[i], 1);
#pragma shmem defer nowait // expected-remark {{inserted a drain at the end of the region: an earlier statement with a directive uses the same memory when it is come to again}}
    for (int64_t i = 0; i < n; i++) s[i] = G(&t[i], 2);
  }
}

// A struct's members are other objects; what both start from is not.
struct lists {
  int64_t *in, *out;
};
void members(shmem_ctx_t ctx, struct lists* l, int64_t* shared, int64_t n) {
#pragma shmem defer nowait // expected-remark {{inserted a drain at the end of the region: memory that it uses is used at line 115 before any quiet}}
  for (int64_t i = 0; i < n; i++) {
    l->in[i / 2] = 0;
    l->out[i] = G(&shared[i], 1);
  }
  int64_t *half = shared + n / 2, *all = shared;
#pragma shmem defer nowait
  for (int64_t i = 0; i < n / 2; i++) {
    all[i / 2] = 0;
    half[i] = G(&l->in[i], 1); // expected-warning {{fetch not deferred: memory written by deferred code is accessed by code of the region that is not deferred (or the reverse)}}
  }
}

void call_by_a_pointer(shmem_ctx_t ctx, const int64_t* s, int64_t* out, int64_t n, void (*any)(void)) {
#pragma shmem defer nowait
  for (int64_t i = 0; i < n; i++) {
    any();
    out[i] = G(&s[i], 1); // expected-warning-re {{fetch not deferred: a function called by a pointer may see what is deferred at line {{[0-9]+}}}}
  }
}
