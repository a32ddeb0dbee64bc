// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <coroutine>
#include <utility>

namespace windrow::detail {

/// The rest of a coroutine that waits for a value, as a continuation. Destroyed without running, it destroys
/// the coroutine.
class rest_of_coroutine {
 public:
  explicit rest_of_coroutine(std::coroutine_handle<> rest) : rest_(rest) {}
  rest_of_coroutine(rest_of_coroutine&& other) noexcept : rest_(std::exchange(other.rest_, {})) {}
  rest_of_coroutine& operator=(rest_of_coroutine&&) = delete;
  ~rest_of_coroutine() {
    if (rest_) rest_.destroy();
  }
  void resume() { std::exchange(rest_, {}).resume(); }

 private:
  std::coroutine_handle<> rest_;
};

} // namespace windrow::detail
