// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace windrow::balance {

/// Pseudo-random, a function of both (the finalizer of SplitMix64).
inline std::uint64_t mix(std::uint64_t seed, std::uint64_t number) {
  auto x = seed + (number + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

} // namespace windrow::balance
