// SPDX-License-Identifier: BSD-3-Clause
#include "base/fiber_local.hpp"

#include <thread>

namespace windrow::base {

fiber_locals::fiber_locals()
    : values_(fiber_local::first == nullptr ? 0 : fiber_local::first->offset_ + fiber_local::first->bytes_) {}

fiber_locals fiber_locals::of_new_thread() {
  fiber_locals values;
  std::thread([&values] { values.exchange(); }).join();
  return values;
}

void fiber_locals::end() {
  for (const auto* each = fiber_local::first; each != nullptr; each = each->next_)
    if (each->end_ != nullptr) each->end_();
}

} // namespace windrow::base
