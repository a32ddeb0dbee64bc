// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "windrow/detail/lanes.hpp"
#include "windrow/detail/owner_call.hpp"
#include "windrow/task.hpp"
#include "windrow/types.hpp"

namespace windrow {

namespace tasks {

/// The value whose bytes lie there.
template <class T>
T value_at(const std::byte* from) {
  struct {
    std::byte content[sizeof(T)];
  } raw;
  std::memcpy(&raw, from, sizeof raw);
  return std::bit_cast<T>(raw);
}

/// What calls of one function with arguments of some types have in common. An item is the closure, and when
/// it comes home the result. The note about it is the address of the future's state.
template <class Closure>
class remote_call {
 public:
  using result = typename std::conditional_t<std::is_invocable_v<Closure&, const owner&>,
                                             std::invoke_result<Closure&, const owner&>,
                                             std::invoke_result<Closure&>>::type;
  static_assert(std::is_void_v<result> || transferable<result>,
                "the result of a remote call is plain bytes without addresses");

  static future<result> send(pe_t to, const Closure& f) {
    auto& lanes = *aggregation::lanes_of_thread;
    lanes.require_pe(to);
    const auto state = awaited_result<result>::make();
    auto& w = lanes.room_for_call(function, to);
    auto* const item = w.take(bytes);
    std::memcpy(item, &f, sizeof f);
    const auto note = state->address();
    std::memcpy(w.note_of(item), &note, sizeof note);
    return future<result>(state);
  }

 private:
  static constexpr std::size_t result_bytes() {
    if constexpr (std::is_void_v<result>)
      return 0;
    else
      return sizeof(result);
  }
  // Notes are addresses, one for each item.
  static constexpr std::uint32_t bytes =
      (std::max({sizeof(Closure), result_bytes(), sizeof(std::uint64_t)}) + 7) / 8 * 8;
  static_assert(bytes <= 256, "arguments and result of a remote call take at most 256 bytes each");

  [[gnu::visibility("hidden")]] static void run(aggregation::run_header& r, const aggregation::work& w,
                                                void*) noexcept {
    const owner here(w.segment, w.from);
    auto* item = r.items();
    for (auto left = r.count; left > 0; --left, item += bytes) answer(item, here);
  }
  static void answer(std::byte* item, const owner& here) {
    auto f = value_at<Closure>(item);
    const auto call = [&]() -> result {
      if constexpr (std::is_invocable_v<Closure&, const owner&>)
        return f(here);
      else
        return f();
    };
    if constexpr (std::is_void_v<result>) {
      call();
    } else {
      const result value = call();
      std::memcpy(item, &value, sizeof value);
    }
  }
  static void deliver(aggregation::run_header& r, const std::byte* note) {
    const auto* item = r.items();
    for (auto left = r.count; left > 0; --left, item += bytes, note += bytes) {
      const auto address = value_at<std::uint64_t>(note);
      if constexpr (std::is_void_v<result>)
        awaited_result<result>::bring(address);
      else
        awaited_result<result>::bring(address, value_at<result>(item));
    }
  }

  static inline const aggregation::remote_function function{
      aggregation::next_function_number(), bytes, true,
      aggregation::portable_address(reinterpret_cast<const void*>(&run)),
      reinterpret_cast<std::uint64_t>(&deliver)};
};

} // namespace tasks

/// Calls `f(args…)`, or `f(owner, args…)` (owner_call.hpp), on PE `to`, and gives the future of its result.
///
///   windrow::future<int> answer = windrow::call(pe, [](int a, int b) { return a + b; }, 19, 23);
///
/// `f` captures nothing, so nothing travels but the arguments; arguments and result are plain bytes without
/// addresses, at most 256 bytes each. Calls travel in bulk like aggregated operations. One leaves when its
/// block is full, when this PE waits for a future, for tasks or for other PEs (in a barrier, too), or at
/// completion, which returns when the results of all calls are there. `f` runs as handlers of messages do: on
/// the owner's own thread, one at a time, inside library calls there. It may send, start tasks and call on,
/// but not wait or use atomic operations that are not aggregated, which ends the job, nor throw: an exception
/// that leaves it terminates the owner's process (std::terminate), and so the job.
///
/// Calls of one `f` with arguments of the same types that main code, one task, or the handlers of a PE send
/// to one PE run there in the order in which they were sent; others in any order.
///
/// To be called by the PE's thread, in tasks and in handlers. The documentation of `future` says who may wait
/// for it.
template <class F, transferable... Args>
auto call(pe_t to, F, const Args&... args) {
  static_assert(
      std::is_invocable_v<F&, const Args&...> || std::is_invocable_v<F&, const owner&, const Args&...>,
      "a function that is called elsewhere takes the arguments, or a const owner& and the arguments");
  const auto closure = aggregation::with_arguments<F>(args...);
  using request = tasks::remote_call<std::remove_const_t<decltype(closure)>>;
  return request::send(to, closure);
}

} // namespace windrow
