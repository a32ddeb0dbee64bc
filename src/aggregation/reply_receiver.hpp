// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "windrow/types.hpp"

namespace windrow::aggregation {

/// Which of the work that waits for a PE's replies belongs to a block: `no_mark` if none does.
using block_mark = std::uint64_t;
inline constexpr block_mark no_mark = 0;

/// Waits for the replies to this PE's items. A block that comes home brings them in the order in which they
/// were asked for, so it is blocks that the engine reports, not items. Called on the thread that uses the
/// engine only.
class reply_receiver {
 public:
  /// Closes the stretch of items for `to` that is open, if any.
  virtual void close_stretch(pe_t to) = 0;
  /// The block of items for `to` that was being filled is full. What has begun to wait for them since the
  /// last one is what the mark means.
  virtual block_mark block_leaves(pe_t to) = 0;
  /// The block with that mark is back, its replies are delivered. Runs nothing.
  virtual void block_is_home(pe_t from, block_mark) = 0;

 protected:
  ~reply_receiver() = default;
};

} // namespace windrow::aggregation
