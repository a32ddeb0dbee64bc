// SPDX-License-Identifier: BSD-3-Clause
// What a program was compiled with must be what its library was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "windrow/detail/lanes.hpp"
#include "windrow/detail/memory_map.hpp"
#include "windrow/detail/writer.hpp"
#include "windrow/stats.hpp"
#include "windrow/team.hpp"
#include "windrow/version.hpp"

namespace windrow::detail {

constexpr std::uint64_t layout_of(std::initializer_list<std::size_t> sizes) {
  std::uint64_t sum = 14695981039346656037U; // FNV-1a
  for (const auto size : sizes) sum = (sum ^ size) * 1099511628211U;
  return sum;
}

/// What these headers and the library have in common.
inline constexpr std::uint64_t shared_layout =
    layout_of({sizeof(memory_map), sizeof(counters), sizeof(team), sizeof(aggregation::lanes),
               sizeof(aggregation::writer)});

/// The library defines this for the headers that it was built from, and for no others. So a file that was
/// compiled with others does not link, and this name is what the linker misses.
template <int Major, int Minor, int Patch, std::uint64_t Layout>
struct library {
  static const char has_these_headers;
};
using library_of_these_headers =
    library<WINDROW_VERSION_MAJOR, WINDROW_VERSION_MINOR, WINDROW_VERSION_PATCH, shared_layout>;

/// In each file by itself: what files have in common is that of one of them. (Not in what the compiler
/// plug-in puts into programs: that is of the same build as the library, and programs in C may bring another
/// library.)
#ifndef WINDROW_INLINED_CALLS
[[gnu::used]] static const char* const required_library = &library_of_these_headers::has_these_headers;
#endif

} // namespace windrow::detail
