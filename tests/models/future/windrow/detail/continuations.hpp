// SPDX-License-Identifier: BSD-3-Clause
// What src/tasks/continuation.cpp uses of include/windrow/detail/continuations.hpp.
#pragma once

#include <memory>

namespace windrow::deferral {

enum class fate;

struct continuations {
  template <class Following, class F>
  void run_complete(std::unique_ptr<F>);
};
inline continuations* continuations_of_thread = nullptr;

} // namespace windrow::deferral
