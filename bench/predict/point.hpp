// SPDX-License-Identifier: BSD-3-Clause
// What `simulate` says about one kernel in one style on one number of PEs, and `windrow bench predict` shows.
#pragma once

#include <cstdint>
#include <string>

#include "apps/support/json.hpp"

namespace windrow::bench {

struct point {
  std::string kernel;
  std::string style;
  int pes = 0;
  std::uint64_t operations = 0; ///< of all PEs
  double seconds = 0;           ///< by the simulated clock, from barrier to barrier, of the slowest PE
  bool right = false;           ///< the result equals that of the sequential program
  std::uint64_t messages = 0;   ///< of all PEs, those of collectives included
  std::uint64_t messages_between_hosts = 0; ///< of these, between hosts
  std::uint64_t bytes = 0;                  ///< of the messages, headers included
  double idle = 0;                          ///< share of the time in which PEs waited, their mean
  std::uint64_t bytes_per_pe = 0;           ///< memory, at its highest: library, stack and the PE's own data
  double real_seconds = 0;                  ///< that the simulation took

  double speed() const { // million operations per second and PE
    return seconds > 0 ? static_cast<double>(operations) / seconds / pes * 1e-6 : 0;
  }
};

WINDROW_JSON_MEMBERS(point, kernel, style, pes, operations, seconds, right, messages, messages_between_hosts,
                     bytes, idle, bytes_per_pe, real_seconds)

} // namespace windrow::bench
