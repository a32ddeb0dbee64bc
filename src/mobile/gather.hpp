// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "windrow/team.hpp"

namespace windrow::mobile {

/// Collective: what all members have, by member.
template <class T>
std::vector<T> gather(const team& members, std::vector<T> mine) {
  const auto counts = members.allgather(mine.size());
  const auto most = std::ranges::max(counts);
  mine.resize(most);
  std::vector<T> all(most * counts.size());
  members.allgather(std::span<const T>(mine), std::span(all));
  std::vector<T> result;
  for (std::size_t m = 0; m < counts.size(); ++m) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(m * most);
    result.insert(result.end(), begin, begin + static_cast<std::ptrdiff_t>(counts[m]));
  }
  return result;
}

} // namespace windrow::mobile
