// SPDX-License-Identifier: BSD-3-Clause
// What the simulated machine costs: the parameters of LogGP (Alexandrov, Ionescu, Schauser, Scheiman: "LogGP:
// incorporating long messages into the LogP model", 1995) inside a host and between hosts, and what a PE's
// own work costs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/types.hpp"

namespace windrow::transport {

/// LogGP for messages from one PE to another. Times in picoseconds, because bytes and items take so little.
struct link_cost {
  std::uint64_t latency_ps = 0;  ///< L: the first byte is under way so long
  std::uint64_t overhead_ps = 0; ///< o: the processor is busy so long with sending or receiving a message
  std::uint64_t gap_ps = 0;      ///< g: a port is free so long after the last byte of a message
  std::uint64_t per_byte_ps = 0; ///< G: between a byte and the next

  /// From the first byte to the last, at most `end_of_time_ps`.
  std::uint64_t length_ps(std::uint64_t bytes) const;
};

/// All clocks end here, after 106 days.
inline constexpr std::uint64_t end_of_time_ps = std::uint64_t{1} << 63;

inline std::uint64_t link_cost::length_ps(std::uint64_t bytes) const {
  std::uint64_t length = 0;
  if (bytes < 2) return 0;
  return __builtin_mul_overflow(bytes - 1, per_byte_ps, &length) ? end_of_time_ps
                                                                 : std::min(length, end_of_time_ps);
}

struct model {
  std::string name;              ///< of the preset or file, with what was changed
  pe_t pes_per_host = 1;         ///< PEs 0 … n - 1 are on the first host, and so on
  link_cost near;                ///< between PEs of one host; each PE has a port of its own
  link_cost far;                 ///< between hosts; the PEs of a host share its port
  std::uint64_t direct_ps;       ///< a direct operation on memory of this host, one's own included
  std::uint64_t poll_ps;         ///< looking into an empty inbox
  std::uint64_t item_sent_ps;    ///< putting an item into a block
  std::uint64_t item_handled_ps; ///< carrying it out at its owner

  pe_t host_of(pe_t pe) const { return pe / pes_per_host; }
  bool is_near(pe_t a, pe_t b) const { return host_of(a) == host_of(b); }
  const link_cost& between(pe_t a, pe_t b) const { return is_near(a, b) ? near : far; }
};

/// The names of the models that are built in.
std::vector<std::string_view> preset_names();

/// Reads the text of a model: a line "name = value" for each parameter, "#" begins a comment. Throws
/// windrow::error, with `source` and the line, if something is wrong or missing.
model parse_model(std::string_view text, const std::string& source);

/// "cloud", the name of a preset or else of a file, and then perhaps values that replace its own:
/// "cloud,pes_per_host=8,far.latency=50us". Throws windrow::error.
model model_named(const std::string& words);

} // namespace windrow::transport
