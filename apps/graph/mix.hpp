// SPDX-License-Identifier: BSD-3-Clause
// Random numbers that depend on what they are for, not on who asks or in which order.
#pragma once

#include <cstdint>

namespace windrow::graph {

/// The output function of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a bijection that looks random.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The step of its sequence: 2^64 divided by the golden ratio.
inline constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;

/// A number below `limit` from 64 random bits. Each has the same share of them, give or take one.
constexpr std::uint64_t below(std::uint64_t limit, std::uint64_t bits) {
  __extension__ using wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<wide>(bits) * limit) >> 64);
}

} // namespace windrow::graph
