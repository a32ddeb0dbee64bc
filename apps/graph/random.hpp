// SPDX-License-Identifier: BSD-3-Clause
// Random numbers that depend on what they are for, not on who draws them: so that every PE, and the
// sequential program, find the same ones.
#pragma once

#include <cstdint>

#include "apps/graph/mix.hpp"

namespace windrow::graph {

/// A random number for a pair of numbers, in this order, and a seed.
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b, std::uint64_t seed) {
  return mix(mix(mix(seed + golden) + a) + b);
}

/// SplitMix64: the numbers `mix` gives for a Weyl sequence that begins at the seed.
class random_stream {
 public:
  constexpr explicit random_stream(std::uint64_t seed) : state_(mix(seed)) {}

  constexpr std::uint64_t next() { return mix(state_ += golden); }
  /// 0 … limit - 1, for a limit that is not 0.
  constexpr std::uint64_t below(std::uint64_t limit) { return graph::below(limit, next()); }
  /// 0 … 1, without 1.
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

} // namespace windrow::graph
