// SPDX-License-Identifier: BSD-3-Clause
// A task with a stack of its own: where it would wait, it leaves its worker to others.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "os/fiber.hpp"
#include "windrow/detail/fork.hpp"
#include "windrow/detail/task.hpp"

namespace windrow::tasks {

/// As a task, what goes on with it. It stays with one worker, as its stack does.
struct light_thread : task {
  light_thread(worker& w, std::byte* stack, std::size_t bytes);

  worker& home;
  os::fiber fiber;
  const std::byte* stack_limit;
  void (*body)(void*) = nullptr; ///< null: it has ended, and may be used again
  void* argument = nullptr;

  // While it does not run.
  scope* innermost = nullptr;
  branch_link before_all{nullptr};
  branch_link* newest = &before_all;
  branch_link* offered = &before_all;
};

/// Those of a worker that have ended; more are made when there are none. Owner only.
class light_threads {
 public:
  explicit light_threads(worker& w) : home_(w) {}
  ~light_threads();
  light_threads(const light_threads&) = delete;
  light_threads& operator=(const light_threads&) = delete;

  light_thread& take();
  void give(light_thread& l) { unused_.push_back(&l); }

 private:
  static constexpr std::size_t stack_bytes = std::size_t{256} << 10;
  static constexpr std::size_t batch = 16;

  worker& home_;
  std::vector<std::byte*> stacks_; ///< `batch` each
  std::deque<light_thread> all_;
  std::vector<light_thread*> unused_;
};

} // namespace windrow::tasks
