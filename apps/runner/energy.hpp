// SPDX-License-Identifier: BSD-3-Clause
// Energy, where the machine counts it. What a counter says is never made up for: without counters there are
// no joules.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace windrow::apps {

/// The energy counters of this node: RAPL by way of Linux' powercap (`/sys/class/powercap`), or those of HPE
/// Cray (`/sys/cray/pm_counters`). They count what the whole node uses, whoever uses it. Immutable after
/// construction; any thread may call.
class energy_meter {
 public:
  /// Raw values of all counters at one moment: a phase marker.
  using reading = std::vector<std::uint64_t>;

  /// Looks for counters below `root`, which only tests choose.
  explicit energy_meter(const std::filesystem::path& root = "/");
  /// One without counters.
  static energy_meter none() { return energy_meter("/nonexistent"); }

  bool present() const { return !counters_.empty(); }
  /// The folder of the counters, or why there are none, for people.
  const std::string& source() const { return source_; }

  /// Empty without counters, or if one cannot be read.
  reading read() const;
  /// Joules between two readings by part of the machine: `cpu`, `memory`, `node` (which includes both). A
  /// counter may have wrapped once in between. Empty if one of the readings is.
  std::map<std::string, double> joules(const reading& before, const reading& after) const;

 private:
  struct counter {
    std::string part;
    std::filesystem::path file;
    double joules_per_unit;
    std::uint64_t range; ///< the largest value; after it comes 0. 0: never wraps
  };
  void find_powercap(const std::filesystem::path& folder);
  void find_cray(const std::filesystem::path& folder);
  void keep_if_readable(const std::filesystem::path& folder);

  std::vector<counter> counters_;
  std::string source_;
};

} // namespace windrow::apps
