// SPDX-License-Identifier: BSD-3-Clause
// Which process a PE is. One that it forks has a copy of all its objects and shares its symmetric memory, but
// is not that PE and must never act as it.
#pragma once

#include <unistd.h>

#include <atomic>
#include <string_view>

namespace windrow::pgas {

/// The process whose threads are PEs; 0 before there is one.
inline constinit std::atomic<pid_t> owner_process = 0;

/// A system call: not for frequent use.
inline bool in_forked_child() {
  const auto owner = owner_process.load(std::memory_order_relaxed);
  return owner != 0 && ::getpid() != owner;
}

/// Why operations are no longer possible once a PE's memory map is closed, to follow the name of one.
inline std::string_view why_closed() {
  return in_forked_child() ? "this process was forked by a PE and is none itself; only the PE may use the job"
                           : "the job is already finalized; move the operation before job::finalize";
}

} // namespace windrow::pgas
