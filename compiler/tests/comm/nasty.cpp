// SPDX-License-Identifier: BSD-3-Clause
// Loops of C++: iterators, lambdas, templates, and exceptions around them.
#include <algorithm>
#include <random>
#include <stdexcept>
#include <vector>

#include "told.h"

namespace {

constexpr int room = 5000;
long a[room], sent[room];

struct remote {
  const long* at;
  int pe;
  long operator[](long i) const { return shmem_long_g(at + i, pe); }
  struct iterator {
    const long* place;
    int pe;
    long operator*() const { return shmem_long_g(place, pe); }
    iterator& operator++() { return ++place, *this; }
    bool operator!=(const iterator& other) const { return place != other.place; }
  };
  iterator begin() const { return {at, pe}; }
  iterator end() const { return {at + room / 2, pe}; }
};

[[gnu::noinline]] long range(const remote& r) {
  long s = 0;
  for (const long v : r) s = 3 * s + v;
  return s;
}

template <class F>
void each(int n, F f) {
  for (int i = 0; i < n; i++) f(i);
}

[[gnu::noinline]] std::vector<long> collected(const remote& r, int n) {
  std::vector<long> all(static_cast<std::size_t>(n));
  each(n, [&](int i) { all[static_cast<std::size_t>(i)] = r[i] + r[i + 1]; });
  return all;
}

[[gnu::noinline]] std::vector<long> pushed(const remote& r, int n) {
  std::vector<long> all;
  for (int i = 0; i < n; i++) all.push_back(r[i]);
  return all;
}

[[gnu::noinline]] long thrown(const remote& r, int n, long limit) {
  long s = 0;
  try {
    for (int i = 0; i < n; i++) {
      s = 3 * s + r[i];
      if (i == limit) throw std::out_of_range("limit");
    }
  } catch (const std::out_of_range&) {
    s ^= r[0];
  }
  return s;
}

[[gnu::noinline]] long in_try(const remote& r, int n) {
  long s = 0;
  try {
    for (int i = 0; i < n; i++) s = 3 * s + r[i];
    if (s == 1) throw 1;
  } catch (int) {
    s = 0;
  }
  return s;
}

[[gnu::noinline]] void sent_by(const std::vector<long>& from, int pe) {
  auto* to = sent;
  std::for_each(from.begin(), from.end(), [&](long v) { shmem_long_p(to++, v * 2, pe); });
}

// By code that LLVM knows nothing of where it is not inlined.
[[gnu::noinline]] void at_random(std::mt19937_64& random, int n, int pes) {
  for (int i = 0; i < n; i++) {
    const auto k = random() % (static_cast<unsigned long>(room) * static_cast<unsigned long>(pes));
    shmem_long_atomic_add(&sent[k / static_cast<unsigned long>(pes)], i,
                          static_cast<int>(k % static_cast<unsigned long>(pes)));
  }
}
[[gnu::noinline]] void noise(std::mt19937_64& random, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_long_p(&sent[i], static_cast<long>(random() >> 1), pe);
}

uint64_t hash(const std::vector<long>& all) {
  return hash_of(all.data(), all.size() * sizeof(long));
}

} // namespace

int main() {
  shmem_init();
  const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
  for (int i = 0; i < room; i++) a[i] = me * 1000003L + i * i;
  shmem_barrier_all();
  const remote r{a, next};
  tell("range", static_cast<uint64_t>(range(r)));
  tell("collected", hash(collected(r, 3000)));
  tell("pushed", hash(pushed(r, 3000)));
  tell("thrown", static_cast<uint64_t>(thrown(r, 3000, 2100)));
  tell("in try", static_cast<uint64_t>(in_try(r, 3000)));
  sent_by(pushed(r, 2500), next);
  tell_memory("sent by", sent, sizeof sent);
  std::mt19937_64 random(static_cast<unsigned long>(me));
  at_random(random, 20000, shmem_n_pes());
  tell_memory("at random", sent, sizeof sent);
  noise(random, 3000, next);
  tell_memory("noise", sent, sizeof sent);
  shmem_finalize();
}
