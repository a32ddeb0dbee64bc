// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace windrow::tasks {

/// A wait that ends at a moment, if it has not ended before. On the stack of who waits.
struct timed_wait {
  std::uint64_t due_ns;        ///< by the clock of the PE's transport
  void (*expire)(timed_wait&); ///< that moment has come; called once, by the worker of who waits
  std::size_t position = 0;    ///< in the heap of `deadlines`, counted from 1; 0: not in it
};

/// Those of a worker, the earliest first: a binary heap. Owner only.
class deadlines {
 public:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  std::uint64_t first_ns() const { return empty() ? never : heap_.front()->due_ns; }

  void add(timed_wait& w) {
    heap_.push_back(&w);
    rise(heap_.size() - 1);
  }
  timed_wait& take_first() {
    timed_wait& first = *heap_.front();
    remove(first);
    return first;
  }
  /// Nothing, if it is not there.
  void remove(timed_wait& w) {
    if (w.position == 0) return;
    const auto at = std::exchange(w.position, 0) - 1;
    timed_wait* const last = heap_.back();
    heap_.pop_back();
    if (last == &w) return;
    put(at, last);
    sink(at);
    rise(last->position - 1);
  }

 private:
  void put(std::size_t at, timed_wait* w) {
    heap_[at] = w;
    w->position = at + 1;
  }
  void rise(std::size_t at) {
    timed_wait* const w = heap_[at];
    for (; at > 0 && w->due_ns < heap_[(at - 1) / 2]->due_ns; at = (at - 1) / 2) put(at, heap_[(at - 1) / 2]);
    put(at, w);
  }
  void sink(std::size_t at) {
    timed_wait* const w = heap_[at];
    for (auto below = 2 * at + 1; below < heap_.size(); below = 2 * at + 1) {
      if (below + 1 < heap_.size() && heap_[below + 1]->due_ns < heap_[below]->due_ns) ++below;
      if (w->due_ns <= heap_[below]->due_ns) break;
      put(at, heap_[below]);
      at = below;
    }
    put(at, w);
  }

  std::vector<timed_wait*> heap_;
};

} // namespace windrow::tasks
