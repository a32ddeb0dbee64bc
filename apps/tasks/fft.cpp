// SPDX-License-Identifier: BSD-3-Clause
// The discrete Fourier transform of complex numbers, by recursion over even and odd elements.
#include <bit>
#include <complex>
#include <numbers>
#include <utility>

#include "apps/tasks/kernel.hpp"

namespace windrow::apps::tasking {

namespace {

using complex = std::complex<double>;

/// The k-th root of 1 of that order, clockwise.
complex root(std::size_t k, std::size_t order) {
  return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(order));
}

/// The same transform in loops: places with their bits reversed, then steps of 2, 4, 8 ...
std::vector<complex> transformed_by_loops(std::vector<complex> a) {
  const int bits = std::countr_zero(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t reversed = 0;
    for (int b = 0; b < bits; ++b) reversed |= (i >> b & 1) << (bits - 1 - b);
    if (i < reversed) std::swap(a[i], a[reversed]);
  }
  for (std::size_t half = 1; half < a.size(); half *= 2)
    for (std::size_t k = 0; k < half; ++k) {
      const complex turn = root(k, 2 * half);
      for (std::size_t i = k; i < a.size(); i += 2 * half) {
        const complex odd = turn * a[i + half];
        a[i + half] = a[i] - odd;
        a[i] += odd;
      }
    }
  return a;
}

class fft_kernel {
 public:
  explicit fft_kernel(int log_size)
      : input_(std::size_t{1} << log_size),
        output_(input_.size()),
        scratch_(input_.size()),
        roots_(input_.size()) {
    random_numbers random(3);
    for (auto& x : input_) x = {random.real(), random.real()};
    for (std::size_t k = 0; k < roots_.size(); ++k) roots_[k] = root(k, roots_.size());
    expected_ = transformed_by_loops(input_);
  }
  void reset() { output_ = input_; }
  template <class Style>
  void solve() {
    transform<Style>(output_.data(), scratch_.data(), output_.size());
  }
  // Each element is a sum of as many terms of about 1.
  bool right() const {
    const double most = 1e-13 * static_cast<double>(input_.size());
    for (std::size_t i = 0; i < output_.size(); ++i)
      if (!(std::abs(output_[i] - expected_[i]) <= most)) return false;
    return true;
  }

 private:
  static constexpr std::size_t fine = 1024;

  template <class Style>
  void transform(complex* a, complex* scratch, std::size_t n) const {
    if (n == 1) return;
    const auto half = n / 2;
    pieces<Style>(0, half, [=](std::size_t i) { scratch[i] = a[2 * i], scratch[half + i] = a[2 * i + 1]; });
    const auto even = [=, this] { transform<Style>(scratch, a, half); };
    const auto odd = [=, this] { transform<Style>(scratch + half, a + half, half); };
    if (n > fine)
      Style::both(even, odd);
    else
      even(), odd();
    const auto step = roots_.size() / n;
    pieces<Style>(0, half, [=, this](std::size_t i) {
      const complex turned = roots_[i * step] * scratch[half + i];
      a[i] = scratch[i] + turned;
      a[half + i] = scratch[i] - turned;
    });
  }

  /// `f(i)` for begin <= i < end, in pieces that are not too small.
  template <class Style, class F>
  static void pieces(std::size_t begin, std::size_t end, F f) {
    if (end - begin <= 4 * fine) {
      for (auto i = begin; i < end; ++i) f(i);
      return;
    }
    const auto middle = begin + (end - begin) / 2;
    Style::both([=] { pieces<Style>(begin, middle, f); }, [=] { pieces<Style>(middle, end, f); });
  }

  std::vector<complex> input_, output_, scratch_, roots_, expected_;
};

} // namespace

const kernel fft{"fft", "logarithm of the number of elements", 20, 12, 28, make_problem<fft_kernel>};

} // namespace windrow::apps::tasking
