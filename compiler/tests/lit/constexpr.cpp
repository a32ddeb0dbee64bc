// What the compiler evaluates itself runs as it is written; what the program runs is deferred.
// RUN: %cxx -O0 -Wall -Wextra -Werror -Rpass=windrow-defer -c %s -o /dev/null -Xclang -verify
// RUN: %cxx -std=c++14 -O2 -Wall -Werror -Rpass=windrow-defer -c %s -o /dev/null -Xclang -verify
// RUN: %cxx -O0 -Werror -fprofile-instr-generate -fcoverage-mapping -Rpass=windrow-defer -c %s -o /dev/null -Xclang -verify
// RUN: %cxx -E %s -o %t.cpp && %cxx -O2 -Werror -c %t.cpp -o /dev/null
#include <shmem.h>

constexpr int64_t sum(shmem_ctx_t ctx, const int64_t* a, int64_t n) {
  int64_t s = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) s += shmem_ctx_int64_g(ctx, &a[i], 0); // expected-remark {{deferred}}
  return s;
}
static_assert(sum(nullptr, nullptr, 0) == 0, "");

template <class T>
constexpr T sum_of_any(shmem_ctx_t ctx, const T* a, int n) {
  T s = n;
#pragma shmem defer
  {
    for (int i = 0; i < n; i++)
      if (ctx) s += shmem_ctx_int64_g(ctx, &a[i], 0); // expected-remark {{deferred}}
  }
  return s;
}
static_assert(sum_of_any<int64_t>(nullptr, nullptr, 3) == 3, "");

struct table {
  shmem_ctx_t ctx;
  constexpr int64_t sum(const int64_t* a, int64_t n) const {
    int64_t s = 1;
#pragma shmem defer
    for (int64_t i = 0; i < n; i++) s += shmem_ctx_int64_g(ctx, &a[i], 0); // expected-remark {{deferred}}
    return s;
  }
};
static_assert(table{nullptr}.sum(nullptr, 0) == 1, "");

int64_t all(shmem_ctx_t ctx, const int64_t* a, int64_t n) {
  return sum(ctx, a, n) + sum_of_any(ctx, a, static_cast<int>(n)) + table{ctx}.sum(a, n);
}

#if __cplusplus >= 202002L
constexpr auto lambda = [](shmem_ctx_t ctx, const int64_t* a, int64_t n) {
  int64_t s = 2;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) s += shmem_ctx_int64_g(ctx, &a[i], 0); // expected-remark {{deferred}}
  return s;
};
static_assert(lambda(nullptr, nullptr, 0) == 2);
int64_t more(shmem_ctx_t ctx, const int64_t* a, int64_t n) { return lambda(ctx, a, n); }

// The program never runs these.
consteval int64_t count(int64_t n) {
  int64_t s = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) s += i;
  return s;
}
struct counter {
  consteval int64_t count(int64_t n) const {
    int64_t s = 0;
#pragma shmem defer strict
    for (int64_t i = 0; i < n; i++) s += i;
    return s;
  }
};
int64_t counted = count(4) + counter{}.count(3);
#endif
