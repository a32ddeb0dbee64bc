// SPDX-License-Identifier: BSD-3-Clause
// The product of two square matrices by Strassen's seven products of quarters. Whole numbers modulo 2^64, so
// that the result is that of the definition, whatever the order.
#include <array>

#include "apps/tasks/kernel.hpp"

namespace windrow::apps::tasking {

namespace {

using element = std::uint64_t;

/// A square part of a matrix.
template <class T>
struct square {
  T* begin;
  std::size_t n, pitch;

  T& operator()(std::size_t i, std::size_t j) const { return begin[i * pitch + j]; }
  square quarter(std::size_t i, std::size_t j) const {
    return {begin + i * (n / 2) * pitch + j * (n / 2), n / 2, pitch};
  }
};
using input = square<const element>;
using output = square<element>;

struct matrix {
  explicit matrix(std::size_t size) : n(size), elements(n * n) {}
  input in() const { return {elements.data(), n, n}; }
  output out() { return {elements.data(), n, n}; }

  std::size_t n;
  std::vector<element> elements;
};

/// a + sign * b
matrix combined(input a, input b, element sign) {
  matrix c(a.n);
  for (std::size_t i = 0; i < a.n; ++i)
    for (std::size_t j = 0; j < a.n; ++j) c.elements[i * a.n + j] = a(i, j) + sign * b(i, j);
  return c;
}
matrix operator+(input a, input b) {
  return combined(a, b, 1);
}
matrix operator-(input a, input b) {
  return combined(a, b, ~element{0});
}

void multiply_by_definition(input a, input b, output c) {
  for (std::size_t i = 0; i < c.n; ++i) {
    for (std::size_t j = 0; j < c.n; ++j) c(i, j) = 0;
    for (std::size_t k = 0; k < c.n; ++k)
      for (std::size_t j = 0; j < c.n; ++j) c(i, j) += a(i, k) * b(k, j);
  }
}

class strassen_kernel {
 public:
  explicit strassen_kernel(int size)
      : a_(static_cast<std::size_t>(size)), b_(a_.n), c_(a_.n), expected_(a_.n) {
    random_numbers random(2);
    for (auto& x : a_.elements) x = random();
    for (auto& x : b_.elements) x = random();
    multiply_by_definition(a_.in(), b_.in(), expected_.out());
  }
  void reset() { c_ = matrix(a_.n); }
  template <class Style>
  void solve() {
    multiply<Style>(a_.in(), b_.in(), c_.out());
  }
  bool right() const { return c_.elements == expected_.elements; }

 private:
  static constexpr std::size_t fine = 64;

  template <class Style>
  static void multiply(input a, input b, output c) {
    if (a.n <= fine || a.n % 2 != 0) return multiply_by_definition(a, b, c);
    const auto products = seven_products<Style>(a, b);
    const auto p = [&](int k, std::size_t i, std::size_t j) {
      return products[static_cast<std::size_t>(k)].elements[i * (a.n / 2) + j];
    };
    const output c00 = c.quarter(0, 0), c01 = c.quarter(0, 1), c10 = c.quarter(1, 0), c11 = c.quarter(1, 1);
    for (std::size_t i = 0; i < a.n / 2; ++i)
      for (std::size_t j = 0; j < a.n / 2; ++j) {
        c00(i, j) = p(0, i, j) + p(3, i, j) - p(4, i, j) + p(6, i, j);
        c01(i, j) = p(2, i, j) + p(4, i, j);
        c10(i, j) = p(1, i, j) + p(3, i, j);
        c11(i, j) = p(0, i, j) - p(1, i, j) + p(2, i, j) + p(5, i, j);
      }
  }

  template <class Style>
  static std::vector<matrix> seven_products(input a, input b) {
    const input a00 = a.quarter(0, 0), a01 = a.quarter(0, 1), a10 = a.quarter(1, 0), a11 = a.quarter(1, 1);
    const input b00 = b.quarter(0, 0), b01 = b.quarter(0, 1), b10 = b.quarter(1, 0), b11 = b.quarter(1, 1);
    std::vector<matrix> p(7, matrix(a.n / 2));
    Style::each(7, [&](std::size_t k) {
      const output c = p[k].out();
      switch (k) {
        case 0:
          return multiply<Style>((a00 + a11).in(), (b00 + b11).in(), c);
        case 1:
          return multiply<Style>((a10 + a11).in(), b00, c);
        case 2:
          return multiply<Style>(a00, (b01 - b11).in(), c);
        case 3:
          return multiply<Style>(a11, (b10 - b00).in(), c);
        case 4:
          return multiply<Style>((a00 + a01).in(), b11, c);
        case 5:
          return multiply<Style>((a10 - a00).in(), (b00 + b01).in(), c);
        default:
          return multiply<Style>((a01 - a11).in(), (b10 + b11).in(), c);
      }
    });
    return p;
  }

  matrix a_, b_, c_, expected_;
};

} // namespace

const kernel strassen{"strassen", "rows", 512, 128, 16'384, make_problem<strassen_kernel>};

} // namespace windrow::apps::tasking
