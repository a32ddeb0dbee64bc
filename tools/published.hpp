// SPDX-License-Identifier: BSD-3-Clause
// What others have measured on real machines, for comparison.
#pragma once

#include <span>
#include <string_view>

namespace windrow::tools {

/// A kernel of bale on a number of PEs, one on each machine, in seconds.
struct published_run {
  std::string_view kernel; ///< as it is called here
  int pes;
  double blocking_seconds, selector_seconds;

  /// bale's default for these kernels.
  static constexpr double operations_per_pe = 1e6;
  double blocking_speed() const { return operations_per_pe / blocking_seconds * 1e-6; }
  double selector_speed() const { return operations_per_pe / selector_seconds * 1e-6; }
  double speed_up() const { return blocking_seconds / selector_seconds; }
};

/// Those on a machine like that of a model, by its name.
struct publication {
  std::string_view model;
  std::string_view about; ///< what, where, by whom
  std::span<const published_run> runs;
};

/// For a model that may have changes behind its name ("cloud,pes_per_host=2"); null if there is none.
const publication* published_for(std::string_view model);
/// Null if there is none.
const published_run* published_run_of(const publication*, std::string_view kernel, int pes);

} // namespace windrow::tools
