// SPDX-License-Identifier: BSD-3-Clause
// What a job knows of the parts of the library that work in it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "aggregation/work_source.hpp"
#include "windrow/stats.hpp"

namespace windrow {

namespace pgas {
class core;
}
namespace aggregation {
class engine;
}
namespace transport {
class transport;
}

/// A part of the library that lives as long as a job. It attaches itself to the engine, which runs its work
/// and completes it. The destructor ends it: by then all of it is complete, but while an exception unwinds.
class room : public aggregation::work_source {
 public:
  /// An exception unwinds the program: brings to an end what is alive, while all rooms exist. The other PEs
  /// may be anywhere, so nothing collective works. In the order in which the rooms have begun.
  virtual void end_early() {}
  /// This is a process that the PE has forked, and no part of the job.
  virtual void close_in_child() {}
};

/// A column of the table of counters (WINDROW_STATS).
struct report_column {
  const char* title;
  int width;
  std::uint64_t counters::* value;
  bool is_size = false; ///< in bytes
};

/// How a room takes part in every job. One constant for each room.
struct room_type {
  /// Null: it has its columns only.
  std::unique_ptr<room> (*begin)(pgas::core&, aggregation::engine&);
  /// How many threads of a PE send for it, the PE's own included; null: one. Throws windrow::error if the
  /// transport cannot have them.
  int (*senders)(const transport::transport&) = nullptr;
  /// Printed if any of them is not 0 on any PE.
  std::span<const report_column> columns = {};
};

/// Those of this library, in the order in which they begin; they end in the opposite one (src/rooms).
std::span<const room_type* const> all_rooms();

} // namespace windrow
