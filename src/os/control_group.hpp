// SPDX-License-Identifier: BSD-3-Clause
// What the control groups that this process is in allow it: its own and those around it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace windrow::os {

class control_groups {
 public:
  /// `membership` lists the groups of the process, `mount` is where their files are: version 2, version 1, or
  /// both.
  explicit control_groups(const std::string& membership = "/proc/self/cgroup",
                          const std::string& mount = "/sys/fs/cgroup");

  /// Bytes of memory; nothing if there is no limit.
  std::optional<std::uint64_t> memory() const;
  /// Processors that may be used at a time, on average; nothing if there is no limit.
  std::optional<double> processors() const;

 private:
  /// Folders of the groups that limit something, from the process's own to the outermost.
  struct folders {
    std::vector<std::string> unified, memory, cpu;
  };
  folders folders_;
};

} // namespace windrow::os
