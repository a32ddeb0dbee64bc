// SPDX-License-Identifier: BSD-3-Clause
// A plain C loop under `#pragma shmem defer`, compiled with the directive and without.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace windrow::tools {

/// The loop in one place, both ways.
struct directive_run {
  std::string label; ///< "this host"
  std::uint64_t operations = 0;
  double plain_seconds = 0, deferred_seconds = 0;
  bool is_right = false;
};

/// Why the directive cannot be shown here, or an empty string.
std::string why_no_directive();

/// The lines of the program that matter.
std::string directive_loop();

/// Compiles the program twice, as users would, and runs it on this host and with delays of 5 us and 50 us.
/// Throws windrow::error with what was said where that fails.
std::vector<directive_run> run_directive();

/// As people read them.
std::string directive_table(const std::vector<directive_run>&);

} // namespace windrow::tools
