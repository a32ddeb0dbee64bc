// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "apps/graph/edge_list.hpp"
#include "apps/graph/mix.hpp"
#include "apps/matrix/sparse_matrix.hpp"

namespace windrow::apps {

/// The neighbours of each of this PE's vertices as a hash set, at most half full: whether a vertex is one of
/// them takes about one look, however many there are.
class neighbour_sets {
 public:
  explicit neighbour_sets(const sparse_matrix<>&);

  /// How many of `list` are neighbours of own vertex `index`.
  std::uint64_t count(std::uint64_t index, std::span<const graph::vertex> list) const;

 private:
  static constexpr auto none = std::numeric_limits<graph::vertex>::max();
  /// Where a set is: a power of two of slots.
  struct place {
    std::uint64_t first;
    unsigned log2_size;
  };

  /// The slot of v in a set, or the free one where it belongs.
  std::uint64_t slot_of(const place& at, graph::vertex v) const {
    const auto* slots = slots_.data() + at.first;
    const auto mask = (std::uint64_t{1} << at.log2_size) - 1;
    auto k = v * graph::golden >> (64 - at.log2_size);
    while (slots[k] != none && slots[k] != v) k = (k + 1) & mask;
    return at.first + k;
  }

  std::vector<place> places_;
  std::vector<graph::vertex> slots_; ///< `none`: free
};

} // namespace windrow::apps
