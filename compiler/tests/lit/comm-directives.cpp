// Directives in front of statements that leave the function, in constexpr functions and in templates: the program has no
// more warnings with them than without.
// RUN: %clang %comm -std=c++20 -Wall -Wextra -Werror -fplugin-arg-windrow-comm %s
// RUN: %clang %comm -std=c++14 -Wall -Wextra -Werror %s
// RUN: %clang %comm -std=c++20 -O0 -Wall -Wextra -Werror %s
// RUN: %clang %comm -std=c++20 -fplugin-arg-windrow-comm %s -Xclang -verify
#include <shmem.h>
static long x[100];

long ends(int pe) {
#pragma shmem strict
  return shmem_long_g(&x[3], pe); // expected-remark {{it is not in a loop that counts}}
}
long cases(int pe) {
  switch (pe) {
    case 1:
#pragma shmem strict
      return shmem_long_g(&x[3], pe); // expected-remark {{it is not in a loop that counts}}
    default:
#pragma shmem relaxed
      { return shmem_long_g(&x[4], pe); } // expected-remark {{it is not in a loop that counts}}
  }
}
long set_on_each_way(int pe) {
  long s;
#pragma shmem relaxed
  { s = shmem_long_g(&x[5], pe); } // expected-remark {{it is not in a loop that counts}}
  return s;
}
constexpr long of_numbers(int n) {
  long s = 0;
#pragma shmem strict
  for (int i = 0; i < n; i++) s += i;
#pragma shmem relaxed
  return s;
}
static_assert(of_numbers(4) == 6, "");
template <class T>
constexpr T of_either(const T* from, T n, int pe) {
  T s = 0;
  if (pe < 0) {
#pragma shmem relaxed
    return n;
  }
#pragma shmem relaxed
  for (T i = 0; i < n; i++) s += shmem_long_g(&from[i], pe); // expected-remark {{read vectorised}}
  return s;
}
static_assert(of_either<long>(nullptr, 7, -1) == 7, "");
long of_pe(long n, int pe) {
  return of_either<long>(x, n, pe);
}
// What stands behind the statement is not in it.
long behind(int n, int pe) {
  long s = 0;
#pragma shmem relaxed
  for (int i = 0; i < n; i++) s += shmem_long_g(&x[i], pe); // expected-remark {{read vectorised}}
  for (int i = 0; i < n; i++) s += shmem_long_g(&x[i], pe); // expected-remark {{other PEs may write what is read meanwhile}}
  return s;
}
