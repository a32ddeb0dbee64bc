// SPDX-License-Identifier: BSD-3-Clause
// The n-th Fibonacci number by its definition: nothing but forks.
#include <utility>

#include "apps/tasks/kernel.hpp"

namespace windrow::apps::tasking {

namespace {

class fibonacci_kernel {
 public:
  explicit fibonacci_kernel(int n) : n_(n) {}
  void reset() { result_ = 0; }
  template <class Style>
  void solve() {
    result_ = number<Style>(n_);
  }
  bool right() const {
    std::uint64_t a = 0, b = 1;
    for (int i = 0; i < n_; ++i) a = std::exchange(b, a + b);
    return result_ == a;
  }

 private:
  // A compiler that looks into plain calls leaves most of them out.
  template <class Style>
  [[gnu::noinline]] static std::uint64_t number(int n) {
    if (n < 2) return static_cast<std::uint64_t>(n);
    std::uint64_t a = 0, b = 0;
    Style::both([&a, n] { a = number<Style>(n - 1); }, [&b, n] { b = number<Style>(n - 2); });
    return a + b;
  }

  int n_;
  std::uint64_t result_ = 0;
};

} // namespace

const kernel fibonacci{"fibonacci", "which number", 32, 18, 93, make_problem<fibonacci_kernel>};

bool has(style s) {
#ifdef _OPENMP
  return s <= style::openmp;
#else
  return s <= style::forks;
#endif
}

} // namespace windrow::apps::tasking
