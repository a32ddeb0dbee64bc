// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/task_store.hpp"

namespace windrow::tasks {

task* task_store::take() {
  const std::lock_guard lock(mutex_);
  if (!batches_.empty()) {
    task* first = batches_.back();
    batches_.pop_back();
    return first;
  }
  memory_.push_back(std::make_unique_for_overwrite<closure_task[]>(batch));
  closure_task* const first = memory_.back().get();
  for (int i = 0; i < batch; ++i) {
    first[i].next = i + 1 < batch ? first + i + 1 : nullptr;
    first[i].kind = task_kind::pooled;
  }
  return first;
}

void task_store::give(task* first) {
  const std::lock_guard lock(mutex_);
  batches_.push_back(first);
}

void task_cache::refill() {
  first_ = spare_ != nullptr ? std::exchange(spare_, nullptr) : store_.take();
  count_ = task_store::batch;
}

void task_cache::put_aside() {
  if (spare_ != nullptr) store_.give(spare_);
  spare_ = std::exchange(first_, nullptr);
  count_ = 0;
}

} // namespace windrow::tasks
