// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace windrow::aggregation {

/// Work of this PE that handlers may start and that may send, beside the messages themselves: the tasks. The
/// engine's completion waits for it. Called on the thread that uses the engine only.
class activity {
 public:
  virtual ~activity() = default;

  /// Nothing is under way that the caller must wait for. True also if the caller is itself part of it.
  virtual bool idle() const = 0;
  /// `run_ready` would find something to run.
  virtual bool ready() const = 0;
  /// Runs what there is, and serves the inbox meanwhile.
  virtual void run_ready() = 0;
  /// How many pieces of work have begun to exist so far. Exact when idle.
  virtual std::uint64_t started() const = 0;
  /// Called after messages were handled: runs some of what they have started, if that is too much to keep.
  virtual void relieve() = 0;
};

} // namespace windrow::aggregation
