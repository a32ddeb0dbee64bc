// Where a directive stands, and what the function around it does.
// RUN: %cc -O0 -c %s -o /dev/null -Xclang -verify -Rpass=windrow-defer
// RUN: %cc -O2 -c %s -o /dev/null -Xclang -verify -Rpass=windrow-defer
// RUN: %bare -fplugin=%plugin -O1 -DONE_LINE -c %s -o /dev/null 2>&1 | %FileCheck %s
// RUN: %cc -E %s -o %t.c && %cc -O0 -c %t.c -o /dev/null -Rpass=windrow-defer 2>&1 | %FileCheck %s --check-prefix=PRINTED
// PRINTED-COUNT-6: remark: deferred
// RUN: %same %programs/labels.c
#include <shmem.h>
#include <unistd.h>

#define G(object, pe) shmem_ctx_int64_g(ctx, (object), (pe))

// CHECK: region contains no fetch to defer at line [[#@LINE+2]]
void in_front_of_nothing(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
#pragma shmem defer // expected-warning {{'#pragma shmem defer' region contains no fetch to defer}}
  ;
  for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1);
}

#ifndef ONE_LINE
// ---- labels

void labelled(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
#pragma shmem defer
again: /* twice */
again_too:
  for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1); // expected-remark {{deferred}}
  if (n-- > 3) goto again;
  if (n-- > 2) goto again_too;
}

void unused_labels(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
  if (n == 2) goto used;
#pragma shmem defer
nobody_either: __attribute__((unused)) used: __attribute__((__unused__)) __attribute__(())
  for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1); // expected-remark {{deferred}}
}

void in_switch(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
  switch (n & 7) {
#pragma shmem defer
    case 1 ? 3 : 4:
    case 5 ... 6:
    default:
      for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1); // expected-remark {{deferred}}
      break;
    case 1:
      out[0] = 1;
  }
}

void jumped_into(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
  int64_t i = 2;
  if (n == 2) goto inside;
#pragma shmem defer // expected-warning {{'#pragma shmem defer' region contains no fetch to defer, but for code that is also come to past the directive, by a label or a case}}
  for (i = 0; i < n; i++) {
  inside:
    out[i] = G(&s[i], 1);
  }
}

// ---- functions that return twice

void forks(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
  if (vfork() == 0) _exit(0);
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1); // expected-warning {{fetch not deferred: the function calls vfork, which returns twice}}
}

// ---- code that must not be copied

void defines(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
  __asm__ volatile(".globl windrow_probe\nwindrow_probe: nop");
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1); // expected-warning {{fetch not deferred: inline assembly in the function defines a symbol, which each version of the function would do (labels may be numbers, or have %= in them) at line}}
}

/* In a block that ends the program, of which there would otherwise be one for each way there. */
int64_t defines_at_end(shmem_ctx_t ctx, const int64_t* s, int64_t n) {
  int64_t sum = 0;
  if (n == 77) goto wrong;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) sum += G(&s[i], 1); // expected-warning {{fetch not deferred: inline assembly in the function defines a symbol}}
  if (sum == 77) goto wrong;
  return sum;
wrong:
  __asm__ volatile("windrow_wrong: nop");
  _exit(3);
}

void defines_behind_number(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
  __asm__ volatile("nop; 1: .Lprobe : nop");
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1); // expected-warning {{fetch not deferred: inline assembly in the function defines a symbol}}
}

void assigns(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
  __asm__ volatile("windrow_three = 3\n\t.macro windrow_nop\nnop\n.endm");
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1); // expected-warning {{fetch not deferred: inline assembly in the function defines a symbol}}
}

static void probe(void) {
  __asm__ volatile("windrow_other_probe: nop");
}
void calls_what_defines(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
#pragma shmem defer
  {
    probe(); // in no version of the function
    for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1); // expected-remark {{deferred}}
  }
}

void labels_of_each_copy(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
  __asm__ volatile("1: nop; 2: nop\n.Lprobe%=: nop\n\t# note: that" ::"r"(n));
  __asm__ volatile(".ifndef windrow_base\n.pushsection .base,\"aG\",@progbits,.base,comdat\n.weak windrow_base\n"
                   "windrow_base: .space 1\n.popsection\n.endif");
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1); // expected-remark {{deferred}}
}

__attribute__((noduplicate)) void once(void);
void calls_once(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out) {
  once();
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1); // expected-warning {{fetch not deferred: the function calls once, which must not be copied}}
}

// ---- where the function runs

void notes_caller(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out, void** caller) {
  *caller = __builtin_return_address(0);
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1); // expected-warning {{fetch not deferred: the function asks for its return address or its frame}}
}

static void* caller(void) {
  return __builtin_return_address(0);
}
void calls_what_asks(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out, void** from) {
#pragma shmem defer
  {
    for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1); // expected-remark {{deferred}}
    *from = caller();
  }
}

void notes_frame(shmem_ctx_t ctx, const int64_t* s, int64_t n, int64_t* out, void** frame) {
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) out[i] = G(&s[i], 1); // expected-warning {{fetch not deferred: the function asks for its return address or its frame}}
  *frame = __builtin_frame_address(0);
}
#endif
