// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

#include "windrow/portable_tasks.hpp"
#include "windrow/task.hpp"

namespace windrow {

/// A finish as an object: for tasks that are started in one function and waited for in another.
///
///   windrow::task_group group;
///   group.spawn([&] { … });
///   group.wait();
///
/// `wait` is for the worker that made the group, and there for one at a time: main code, a task or a light
/// thread (which stays with its worker), not a task of the group itself, and not a handler, unless the group
/// was made in it. The rest may be called in the group's tasks, too.
/// What those start in turn, with `async` or `spawn`, belongs to the group. After `wait` it may be used
/// again. The destructor waits if that has not been done; an exception is then dropped.
class task_group {
 public:
  task_group() { open(); }
  ~task_group() {
    try {
      wait();
    } catch (...) { // code that wants it waits before
    }
  }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  /// As the functions of that name (task.hpp).
  template <std::invocable F>
  void async(F&& f) {
    const tasks::scope::innermost here(*scope_);
    windrow::async(unless_cancelled(std::forward<F>(f)));
  }
  template <std::invocable F>
  void async(priority p, F&& f) {
    const tasks::scope::innermost here(*scope_);
    windrow::async(p, unless_cancelled(std::forward<F>(f)));
  }
  template <std::invocable F>
  void spawn(const char* name, F&& f) {
    const tasks::scope::innermost here(*scope_);
    windrow::spawn(name, unless_cancelled(std::forward<F>(f)));
  }
  template <std::invocable F>
  void spawn(F&& f) {
    spawn(nullptr, std::forward<F>(f));
  }
  template <std::invocable F>
  void spawn(priority p, F&& f) {
    const tasks::scope::innermost here(*scope_);
    windrow::spawn(p, unless_cancelled(std::forward<F>(f)));
  }

  /// As the function of that name (portable_tasks.hpp): any PE may run it. `cancel` does not
  /// keep it from beginning.
  template <class F, transferable... Args>
  void async_portable(F f, const Args&... args) {
    const tasks::scope::innermost here(*scope_);
    windrow::async_portable(f, args...);
  }

  /// Returns when all have ended, or rethrows the first exception then.
  void wait() {
    struct again {
      task_group& group;
      ~again() { group.open(); }
    } afterwards{*this};
    scope_->wait();
  }

  /// Those that were started here by `async` or `spawn` and have not begun will not begin; a task that
  /// has begun may ask. Up to the end of `wait`.
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  void open() {
    scope_.emplace(tasks::scope::detached{});
    cancelled_.store(false, std::memory_order_relaxed);
  }
  template <class F>
  auto unless_cancelled(F&& f) {
    return [this, f = std::decay_t<F>(std::forward<F>(f))]() mutable {
      if (!cancelled()) f();
    };
  }

  std::optional<tasks::scope> scope_;
  std::atomic<bool> cancelled_ = false;
};

} // namespace windrow
