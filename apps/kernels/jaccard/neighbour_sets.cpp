// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/jaccard/neighbour_sets.hpp"

#include <bit>

#include "apps/graph/mix.hpp"

namespace windrow::apps {

neighbour_sets::neighbour_sets(const distributed_csr& rows) {
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

std::uint64_t neighbour_sets::slot_of(const place& at, graph::vertex v) const {
  const auto mask = (std::uint64_t{1} << at.log2_size) - 1;
  auto k = v * graph::golden >> (64 - at.log2_size);
  while (slots_[at.first + k] != none && slots_[at.first + k] != v) k = (k + 1) & mask;
  return at.first + k;
}

std::uint64_t neighbour_sets::count(std::uint64_t index, std::span<const graph::vertex> list) const {
  const auto at = places_[index];
  std::uint64_t found = 0;
  for (const auto v : list) found += slots_[slot_of(at, v)] == v;
  return found;
}

} // namespace windrow::apps
