// `#pragma shmem strict` holds for all that stands in its statement, however clang moves it about.
// RUN: %clang %comm -fopenmp -fplugin-arg-windrow-comm=relaxed,reuse %s -Xclang -verify
#include <shmem.h>
long a[100];

long by_case(int how, int pe) {
  long s = 0;
  switch (how) {
#pragma shmem strict
    case 1: // expected-warning {{the statement of '#pragma shmem strict' may be entered by this label; all of 'by_case' is strict}}
      s = shmem_long_g(a, pe);
      s += shmem_long_g(a, pe); // expected-remark {{read again: it stands behind #pragma shmem strict}}
      break;
    default:
      s = shmem_long_g(a + 2, pe);
      s *= shmem_long_g(a + 2, pe); // expected-remark {{read again: it stands behind #pragma shmem strict}}
  }
  return s;
}
long by_goto(int how, int pe) {
  long s = 0;
  if (how) goto inside;
#pragma shmem strict
  {
    s = 1;
  inside: // expected-warning {{all of 'by_goto' is strict}}
    s += shmem_long_g(a, pe);
    s += shmem_long_g(a, pe); // expected-remark {{read again: it stands behind #pragma shmem strict}}
  }
  return s;
}
long switch_inside(int how, int pe) {
  long s = 0;
#pragma shmem strict
  switch (how) {
    case 1:
      s = shmem_long_g(a, pe);
      s += shmem_long_g(a, pe); // expected-remark {{read again: it stands behind #pragma shmem strict}}
  }
  s += shmem_long_g(a + 1, pe);
  return s + shmem_long_g(a + 1, pe); // expected-remark {{read once}}
}

template <class F>
long called(F f) {
  return f(1);
}
long by_lambda(int pe) {
  long s = 0;
#pragma shmem strict
  s = [&] {
    const long v = shmem_long_g(a, pe);
    return v + shmem_long_g(a, pe); // expected-remark {{read again: it stands behind #pragma shmem strict}}
  }();
  return s;
}
long by_generic_lambda(int pe) {
  long s = 0;
#pragma shmem strict
  s = called([&](auto one) {
    const long v = shmem_long_g(a, pe);
    return one + v + shmem_long_g(a, pe); // expected-remark {{read again: it stands behind #pragma shmem strict}}
  });
  return s;
}
template <class T>
T in_template(int pe) {
  T s = 0;
#pragma shmem strict
  s = called([&](int) {
    const long v = shmem_long_g(a, pe);
    return v + shmem_long_g(a, pe); // expected-remark {{read again: it stands behind #pragma shmem strict}}
  });
  return s;
}
long instance(int pe) {
  return in_template<long>(pe);
}
long by_local_class(int pe) {
  long s = 0;
#pragma shmem strict
  {
    struct reader {
      static long both(int pe) {
        const long v = shmem_long_g(a, pe);
        return v + shmem_long_g(a, pe); // expected-remark 1+ {{read again: it stands behind #pragma shmem strict}}
      }
    };
    s = reader::both(pe);
  }
  return s;
}
long by_openmp(int pe) {
  long s = 0;
#pragma shmem strict
#pragma omp parallel firstprivate(pe) reduction(+ : s)
  {
    s += shmem_long_g(a, pe);
    s += shmem_long_g(a, pe); // expected-remark {{read again: it stands behind #pragma shmem strict}}
  }
  return s;
}
void by_task(int pe) {
#pragma shmem strict
#pragma omp task firstprivate(pe)
  {
    const long v = shmem_long_g(a, pe);
    a[50] = v + shmem_long_g(a, pe); // expected-remark {{read again: it stands behind #pragma shmem strict}}
  }
}
