// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "apps/support/json.hpp"

namespace windrow::apps {

/// What moved in one run, all PEs together.
struct traffic {
  std::uint64_t direct_operations =
      0;                         ///< operations carried out at once, by load, store or atomic instruction
  std::uint64_t round_trips = 0; ///< waits for answers from other hosts or PEs at a distance
  std::uint64_t items = 0;       ///< operations and messages that travelled in blocks
  std::uint64_t blocks = 0;
  std::uint64_t bytes = 0; ///< of direct operations and of blocks

  /// Things that cross a network one by one: direct operations and blocks.
  std::uint64_t messages() const { return direct_operations + blocks; }
  friend bool operator==(const traffic&, const traffic&) = default;
};

/// One kernel in one style: what the runner found out, in one line of JSON.
struct result {
  std::string kernel;
  std::string style;
  std::string graph;
  int pes = 0;
  std::uint64_t operations = 0;  ///< of all PEs in one run
  std::vector<double> seconds;   ///< of each timed run, from barrier to barrier
  double sequential_seconds = 0; ///< of the program without Windrow
  std::uint64_t checksum = 0;    ///< of the first run with a wrong one, if any
  std::uint64_t expected = 0;    ///< the same from the sequential program
  traffic moved;                 ///< in the last run
  double cpu_seconds = 0;        ///< processor time of one run, all PEs together, waiting included; mean
  std::uint64_t peak_bytes = 0;  ///< resident memory at its highest, of the PE with most, the input included
  std::map<std::string, double> joules; ///< of one run by part of the machine, mean; empty without counters

  bool is_right() const { return checksum == expected; }
  /// 0 if there was no timed run.
  double median_seconds() const;
  double best_seconds() const;
  double million_operations_per_second_and_pe() const;

  friend bool operator==(const result&, const result&) = default;
};

WINDROW_JSON_MEMBERS(traffic, direct_operations, round_trips, items, blocks, bytes)
WINDROW_JSON_MEMBERS(result, kernel, style, graph, pes, operations, seconds, sequential_seconds, checksum,
                     expected, moved, cpu_seconds, peak_bytes, joules)

/// One line for people: what ran, and whether it was right.
std::string describe(const result&);

} // namespace windrow::apps
