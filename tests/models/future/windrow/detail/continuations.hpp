// SPDX-License-Identifier: BSD-3-Clause
// What src/tasks/continuation.cpp uses of include/windrow/detail/continuations.hpp.
#pragma once

namespace windrow::deferral {

enum class fate;

struct continuations {
  bool run_now() const { return false; }
  template <class Following, class Continuation>
  void run_complete(Continuation);
};
inline continuations no_continuations;
inline continuations* continuations_of_thread = &no_continuations;

} // namespace windrow::deferral
