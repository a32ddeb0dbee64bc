// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace windrow::transport {

/// How far apart the PEs of a job pretend to be: the time that anything takes from one PE to another. See
/// README.md in this folder for what is imitated by it. All calls are local; any thread may make them.
class distance {
 public:
  /// `shares_processor`: there are more PEs than processors.
  distance(std::uint64_t one_way_ns, bool shares_processor)
      : one_way_ns_(one_way_ns), shares_processor_(shares_processor) {}

  std::uint64_t one_way_ns() const { return one_way_ns_; }
  bool shares_processor() const { return shares_processor_; }
  /// Returns when a question that is asked now would have been answered. Serves no inbox.
  void round_trip() const;

 private:
  std::uint64_t one_way_ns_;
  bool shares_processor_;
};

} // namespace windrow::transport
