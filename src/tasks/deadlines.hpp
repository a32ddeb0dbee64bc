// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>

namespace windrow::tasks {

/// A wait that ends at a moment, if it has not ended before. On the stack of who waits.
struct timed_wait {
  std::uint64_t due_ns;        ///< by the clock of the PE's transport
  void (*expire)(timed_wait&); ///< that moment has come; called once, by the worker of who waits
};

/// Those of a worker, the earliest first. Owner only.
class deadlines {
 public:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }
  std::uint64_t first_ns() const { return empty() ? never : all_.begin()->first; }

  void add(timed_wait& w) { all_.emplace(w.due_ns, &w); }
  timed_wait& take_first() {
    timed_wait& first = *all_.begin()->second;
    all_.erase(all_.begin());
    return first;
  }
  /// False: it is not there.
  bool remove(timed_wait& w) { return all_.erase({w.due_ns, &w}) != 0; }

 private:
  std::set<std::pair<std::uint64_t, timed_wait*>> all_;
};

} // namespace windrow::tasks
