// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "windrow/types.hpp"

namespace windrow {

/// Parts of different sizes, one behind the other in memory: what the collectives `allgatherv` and
/// `alltoallv` of a team give, with a part for each member. Plain memory of this PE, copied as a vector is;
/// the sizes of the parts stay as they were made, what is in them may change.
template <transferable T>
  requires std::default_initializable<T> && (!std::same_as<T, bool>) // those of a std::vector are bits
class ragged_array {
 public:
  using value_type = T;

  ragged_array() = default;
  /// Part p gets counts[p] elements, which are value-initialised.
  explicit ragged_array(std::span<const std::size_t> counts) : begins_(counts.size() + 1) {
    std::partial_sum(counts.begin(), counts.end(), begins_.begin() + 1);
    elements_.resize(begins_.back());
  }
  /// With these parts, copied.
  explicit ragged_array(const std::vector<std::vector<T>>& parts) : begins_(parts.size() + 1) {
    for (std::size_t p = 0; p < parts.size(); ++p) begins_[p + 1] = begins_[p] + parts[p].size();
    elements_.reserve(begins_.back());
    for (const auto& part : parts) elements_.insert(elements_.end(), part.begin(), part.end());
  }

  std::size_t size() const { return begins_.size() - 1; } ///< parts

  /// That part, as long as the array is there. Undefined where there is none.
  std::span<T> operator[](std::size_t part) & { return elements().subspan(begins_[part], count(part)); }
  std::span<const T> operator[](std::size_t part) const& {
    return elements().subspan(begins_[part], count(part));
  }
  std::span<T> operator[](std::size_t part) && = delete;
  std::size_t count(std::size_t part) const { return begins_[part + 1] - begins_[part]; }

  /// All elements, those of part 0 first; of an array that ends here, the vector that they are in.
  std::span<T> elements() & { return elements_; }
  std::span<const T> elements() const& { return elements_; }
  std::vector<T> elements() && { return std::move(elements_); }
  /// Where each part begins, and, last, how many elements there are.
  std::span<const std::size_t> begins() const { return begins_; }

  bool operator==(const ragged_array&) const = default;

 private:
  std::vector<T> elements_;
  std::vector<std::size_t> begins_ = {0};
};

} // namespace windrow
