// SPDX-License-Identifier: BSD-3-Clause
// Handlers on all workers of a PE. README.md describes it.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "mobile/turns.hpp"
#include "windrow/detail/object_core.hpp"

namespace windrow::mobile {

/// A message whose handler runs on some worker.
struct core::use {
  message_head head;
  cell* object;
  address function;
  std::vector<std::byte> arguments;
  const void* light = nullptr; ///< the light thread that runs it
  std::size_t row = 0;         ///< its place among those that run
};

/// A message that moves the object or ends it.
struct core::act {
  what kind;
  pe_t to; ///< of moves
};

/// What there is where handlers run on all workers. The lock is for that, the protocol, and all else of the
/// core that handlers use.
class core::all_workers {
 public:
  std::mutex mutex;
  turns<std::unique_ptr<use>, act> turn;
  std::vector<use*> running; ///< or will, as soon as a worker comes to it
  bool ending = false;       ///< an exception ends the space: handlers that have not begun are dropped

  void add_running(use& u) {
    u.row = running.size();
    running.push_back(&u);
  }
  void remove_running(const use& u) {
    running.back()->row = u.row;
    running[u.row] = running.back();
    running.pop_back();
  }
};

} // namespace windrow::mobile
