// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "windrow/team.hpp"

namespace windrow::mobile {

/// Collective: what all members have, by member. In one round where they have about as much as each other,
/// else in several: so it takes a few times the memory of all that, and not what the one with most has for
/// each.
template <class T>
std::vector<T> gather(const team& members, const std::vector<T>& mine) {
  const auto counts = members.allgather(mine.size());
  std::vector<std::size_t> begins(counts.size() + 1);
  std::partial_sum(counts.begin(), counts.end(), begins.begin() + 1);
  const auto most = std::ranges::max(counts), mean = begins.back() / counts.size() + 1;
  const auto some = std::min(most, 2 * mean); // of each, in a round
  std::vector<T> own(some), shown(some * counts.size()), all(begins.back());
  for (std::size_t from = 0; from < most; from += some) {
    const auto left = [&](std::size_t count) { return std::min(some, count - std::min(from, count)); };
    std::copy_n(mine.data() + std::min(from, mine.size()), left(mine.size()), own.data());
    members.allgather(std::span<const T>(own), std::span(shown));
    for (std::size_t m = 0; m < counts.size(); ++m)
      std::copy_n(shown.data() + m * some, left(counts[m]),
                  all.data() + begins[m] + std::min(from, counts[m]));
  }
  return all;
}

} // namespace windrow::mobile
