// SPDX-License-Identifier: BSD-3-Clause
// What a program was compiled with, for the library that it is linked with to compare.
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

/// What headers say of themselves. This struct never changes.
struct headers {
  const char* version;
  std::uint64_t layout; ///< differs where that of what inlined code shares with the library does
};

/// Ends the job if these are not the headers that this library was built from.
void require_same_headers(headers);

constexpr std::uint64_t layout_of(std::initializer_list<std::size_t> sizes) {
  std::uint64_t sum = 14695981039346656037U; // FNV-1a
  for (const auto size : sizes) sum = (sum ^ size) * 1099511628211U;
  return sum;
}

/// Those that are being compiled.
constexpr headers these_headers(const char* version = WINDROW_VERSION) {
  return {version, layout_of({sizeof(memory_map), sizeof(counters), sizeof(team), sizeof(aggregation::lanes),
                              sizeof(aggregation::writer)})};
}

} // namespace windrow::detail
