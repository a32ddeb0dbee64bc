// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "windrow/types.hpp"

namespace windrow::aggregation {

/// Which of the deferred work that waits for a PE's answers belongs to a block: `no_mark` if none does.
using block_mark = std::uint64_t;
inline constexpr block_mark no_mark = 0;

/// Work of this PE that waits for the replies to its items (the room `defer`). A block that comes home brings
/// them in the order in which they were asked for, so it is blocks that the engine reports, not items. Called
/// on the thread that uses the engine only.
class deferred_work {
 public:
  virtual ~deferred_work() = default;

  /// Closes the stretch of items for `to` that its closures have open, if any.
  virtual void close_stretch(pe_t to) = 0;
  /// The block of items for `to` that was being filled is full. What has been deferred for them since the
  /// last one is what the mark means.
  virtual block_mark block_leaves(pe_t to) = 0;
  /// The block with that mark is back, its replies are delivered. Runs nothing.
  virtual void block_is_home(pe_t from, block_mark) = 0;

  /// There is deferred work.
  virtual bool pending() const = 0;
  /// `run_all` would find something to run.
  virtual bool ready() const = 0;
  /// Runs what has been answered, and what that makes ready in turn. Nothing if it is running already, or in
  /// a handler.
  virtual void run_arrived() = 0;
  /// The same, and all that waits for no message.
  virtual void run_all() = 0;
  /// All of it is to be completed on this thread, whichever has issued it. Ends the job if some of it cannot
  /// be complete because the program is still issuing it.
  virtual void require_complete() = 0;
  /// How many pieces have begun to wait so far, of those that wait for no message.
  virtual std::uint64_t started() const = 0;
};

} // namespace windrow::aggregation
