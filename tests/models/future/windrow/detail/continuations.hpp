// SPDX-License-Identifier: BSD-3-Clause
// What src/tasks/continuation.cpp uses of include/windrow/detail/continuations.hpp.
#pragma once

#include <memory>

namespace windrow::deferral {

enum class fate;

struct continuations {
  bool run_now() const { return false; }
  template <class Following, class F>
  void run_complete(std::unique_ptr<F>);
};
inline continuations no_continuations;
inline continuations* continuations_of_thread = &no_continuations;

} // namespace windrow::deferral
