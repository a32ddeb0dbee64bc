// SPDX-License-Identifier: BSD-3-Clause
// Loops of scientific programs in C++: classes around distributed arrays, views, algorithms with lambdas,
// templates over element types, iterators, and nested containers.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "told.h"

namespace {

int me, npes;

template <class T>
T get(const T* at, int pe);
template <>
double get(const double* at, int pe) {
  return shmem_double_g(at, pe);
}
template <>
long get(const long* at, int pe) {
  return shmem_long_g(at, pe);
}
template <>
int get(const int* at, int pe) {
  return shmem_int_g(at, pe);
}
void put(double* at, double v, int pe) {
  shmem_double_p(at, v, pe);
}
void put(long* at, long v, int pe) {
  shmem_long_p(at, v, pe);
}

enum class dist { block, cyclic };

/// A distributed vector as people write them.
template <class T, dist D>
class dvector {
 public:
  dvector(std::size_t n, T first)
      : n_(n), per_((n + static_cast<std::size_t>(npes) - 1) / static_cast<std::size_t>(npes)) {
    local_ = static_cast<T*>(shmem_malloc(per_ * sizeof(T)));
    for (std::size_t i = 0; i < per_; ++i) local_[i] = static_cast<T>(first + static_cast<T>(i * 3 % 101));
    shmem_barrier_all();
  }
  ~dvector() {
    shmem_barrier_all();
    shmem_free(local_);
  }
  dvector(const dvector&) = delete;
  dvector& operator=(const dvector&) = delete;
  std::size_t size() const { return n_; }
  std::size_t per() const { return per_; }
  T* local() const { return local_; }
  int owner(std::size_t i) const {
    if constexpr (D == dist::block)
      return static_cast<int>(i / per_);
    else
      return static_cast<int>(i % static_cast<std::size_t>(npes));
  }
  std::size_t index(std::size_t i) const {
    if constexpr (D == dist::block)
      return i % per_;
    else
      return i / static_cast<std::size_t>(npes);
  }
  T operator[](std::size_t i) const { return get(&local_[index(i)], owner(i)); }
  void set(std::size_t i, T v) { put(&local_[index(i)], v, owner(i)); }

  struct reference {
    dvector& v;
    std::size_t i;
    operator T() const { return std::as_const(v)[i]; }
    reference& operator=(T x) {
      v.set(i, x);
      return *this;
    }
    reference& operator+=(T x) { return *this = static_cast<T>(*this) + x; }
  };
  reference at(std::size_t i) { return {*this, i}; }

 private:
  std::size_t n_, per_;
  T* local_;
};

// 1. Sum by index.
template <class V>
[[gnu::noinline]] double sum(const V& v) {
  double s = 0;
  for (std::size_t i = 0; i < v.size(); ++i) s += static_cast<double>(v[i]);
  return s;
}
// 2. Gather by an index vector.
template <class V>
[[gnu::noinline]] std::vector<double> take(const V& v, const std::vector<std::size_t>& where) {
  std::vector<double> out;
  out.reserve(where.size());
  for (auto i : where) out.push_back(static_cast<double>(v[i]));
  return out;
}
// 3. The same by std::transform.
template <class V>
[[gnu::noinline]] std::vector<double> transformed(const V& v, const std::vector<std::size_t>& where) {
  std::vector<double> out(where.size());
  std::transform(where.begin(), where.end(), out.begin(),
                 [&](std::size_t i) { return 2.0 * static_cast<double>(v[i]); });
  return out;
}
// 4. Reduction by accumulate.
template <class V>
[[gnu::noinline]] double accumulated(const V& v, std::span<const std::size_t> where) {
  return std::accumulate(where.begin(), where.end(), 0.0,
                         [&](double s, std::size_t i) { return s + static_cast<double>(v[i]); });
}
// 5. Scatter by proxies.
template <class V>
[[gnu::noinline]] void scatter(V& v, const std::vector<std::size_t>& where) {
  for (std::size_t k = 0; k < where.size(); ++k) v.at(where[k]) = static_cast<double>(k) + me;
}
// 6. Increment by proxies: read, add, write.
template <class V>
[[gnu::noinline]] void bump(V& v, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) v.at(i) += 1.0;
}
// 7. Stencil of three.
template <class V>
[[gnu::noinline]] void smooth(const V& v, std::vector<double>& out) {
  for (std::size_t i = 1; i + 1 < v.size(); ++i)
    out[i] = 0.25 * static_cast<double>(v[i - 1]) + 0.5 * static_cast<double>(v[i]) +
             0.25 * static_cast<double>(v[i + 1]);
}
// 8. A matrix of a class, in row blocks.
struct matrix {
  double* a;
  int rows, cols;
  double operator()(int i, int j) const {
    return shmem_double_g(a + static_cast<std::ptrdiff_t>(i % rows) * cols + j, i / rows);
  }
};
[[gnu::noinline]] std::vector<double> times(const matrix& m, const std::vector<double>& x) {
  std::vector<double> y(static_cast<std::size_t>(m.rows * npes));
  for (int i = 0; i < m.rows * npes; ++i)
    for (int j = 0; j < m.cols; ++j)
      y[static_cast<std::size_t>(i)] += m(i, j) * x[static_cast<std::size_t>(j)];
  return y;
}
// 9. Trace and a column.
[[gnu::noinline]] double trace(const matrix& m) {
  double s = 0;
  for (int i = 0; i < std::min(m.rows * npes, m.cols); ++i) s += m(i, i);
  for (int i = 0; i < m.rows; ++i) s += m(i, 2) * i;
  return s;
}
// 10. Complex numbers.
std::complex<double> spectrum[600];
[[gnu::noinline]] std::complex<double> power(int pe) {
  std::complex<double> s = 0;
  for (int i = 0; i < 600; ++i) {
    std::complex<double> z;
    shmem_getmem(&z, &spectrum[i], sizeof z, pe);
    s += z * std::conj(z) + z;
  }
  return s;
}
// 11. Structures in a std::vector, members read apart.
struct body {
  std::array<double, 3> x;
  double mass;
};
body bodies[300];
[[gnu::noinline]] double energy(int pe) {
  double e = 0;
  for (int i = 0; i < 300; ++i) {
    std::array<double, 3> p{};
    for (std::size_t c = 0; c < 3; ++c) p[c] = shmem_double_g(&bodies[i].x[c], pe);
    e += shmem_double_g(&bodies[i].mass, pe) * std::hypot(p[0], p[1], p[2]);
  }
  return e;
}
// 12. Adjacency lists.
long visited[512], ranks[512];
[[gnu::noinline]] long frontier(const std::vector<std::vector<int>>& neighbours) {
  long s = 0;
  for (const auto& list : neighbours)
    for (const int v : list)
      if (get(&visited[v / npes], v % npes) == 0) ++s;
  return s;
}
// 13. Page rank: contributions by atomics.
[[gnu::noinline]] void contribute(const std::vector<std::vector<int>>& neighbours) {
  for (std::size_t u = 0; u < neighbours.size(); ++u) {
    const long share = static_cast<long>(1000 / (neighbours[u].size() + 1));
    for (const int v : neighbours[u]) shmem_long_atomic_add(&ranks[v / npes], share, v % npes);
  }
}
// 14. Counted by a map.
[[gnu::noinline]] std::map<long, int> tally(int pe) {
  std::map<long, int> seen;
  for (int i = 0; i < 512; ++i) ++seen[get(&visited[i], pe) % 7];
  return seen;
}
// 15. A string that grows.
char names[800];
[[gnu::noinline]] std::string name(int pe) {
  std::string s;
  for (int i = 0; i < 800; ++i) s += shmem_char_g(&names[i], pe);
  return s;
}
// 16. Binary search in another PE's sorted array, for each of many.
long sorted_keys[1024];
[[gnu::noinline]] long searched(const std::vector<long>& wanted, int pe) {
  long s = 0;
  for (const long w : wanted) {
    int low = 0, high = 1024;
    while (low < high) {
      const int mid = (low + high) / 2;
      if (get(&sorted_keys[mid], pe) < w)
        low = mid + 1;
      else
        high = mid;
    }
    s = s * 7 + low;
  }
  return s;
}
// 17. Smart pointers and members.
struct field {
  double* data;
  int n;
};
struct simulation {
  std::unique_ptr<field> f;
  std::vector<double> out;
  int neighbour;
  [[gnu::noinline]] void pull() {
    for (int i = 0; i < f->n; ++i) out[static_cast<std::size_t>(i)] = shmem_double_g(&f->data[i], neighbour);
  }
  [[gnu::noinline]] void push() {
    for (int i = 0; i < f->n; ++i)
      shmem_double_p(&f->data[i], out[static_cast<std::size_t>(i)] + 1, neighbour);
  }
};
// 18. Ranges of pairs.
[[gnu::noinline]] double pairs(const std::vector<std::pair<int, int>>& bonds, int pe) {
  double s = 0;
  for (const auto& [a, b] : bonds) s += get(&bodies[a].mass, pe) * get(&bodies[b].mass, pe);
  return s;
}
// 19. for_each_n with a counter, backwards.
[[gnu::noinline]] long reversed(int pe) {
  long s = 0;
  int k = 512;
  std::for_each_n(sorted_keys, 512, [&](const long& x) {
    --k;
    s = s * 3 + x * get(&sorted_keys[k], pe);
  });
  return s;
}
// 20. max_element of a remote range by hand.
[[gnu::noinline]] std::pair<long, int> largest(int pe) {
  std::pair<long, int> best{-1, -1};
  for (int i = 0; i < 512; ++i) best = std::max(best, {get(&visited[i], pe), i});
  return best;
}

std::uint64_t bits(const std::vector<double>& v) {
  return hash_of(v.data(), v.size() * sizeof(double));
}

template <class V>
void with(const char* what, V& v) {
  const std::size_t n = v.size();
  std::vector<std::size_t> where(700);
  for (std::size_t i = 0; i < where.size(); ++i) where[i] = (i * 7919 + 13) % n;
  tell(what, static_cast<std::uint64_t>(sum(v)));
  tell("  take", bits(take(v, where)));
  tell("  transformed", bits(transformed(v, where)));
  tell("  accumulated", static_cast<std::uint64_t>(accumulated(v, where)));
  std::vector<double> out(n);
  smooth(v, out);
  tell("  smooth", bits(out));
  shmem_barrier_all();
  if (me == 0) scatter(v, where);
  tell_memory("  scatter", v.local(), v.per() * sizeof(double));
  const std::size_t share = n / static_cast<std::size_t>(npes), mine = share * static_cast<std::size_t>(me);
  bump(v, mine, mine + share);
  tell_memory("  bump", v.local(), v.per() * sizeof(double));
}

double store[64 * 40];
} // namespace

int main() {
  shmem_init();
  me = shmem_my_pe(), npes = shmem_n_pes();
  const int next = (me + 1) % npes;
  {
    dvector<double, dist::block> blocks(2400, me * 10.);
    with("blocks", blocks);
    dvector<double, dist::cyclic> cyclic(2400, me * 10.);
    with("cyclic", cyclic);
  }
  for (int i = 0; i < 64 * 40; ++i) store[i] = (i * 7 + me) % 31;
  for (int i = 0; i < 600; ++i) spectrum[i] = {i * 0.5, static_cast<double>(me)};
  for (int i = 0; i < 300; ++i) bodies[i] = {{i * 1., i * 2., me * 1.}, 1. + i % 5};
  for (int i = 0; i < 512; ++i) visited[i] = (i + me) % 3, ranks[i] = 0;
  for (int i = 0; i < 1024; ++i) sorted_keys[i] = i * 5 + me;
  for (int i = 0; i < 800; ++i) names[i] = static_cast<char>('a' + (i + me) % 26);
  shmem_barrier_all();
  const matrix m{store, 64, 40};
  std::vector<double> x(40, 1.5);
  tell("times", bits(times(m, x)));
  tell("trace", static_cast<std::uint64_t>(trace(m)));
  const auto p = power(next);
  tell("power", static_cast<std::uint64_t>(p.real() + p.imag()));
  tell("energy", static_cast<std::uint64_t>(energy(next) * 100));
  std::vector<std::vector<int>> lists(200);
  for (int i = 0; i < 200; ++i)
    for (int k = 0; k < i % 9; ++k)
      lists[static_cast<std::size_t>(i)].push_back((i * 31 + k * 17 + me) % 500);
  tell("frontier", static_cast<std::uint64_t>(frontier(lists)));
  contribute(lists);
  tell_memory("ranks", ranks, sizeof ranks);
  std::uint64_t t = 0;
  for (const auto& [key, count] : tally(next)) t = t * 31 + static_cast<std::uint64_t>(key * count);
  tell("tally", t);
  const auto s = name(next);
  tell("name", hash_of(s.data(), s.size()));
  std::vector<long> wanted;
  for (int i = 0; i < 50; ++i) wanted.push_back(i * 101);
  tell("searched", static_cast<std::uint64_t>(searched(wanted, next)));
  simulation sim{std::make_unique<field>(field{store, 2000}), std::vector<double>(2000), next};
  sim.pull();
  shmem_barrier_all();
  sim.push();
  tell_memory("simulation", store, sizeof store);
  std::vector<std::pair<int, int>> bonds;
  for (int i = 0; i < 299; ++i) bonds.emplace_back(i, (i * 7) % 300);
  tell("pairs", static_cast<std::uint64_t>(pairs(bonds, next)));
  tell("reversed", static_cast<std::uint64_t>(reversed(next)));
  const auto [value, place] = largest(next);
  tell("largest", static_cast<std::uint64_t>(value * 1000 + place));
  shmem_finalize();
}
