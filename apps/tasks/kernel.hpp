// SPDX-License-Identifier: BSD-3-Clause
// A kernel: a problem that is solved in each style and compared with what a plain sequential program says.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "apps/tasks/styles.hpp"

namespace windrow::apps::tasking {

enum class style : std::uint8_t { calls, forks, openmp };

class problem {
 public:
  problem() = default;
  virtual ~problem() = default;
  problem(const problem&) = delete;
  problem& operator=(const problem&) = delete;

  /// Solves it from the beginning. A style that the build does not have is that of `calls`.
  virtual void solve(style) = 0;
  /// The last solution is that of a sequential program.
  virtual bool right() = 0;
};

/// Of a class with `template <class Style> void solve()`, which is called inside `Style::all`.
template <class Kernel>
class problem_of final : public problem {
 public:
  explicit problem_of(int size) : kernel_(size) {}
  void solve(style s) override {
    switch (s) {
#ifdef _OPENMP
      case style::openmp:
        return solve_by<openmp>();
#endif
      case style::forks:
        return solve_by<forks>();
      default:
        return solve_by<calls>();
    }
  }
  bool right() override { return kernel_.right(); }

 private:
  template <class Style>
  void solve_by() {
    kernel_.reset();
    Style::all([this] { kernel_.template solve<Style>(); });
  }

  Kernel kernel_;
};

struct kernel {
  const char* name;
  const char* size_is;      ///< what the size means
  int size, small, largest; ///< by default, in tests, and at all
  std::unique_ptr<problem> (*make)(int size);
};

template <class Kernel>
std::unique_ptr<problem> make_problem(int size) {
  return std::make_unique<problem_of<Kernel>>(size);
}

extern const kernel alignment, fft, fibonacci, queens, sort, sparse_lu, strassen;

inline std::vector<kernel> all_kernels() {
  return {alignment, fft, fibonacci, queens, sort, sparse_lu, strassen};
}

/// Whether the build has the style.
bool has(style);

/// A reproducible sequence (splitmix64).
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// In [-1, 1).
  double real() { return static_cast<double>((*this)() >> 11) * 0x1p-52 - 1; }

 private:
  std::uint64_t state_;
};

} // namespace windrow::apps::tasking
