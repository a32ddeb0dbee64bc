// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "apps/kernels/jaccard/jaccard.hpp"

namespace windrow::apps {

namespace {

constexpr std::size_t much_longer = 16; // times; then searching takes fewer steps than walking

std::uint64_t common_by_search(std::span<const graph::vertex> shorter,
                               std::span<const graph::vertex> longer) {
  std::uint64_t count = 0;
  auto from = longer.begin();
  for (const auto v : shorter) {
    from = std::lower_bound(from, longer.end(), v);
    if (from == longer.end()) break;
    count += *from == v;
  }
  return count;
}

} // namespace

std::uint64_t common_elements(std::span<const graph::vertex> shorter, std::span<const graph::vertex> longer) {
  if (longer.size() / much_longer > shorter.size()) return common_by_search(shorter, longer);
  std::uint64_t count = 0;
  for (std::size_t i = 0, j = 0; i < shorter.size() && j < longer.size();) {
    const auto x = shorter[i], y = longer[j];
    count += x == y;
    i += x <= y;
    j += y <= x;
  }
  return count;
}

std::uint64_t similarity_of(std::span<const graph::vertex> shorter, std::span<const graph::vertex> longer) {
  const auto common = common_elements(shorter, longer);
  const auto all = shorter.size() + longer.size() - common;
  return all == 0 ? 0 : (common << 32) / all;
}

} // namespace windrow::apps
