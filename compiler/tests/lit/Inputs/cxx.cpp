// C++: overloads, templates, lambdas, member functions, range-for, exceptions, objects with destructors.
#include <shmem.h>

#include <cstdio>
#include <string>
#include <vector>

template <class T>
T overloads(shmem_ctx_t ctx, T* s, const std::vector<T>& at) {
  T c = 0;
#pragma shmem defer
  for (auto i : at) c = 3 * c + shmem_g(ctx, &s[i], int(i & 3)) * i + shmem_atomic_fetch(ctx, &s[i], 1);
  shmem_ctx_quiet(ctx);
  return c;
}

struct sums {
  long total = 0;
  void run(shmem_ctx_t ctx, long* s, long n) {
#pragma shmem defer
    for (long i = 0; i < n; i++) {
      long v = shmem_ctx_long_g(ctx, &s[i], 2);
      total += v;
      if (v > 4) total *= 1;
    }
    shmem_ctx_quiet(ctx);
  }
};

long in_lambda(shmem_ctx_t ctx, long* s, long n) {
  long c = 0;
  auto f = [&](long i) {
    long l = 0;
#pragma shmem defer
    for (long j = 0; j < i; j++) l = 3 * l + shmem_ctx_long_g(ctx, &s[j], 1);
    shmem_ctx_quiet(ctx);
    return l;
  };
  for (long i = 0; i < n; i++) c += f(i);
  return c;
}

// The deferred code may throw: there is one drain more.
long may_throw(shmem_ctx_t ctx, long* s, long n) {
  std::vector<long> v;
#pragma shmem defer
  for (long i = 0; i < n; i++) v.push_back(shmem_ctx_long_g(ctx, &s[i], 1));
  shmem_ctx_quiet(ctx);
  long c = 0;
  for (auto x : v) c = c * 3 + x;
  return c;
}

long catches(shmem_ctx_t ctx, long* s, long n) {
  long c = 0;
  try {
#pragma shmem defer
    for (long i = 0; i < n; i++) {
      const long x = shmem_ctx_long_g(ctx, &s[i], 1);
      std::vector<long> text(static_cast<std::size_t>(x & 63));
      c += static_cast<long>(text.size());
    }
    shmem_ctx_quiet(ctx);
  } catch (...) {
    c = -1;
  }
  return c;
}

// An object with a destructor around the loop, so that every call could unwind.
long with_destructor(shmem_ctx_t ctx, long* s, long n) {
  std::string name("a name that is long enough for memory of its own");
  long c = static_cast<long>(name.size());
#pragma shmem defer
  for (long i = 0; i < n; i++) c = 3 * c + shmem_ctx_long_g(ctx, &s[i], 1);
  shmem_ctx_quiet(ctx);
  return c;
}

int main() {
  shmem_ctx_t ctx;
  shmem_init();
  shmem_ctx_create(0, &ctx);
  auto* s = static_cast<long*>(shmem_calloc(64, sizeof(long)));
  for (int pe = 0; pe < shmem_n_pes(); pe++)
    for (int i = 0; i < 64; i++) static_cast<long*>(shmem_ptr(s, pe))[i] = (i * 7 + pe * 5) % 13;
  std::vector<long> at;
  for (int i = 0; i < 50; i++) at.push_back((i * 11) % 64);
  sums all;
  all.run(ctx, s, 60);
  std::printf("%ld %ld %ld %ld %ld %ld\n", overloads<long>(ctx, s, at), all.total, in_lambda(ctx, s, 20),
              may_throw(ctx, s, 30), catches(ctx, s, 30), with_destructor(ctx, s, 30));
  shmem_ctx_destroy(ctx);
  shmem_finalize();
}
