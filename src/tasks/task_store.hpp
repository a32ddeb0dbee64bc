// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "windrow/detail/task.hpp"

namespace windrow::tasks {

/// Unused tasks of a PE, in batches, and the memory of all. Any thread.
class task_store {
 public:
  static constexpr int batch = 64;

  /// A list of `batch` tasks.
  task* take();
  void give(task*);

 private:
  std::mutex mutex_;
  std::vector<task*> batches_;
  std::vector<std::unique_ptr<closure_task[]>> memory_;
};

/// A worker's own unused tasks: at most two batches, so that what one worker starts and another ends goes
/// round through the store, at one lock per batch.
class task_cache {
 public:
  explicit task_cache(task_store& store) : store_(store) {}

  closure_task& take() {
    if (first_ == nullptr) refill();
    --count_;
    return static_cast<closure_task&>(*std::exchange(first_, first_->next));
  }

  void put(task& t) {
    if (count_ == task_store::batch) put_aside();
    t.next = std::exchange(first_, &t);
    ++count_;
  }

 private:
  void refill();
  void put_aside();

  task_store& store_;
  task* first_ = nullptr;
  int count_ = 0;
  task* spare_ = nullptr; ///< a whole batch, or null
};

} // namespace windrow::tasks
