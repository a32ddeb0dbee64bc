// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <coroutine>
#include <utility>

namespace windrow::deferral {

/// Whether coroutines that wait on this thread go on elsewhere: on the PE's own.
bool go_on_elsewhere();
/// To be called there when one has: now and then gives memory of coroutines back, which would pile up.
void one_came_from_elsewhere();

} // namespace windrow::deferral

namespace windrow::detail {

/// The rest of a coroutine that waits for a value, as a continuation. Destroyed without running, it destroys
/// the coroutine.
class rest_of_coroutine {
 public:
  rest_of_coroutine() = default;
  explicit rest_of_coroutine(std::coroutine_handle<> rest) : rest_(rest) {}
  rest_of_coroutine(rest_of_coroutine&& other) noexcept : rest_(std::exchange(other.rest_, {})) {}
  rest_of_coroutine& operator=(rest_of_coroutine&& other) noexcept {
    std::swap(rest_, other.rest_);
    return *this;
  }
  ~rest_of_coroutine() {
    if (rest_) rest_.destroy();
  }
  void resume() { std::exchange(rest_, {}).resume(); }

 private:
  std::coroutine_handle<> rest_;
};

/// The rest of a coroutine that waits for a future, on whatever worker. It may lie in the coroutine itself.
class rest_behind_future {
 public:
  rest_behind_future() = default;
  explicit rest_behind_future(std::coroutine_handle<> rest)
      : rest_(rest), from_elsewhere_(deferral::go_on_elsewhere()) {}
  void resume() {
    const bool came = from_elsewhere_;
    rest_.resume();
    if (came) deferral::one_came_from_elsewhere();
  }

 private:
  rest_of_coroutine rest_;
  bool from_elsewhere_ = false;
};

} // namespace windrow::detail
