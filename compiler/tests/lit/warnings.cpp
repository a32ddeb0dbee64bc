// The directive adds no warnings of clang's, and takes none.
// RUN: %cxx -O0 -Wall -Wextra -Wimplicit-fallthrough -Wno-pass-failed -Werror -c %s -o /dev/null
// RUN: %cxx -O2 -Wall -Wextra -Wimplicit-fallthrough -Wno-pass-failed -Werror -fsanitize=undefined -c %s -o /dev/null
// RUN: %cxx -O2 -Weverything -Wno-pass-failed -DWRONG -c %s -o /dev/null 2>&1 | grep warning: > %t.with
// RUN: %bare -xc++ -std=c++20 -O2 -Weverything -Wno-unknown-pragmas -DWRONG -c %s -o /dev/null 2>&1 | grep warning: > %t.without
// RUN: diff %t.without %t.with
// RUN: %cxx -O2 -c %s -o /dev/null -fno-caret-diagnostics -Rpass=windrow-defer 2>&1 | %FileCheck %s
#include <shmem.h>
#include <stdlib.h>

long returns(shmem_ctx_t ctx, const long* a, int pe) {
#pragma shmem defer
  return 3 + shmem_ctx_long_g(ctx, a, pe);
}

long returns_from_block(shmem_ctx_t ctx, const long* a, int pe) {
#pragma shmem defer
  {
    long s[2] = {0, 0};
    for (int i = 0; i < 9; i++) s[i & 1] = i;
    return s[0] + shmem_ctx_long_g(ctx, a, pe);
  }
}

long sets(shmem_ctx_t ctx, const long* a, int pe) {
  long s;
#pragma shmem defer
  {
    s = 0;
    for (int i = 0; i < 32; i++) s += shmem_ctx_long_g(ctx, &a[i], pe); // CHECK-DAG: :[[#@LINE]]:{{[0-9]+}}: remark: deferred
  }
  return s;
}

[[noreturn]] void ends(shmem_ctx_t ctx, const long* a, int pe) {
#pragma shmem defer
  {
    long s = 0;
    for (int i = 0; i < 32; i++) s += shmem_ctx_long_g(ctx, &a[i], pe);
    exit(s > 3);
  }
}

long chooses(shmem_ctx_t ctx, const long* a, int pe, int how) {
  long s = 0;
  switch (how) {
    case 0:
      s = 3;
      break;
    case 1:
#pragma shmem defer
    {
      for (int i = 0; i < 32; i++) s += shmem_ctx_long_g(ctx, &a[i], pe); // CHECK-DAG: :[[#@LINE]]:{{[0-9]+}}: remark: deferred
      break;
    }
    default:
      s = 5;
  }
  return s;
}

long on_condition(shmem_ctx_t ctx, const long* a, int pe, int how) {
  long s = 0;
  if (how)
#pragma shmem defer
    for (int i = 0; i < 32; i++) s += shmem_ctx_long_g(ctx, &a[i], pe); // CHECK-DAG: :[[#@LINE]]:{{[0-9]+}}: remark: deferred
  if (how)
#pragma shmem defer
    for (int i = 0; i < 32; i++) s += shmem_ctx_long_g(ctx, &a[i], pe); // CHECK-DAG: :[[#@LINE]]:{{[0-9]+}}: remark: deferred
  else
    s++;
  return s;
}

long likely(shmem_ctx_t ctx, const long* a, int pe, int how) {
  long s = 0;
#pragma shmem defer
  [[likely]] for (int i = 0; i < 32; i++) s += shmem_ctx_long_g(ctx, &a[i], pe); // CHECK-DAG: :[[#@LINE]]:{{[0-9]+}}: remark: deferred
  switch (how) {
#pragma shmem defer
    case 1: [[unlikely]] {
      for (int i = 0; i < 32; i++) s += shmem_ctx_long_g(ctx, &a[i], pe); // CHECK-DAG: :[[#@LINE]]:{{[0-9]+}}: remark: deferred
    }
  }
  return s;
}

#ifdef WRONG
long returns_nothing(shmem_ctx_t ctx, const long* a, int pe) {
#pragma shmem defer
  if (pe) return shmem_ctx_long_g(ctx, a, pe);
}

long sets_perhaps(shmem_ctx_t ctx, const long* a, int pe) {
  long s;
#pragma shmem defer
  if (pe) s = shmem_ctx_long_g(ctx, a, pe);
  return s;
}

long never_comes_to(shmem_ctx_t ctx, const long* a, int pe) {
#pragma shmem defer
  return shmem_ctx_long_g(ctx, a, pe);
  return 3;
}

long falls_through(shmem_ctx_t ctx, const long* a, int pe) {
  switch (pe) {
    case 1:
#pragma shmem defer
      for (int i = 0; i < 3; i++) pe += shmem_ctx_long_g(ctx, a, pe);
    default:
      return pe;
  }
}

long misleads(shmem_ctx_t ctx, const long* a, int pe) {
  long s = 0;
#pragma shmem defer
  for (int i = 0; i < 3; i++)
    s += shmem_ctx_long_g(ctx, a, pe);
    s++;
  return s;
}
#endif
