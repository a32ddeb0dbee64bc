// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/jaccard/neighbour_sets.hpp"

#include <algorithm>
#include <bit>

namespace windrow::apps {

neighbour_sets::neighbour_sets(const sparse_matrix<>& rows) {
  std::uint64_t slots = 0;
  for (std::uint64_t k = 0; k < rows.local_rows(); ++k) {
    const auto log2_size = static_cast<unsigned>(std::bit_width(2 * rows.local_row(k).size() + 1));
    places_.push_back({slots, log2_size});
    slots += std::uint64_t{1} << log2_size;
  }
  slots_.assign(slots, none);
  for (std::uint64_t k = 0; k < rows.local_rows(); ++k) {
    for (const auto v : rows.local_row(k)) slots_[slot_of(places_[k], v)] = v;
  }
}

std::uint64_t neighbour_sets::count(std::uint64_t index, std::span<const graph::vertex> list) const {
  const auto at = places_[index];
  return static_cast<std::uint64_t>(
      std::ranges::count_if(list, [&](auto v) { return slots_[slot_of(at, v)] == v; }));
}

} // namespace windrow::apps
