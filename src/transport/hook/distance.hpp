// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace windrow::transport {

/// How far apart the PEs of a job pretend to be: the time that anything takes from one PE to another. See
/// README.md in this folder for what is imitated by it. All calls are local; any thread may make them.
class distance {
 public:
  explicit distance(std::uint64_t one_way_ns) : one_way_ns_(one_way_ns) {}

  std::uint64_t one_way_ns() const { return one_way_ns_; }
  /// Returns when a question that is asked now would have been answered. Serves no inbox.
  void round_trip() const;

 private:
  std::uint64_t one_way_ns_;
};

} // namespace windrow::transport
