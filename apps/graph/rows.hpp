// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace windrow::graph {

/// Lists of different lengths, side by side in memory: what a row of `csr` is, for values of any type and in
/// any order.
template <class T>
class rows {
 public:
  rows() : first_(1) {}
  /// `produce(take)` must call `take(row, value)` for every value, and is called twice: to count, then to
  /// fill. Each row keeps the order in which its values came.
  template <class Produce>
  rows(std::uint64_t count, const Produce& produce) : first_(count + 1) {
    produce([&](std::uint64_t row, const T&) { ++first_[row + 1]; });
    std::inclusive_scan(first_.begin(), first_.end(), first_.begin());
    values_.resize(first_.back());
    std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
    produce([&](std::uint64_t row, const T& value) { values_[next[row]++] = value; });
  }

  std::uint64_t size() const { return first_.size() - 1; }
  std::uint64_t values() const { return values_.size(); }
  std::span<const T> operator[](std::uint64_t row) const {
    return std::span(values_).subspan(first_[row], first_[row + 1] - first_[row]);
  }

 private:
  std::vector<std::uint64_t> first_; ///< where each row begins; one more than rows
  std::vector<T> values_;
};

} // namespace windrow::graph
