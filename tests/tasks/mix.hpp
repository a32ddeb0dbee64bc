// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace windrow::test {

/// A number that looks unlike x, the same each time (the finaliser of splitmix64).
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

} // namespace windrow::test
