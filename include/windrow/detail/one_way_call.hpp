// SPDX-License-Identifier: BSD-3-Clause
// A remote call that nothing comes back from: a message of the library to itself on another PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "windrow/call.hpp"
#include "windrow/detail/code_address.hpp"
#include "windrow/detail/lanes.hpp"
#include "windrow/detail/owner_call.hpp"
#include "windrow/types.hpp"

namespace windrow::tasks {

/// What one-way calls of one function with arguments of some types have in common. An item is the closure.
template <class Closure>
class one_way_call {
 public:
  static void send(pe_t to, const Closure& f) {
    auto& lanes = *aggregation::lanes_of_thread;
    lanes.require_pe(to);
    std::memcpy(lanes.room_for_call(function, to).take(bytes), &f, sizeof f);
  }

 private:
  static constexpr std::uint32_t bytes = (sizeof(Closure) + 7) / 8 * 8;
  static_assert(bytes <= 256, "arguments of a remote call take at most 256 bytes");

  [[gnu::visibility("hidden")]] static void run(aggregation::run_header& r, const aggregation::work& w,
                                                void*) noexcept {
    const owner here(w.segment, w.from);
    const auto* item = r.items();
    for (auto left = r.count; left > 0; --left, item += bytes) {
      auto f = value_at<Closure>(item);
      if constexpr (std::is_invocable_v<Closure&, const owner&>)
        f(here);
      else
        f();
    }
  }

  static inline const aggregation::remote_function function{
      aggregation::next_function_number(), bytes, 0,
      aggregation::portable_address(reinterpret_cast<const void*>(&run)), 0};
};

/// As `windrow::call`, but for the result: there is none, no future, and nothing to keep until the call has
/// returned, which it never does where the job ends before.
template <class F, transferable... Args>
void call_one_way(pe_t to, F, const Args&... args) {
  const auto closure = aggregation::with_arguments<F>(args...);
  one_way_call<std::remove_const_t<decltype(closure)>>::send(to, closure);
}

} // namespace windrow::tasks
