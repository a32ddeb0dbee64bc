// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace windrow::apps {

/// What a kernel program found out; printed by PE 0 and read by `windrow demo`.
struct result {
  std::string kernel;
  std::string graph;
  std::string style;
  int pes = 0;
  std::uint64_t operations = 0; ///< one-sided operations of all PEs in one run
  double seconds = 0;           ///< of one run, from barrier to barrier; median
  std::uint64_t checksum = 0;   ///< of the first run with a wrong one, if any
  std::uint64_t expected = 0;   ///< the same from the sequential count

  bool is_right() const { return checksum == expected; }
  double million_operations_per_second_and_pe() const;

  friend bool operator==(const result&, const result&) = default;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(result, kernel, graph, style, pes, operations, seconds, checksum, expected)

/// One line for people.
std::string describe(const result&);

} // namespace windrow::apps
