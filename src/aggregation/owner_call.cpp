// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/detail/owner_call.hpp"

#include <atomic>

#include "aggregation/run.hpp"

namespace windrow::aggregation {

namespace {

void call(run_header& run, const work& w, void*) {
  reinterpret_cast<run_function>(const_cast<void*>(local_address(run.operand)))(run, w, nullptr);
}

// The header comes home as it left, so the argument is an address of this process.
void take_replies(run_header& run, const std::byte* notes) {
  reinterpret_cast<decltype(kind_entry::deliver)>(run.argument)(run, notes);
}

} // namespace

const kind_entry called_functions{.apply = call, .gated = true};
const kind_entry answering_functions{.apply = call, .deliver = take_replies, .gated = true};

std::uint32_t next_function_number() {
  static std::atomic<std::uint32_t> numbers = 0;
  return numbers.fetch_add(1, std::memory_order_relaxed);
}

} // namespace windrow::aggregation
