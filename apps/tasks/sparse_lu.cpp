// SPDX-License-Identifier: BSD-3-Clause
// LU factorisation, without pivoting, of a matrix of blocks most of which are zero and not stored.
#include <algorithm>
#include <cmath>

#include "apps/tasks/kernel.hpp"

namespace windrow::apps::tasking {

namespace {

constexpr std::size_t side = 32; ///< rows of a block

using block = std::vector<double>; ///< empty: zero

/// a -= l * u
void subtract_product(block& a, const block& l, const block& u) {
  for (std::size_t i = 0; i < side; ++i)
    for (std::size_t k = 0; k < side; ++k)
      for (std::size_t j = 0; j < side; ++j) a[i * side + j] -= l[i * side + k] * u[k * side + j];
}
/// Makes the block its own factors: below the diagonal those of L, whose diagonal is 1; the others those of
/// U.
void factorise(block& a) {
  for (std::size_t k = 0; k < side; ++k)
    for (std::size_t i = k + 1; i < side; ++i) {
      const double factor = a[i * side + k] /= a[k * side + k];
      for (std::size_t j = k + 1; j < side; ++j) a[i * side + j] -= factor * a[k * side + j];
    }
}
/// Right of a diagonal block: L of that one, inverted, times the block.
void solve_row(const block& diagonal, block& a) {
  for (std::size_t k = 0; k < side; ++k)
    for (std::size_t i = k + 1; i < side; ++i)
      for (std::size_t j = 0; j < side; ++j) a[i * side + j] -= diagonal[i * side + k] * a[k * side + j];
}
/// Below one: the block times its U, inverted.
void solve_column(const block& diagonal, block& a) {
  for (std::size_t i = 0; i < side; ++i)
    for (std::size_t k = 0; k < side; ++k) {
      const double factor = a[i * side + k] /= diagonal[k * side + k];
      for (std::size_t j = k + 1; j < side; ++j) a[i * side + j] -= factor * diagonal[k * side + j];
    }
}

/// The factors of a matrix whose zeros are stored, row by row.
void factorise_all(std::vector<double>& a, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] /= a[k * n + k];
      if (factor == 0) continue;
      for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
}

class sparse_lu_kernel {
 public:
  explicit sparse_lu_kernel(int blocks) : n_(static_cast<std::size_t>(blocks)), input_(n_ * n_) {
    random_numbers random(4);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j)
        if (i == j || random() % 4 == 0) input_[i * n_ + j] = random_block(random, i == j);
    expected_ = all_elements(input_);
    factorise_all(expected_, n_ * side);
  }
  void reset() { blocks_ = input_; }
  template <class Style>
  void solve() {
    for (std::size_t k = 0; k < n_; ++k) {
      const block& diagonal = at(k, k);
      factorise(at(k, k));
      const auto rest = n_ - k - 1;
      Style::each(2 * rest, [&](std::size_t t) {
        block& b = t < rest ? at(k, k + 1 + t) : at(k + 1 + t - rest, k);
        if (!b.empty()) t < rest ? solve_row(diagonal, b) : solve_column(diagonal, b);
      });
      Style::each(rest * rest, [&](std::size_t t) { update(k, k + 1 + t / rest, k + 1 + t % rest); });
    }
  }
  bool right() const {
    const auto found = all_elements(blocks_);
    return std::equal(found.begin(), found.end(), expected_.begin(),
                      [](double a, double b) { return std::abs(a - b) <= 1e-11 * (1 + std::abs(b)); });
  }

 private:
  // Rows are dominated by the diagonal, so that no pivot is small.
  block random_block(random_numbers& random, bool diagonal) const {
    block b(side * side);
    for (auto& x : b) x = random.real();
    for (std::size_t i = 0; diagonal && i < side; ++i) b[i * side + i] = 2.0 * static_cast<double>(n_ * side);
    return b;
  }
  block& at(std::size_t i, std::size_t j) { return blocks_[i * n_ + j]; }
  void update(std::size_t k, std::size_t i, std::size_t j) {
    if (at(i, k).empty() || at(k, j).empty()) return;
    if (at(i, j).empty()) at(i, j).resize(side * side);
    subtract_product(at(i, j), at(i, k), at(k, j));
  }
  std::vector<double> all_elements(const std::vector<block>& blocks) const {
    std::vector<double> all(n_ * side * n_ * side);
    for (std::size_t i = 0; i < n_ * side; ++i)
      for (std::size_t j = 0; j < n_ * side; ++j)
        if (const block& b = blocks[i / side * n_ + j / side]; !b.empty())
          all[i * n_ * side + j] = b[i % side * side + j % side];
    return all;
  }

  std::size_t n_;
  std::vector<block> input_, blocks_;
  std::vector<double> expected_;
};

} // namespace

const kernel sparse_lu{"sparse_lu", "blocks in a row", 24, 6, 1000, make_problem<sparse_lu_kernel>};

} // namespace windrow::apps::tasking
