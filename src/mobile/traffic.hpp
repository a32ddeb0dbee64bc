// SPDX-License-Identifier: BSD-3-Clause
// What handlers of objects send to objects, where a policy wants to know it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>

#include "windrow/detail/object_core.hpp"

namespace windrow::mobile {

/// Guarded, as what handlers on all workers share is.
class core::traffic_counts {
 public:
  /// `thread` is the light thread of a handler on all workers; null: handlers run on the PE's own thread.
  void add(const void* thread, object_id to, std::size_t bytes) {
    const auto from = acting_.find(thread);
    if (from != acting_.end()) bytes_[{from->second, to}] += bytes;
  }
  /// Whose handler runs there from now on, 0: nobody's; and whose ran before.
  object_id act(const void* thread, object_id who) {
    const auto before = std::exchange(acting_[thread], who);
    if (who == 0) acting_.erase(thread);
    return before;
  }

  /// By sender and receiver.
  const std::map<std::pair<object_id, object_id>, std::uint64_t>& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  std::unordered_map<const void*, object_id> acting_;
  std::map<std::pair<object_id, object_id>, std::uint64_t> bytes_;
};

/// While it lives, what this thread sends is the object's.
class core::acting {
 public:
  acting(core& c, object_id who);
  ~acting();
  acting(const acting&) = delete;
  acting& operator=(const acting&) = delete;

 private:
  core& core_;
  object_id before_ = 0;
};

} // namespace windrow::mobile
