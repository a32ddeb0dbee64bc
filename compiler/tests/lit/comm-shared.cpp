// The promise of a file says nothing of functions whose code other files may run. Messages about the overloads
// of shmem.h are at their calls.
// RUN: %clang %comm -std=c++20 -fplugin-arg-windrow-comm=relaxed,reuse %s -Xclang -verify
#include <shmem.h>

#include <coroutine>
#include <functional>
#define OWN __attribute__((noinline))

OWN inline long shared(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v + shmem_long_g(r, pe); // expected-remark {{read again: other PEs may write there meanwhile}}
}
OWN static long helper(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v * shmem_long_g(r, pe); // expected-remark {{read again: other PEs may write there meanwhile}}
}
OWN inline long by_helper(const long* r, int pe) {
  return 1 + helper(r, pe);
}
template <class T>
OWN T instance(const T* r, int pe) {
  const T v = shmem_long_g(r, pe);
  return v - shmem_long_g(r, pe); // expected-remark {{read again: other PEs may write there meanwhile}}
}
OWN inline long promised(const long* r, int pe) {
  long v;
#pragma shmem relaxed
  {
    v = shmem_long_g(r, pe);
    v ^= shmem_long_g(r, pe); // expected-remark {{read once}}
  }
  return v;
}
// Of these LLVM makes copies, one for each function that they call, and parts that are resumed.
inline long once(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return 3 * v + shmem_long_g(r, pe); // expected-remark 1+{{read again: other PEs may write there meanwhile}}
}
inline long squared(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return 5 * v * shmem_long_g(r, pe); // expected-remark 1+{{read again: other PEs may write there meanwhile}}
}
OWN inline long of_each(const long* r, int pe, long (*f)(const long*, int)) {
  long n = 0;
  for (int i = 0; i < 100; i++) n = 7 * n + f(r + i, pe);
  return n;
}
OWN inline long of_both(const long* r, int pe, int how) {
  return how ? of_each(r, pe, once) : of_each(r, pe, squared);
}
struct values {
  struct promise_type {
    long value = 0;
    values get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(long one) {
      value = one;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
  long next() {
    handle.resume();
    return handle.promise().value;
  }
};
OWN inline values in_parts(const long* r, int pe) {
  for (;;) {
    const long v = shmem_long_g(r, pe);
    co_yield v + shmem_long_g(r, pe); // expected-remark 1+{{read again: other PEs may write there meanwhile}}
  }
}

// The file's own functions that shared ones find in tables, also in those that are filled as the program begins.
struct entry {
  const char* name;
  long (*f)(const long*, int);
};
static long listed(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v + 9 * shmem_long_g(r, pe); // expected-remark {{read again: other PEs may write there meanwhile}}
}
static long listed_too(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v - 9 * shmem_long_g(r, pe); // expected-remark {{read again: other PEs may write there meanwhile}}
}
static const entry table[] = {{"listed", listed}, {"listed, too", listed_too}};
OWN inline long by_table(int k, const long* r, int pe) {
  return table[k].f(r, pe);
}
static long kept(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v + 11 * shmem_long_g(r, pe); // expected-remark {{read again: other PEs may write there meanwhile}}
}
static const std::function<long(const long*, int)> holder = kept;
OWN inline long by_holder(const long* r, int pe) {
  return holder(r, pe);
}
// A table that is this file's alone.
static long own_listed(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v + 9 * shmem_long_g(r, pe); // expected-remark {{read once}}
}
static long own_listed_too(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v - 9 * shmem_long_g(r, pe); // expected-remark {{read once}}
}
static const entry own_table[] = {{"listed", own_listed}, {"listed, too", own_listed_too}};
long by_own_table(int k, const long* r, int pe) {
  return own_table[k].f(r, pe);
}
long all_of_these(int k, const long* r, int pe) {
  return of_both(r, pe, k) + in_parts(r, pe).next() + by_table(k, r, pe) + by_holder(r, pe);
}

OWN static long own(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v | shmem_long_g(r, pe); // expected-remark {{read once}}
}
inline long inlined(const long* r, int pe) {
  const long v = shmem_long_g(r, pe);
  return v & shmem_long_g(r, pe); // expected-remark {{read once}}
}
long all(const long* r, int pe) {
  return shared(r, pe) + by_helper(r, pe) + instance(r, pe) + promised(r, pe) + own(r, pe);
}
long generic(const long* r, int pe) {
  const long v = shmem_g(r, pe);
  return v + 3 * shmem_g(r, pe); // expected-remark-re {{read once: it is the value of line {{13[0-9]}}}}
}
long one(const long* r, int pe) {
  return inlined(r, pe);
}
