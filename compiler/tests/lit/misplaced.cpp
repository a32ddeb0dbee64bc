// Declarations are statements to C++, and no statements to the directives: an error, since the object would live
// no longer than its own line. Other statements may begin as declarations do.
// RUN: %cxx -std=c++2b -Wno-unused -fsyntax-only -Xclang -verify %s
// RUN: %cxx -E %s -o %t.cpp && %not %cxx -std=c++2b -fsyntax-only %t.cpp 2>&1 | %FileCheck %s
// CHECK: misplaced.cpp:[[#@LINE+24]]:{{[0-9]+}}: error: '#pragma shmem defer' stands before a declaration
#include <shmem.h>

#include <memory>
#include <mutex>
#include <vector>

namespace ns {
struct guard {
  guard(const char* = "");
  ~guard();
};
template <class T>
struct keeper {
  keeper(T);
  ~keeper();
};
} // namespace ns
using ns::keeper;
std::mutex m;
struct g : ns::guard {};

void declarations(int x) {
  // expected-error@+1 {{'#pragma shmem defer' stands before a declaration; it goes before a statement: a loop, or a block}}
#pragma shmem defer
  ns::guard a("");
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands before a declaration}}
  std::lock_guard<std::mutex> b(m);
#pragma shmem defer strict // expected-error {{'#pragma shmem defer' stands before a declaration}}
  keeper<int> c(3);
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands before a declaration}}
  [[maybe_unused]] ns::guard d;
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands before a declaration}}
  g(e);
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands before a declaration}}
  ::g f;
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands before a declaration}}
  decltype(x) h = 0;
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands before a declaration}}
  alignas(8) int i;
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands before a declaration}}
  std::vector<long> v(3);
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands before a declaration}}
  auto [one, two] = std::pair(1, 2);
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands before a declaration}}
label:
  using other = int;
#pragma shmem relaxed // expected-error {{'#pragma shmem relaxed' stands before a declaration}}
  ns::guard j;
#pragma shmem strict // expected-error {{'#pragma shmem strict' stands before a declaration}}
  static ns::guard k;
  goto label;
}

template <class T>
void in_template() {
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands before a declaration}}
  typename T::guard a;
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands before a declaration}}
  T b;
  [] {
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands before a declaration}}
    T c;
  }();
}
auto lambda = [] {
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands before a declaration}}
  g a;
};
struct member {
  int run() {
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands before a declaration}}
    int a = 0;
    return 0;
  }
};
constexpr int in_consteval() {
  if consteval {
    return 0;
  } else {
#pragma shmem defer // expected-error {{'#pragma shmem defer' stands before a declaration}}
    g a;
    return 1;
  }
}

typedef long count;
struct statements {
  long run(shmem_ctx_t ctx, const long* a, int pe) {
    long count = 0;
#pragma shmem defer
    count += shmem_ctx_long_g(ctx, a, pe);
#pragma shmem defer
    int(3) + count;
#pragma shmem defer
    ::count(4);
#pragma shmem defer
    std::make_unique<ns::guard>("");
#pragma shmem defer
    { int x = 0; (void)x; }
    return count;
  }
};
