// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/promise.hpp"

#include <fmt/format.h>

#include <exception>

#include "base/fatal.hpp"
#include "tasks/pool.hpp"
#include "windrow/error.hpp"

namespace windrow::tasks {

// Where nobody waits, the job may have ended before.
void future_state::break_off() {
  const bool is_awaited =
      follow_.load(std::memory_order_relaxed) != nullptr || weak_from_this().use_count() > 1;
  if (ready() || !is_awaited) return;
  if (maker_.siblings().is_ending() || std::uncaught_exceptions() > 0) return abandon();
  fail(std::make_exception_ptr(
      error("a future waits for the result of a promise, which has ended without one")));
}

void refuse_used_promise(const char* call) {
  base::fatal(fmt::format("promise: {} of a promise that has a result already, or was moved from", call));
}

} // namespace windrow::tasks
