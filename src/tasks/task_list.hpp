// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "windrow/detail/task.hpp"

namespace windrow::tasks {

/// Tasks in their order, linked by `next`. A task is in one list at a time.
class task_list {
 public:
  bool empty() const { return first_ == nullptr; }
  task* first() const { return first_; }

  void add(task& t) {
    t.next = nullptr;
    *(first_ == nullptr ? &first_ : end_) = &t;
    end_ = &t.next;
  }
  /// Adds those of a list with the newest first.
  void add_reversed(task* newest) {
    task* oldest = nullptr;
    while (newest != nullptr) {
      task* const t = std::exchange(newest, newest->next);
      t->next = std::exchange(oldest, t);
    }
    while (oldest != nullptr) add(*std::exchange(oldest, oldest->next));
  }
  /// The first one, which is taken out. Not of an empty list.
  task& take_first() { return *std::exchange(first_, first_->next); }
  /// The first one of which `wanted(task)` is true, which is taken out; or null.
  template <class Wanted>
  task* take(Wanted wanted) {
    for (task** at = &first_; *at != nullptr; at = &(*at)->next)
      if (wanted(**at)) return take_out(at);
    return nullptr;
  }

 private:
  task* take_out(task** at) {
    task* const t = *at;
    *at = t->next;
    if (end_ == &t->next) end_ = at;
    return t;
  }

  task* first_ = nullptr;
  task** end_ = nullptr; ///< where the next one goes, if any is here
};

} // namespace windrow::tasks
