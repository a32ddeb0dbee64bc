// SPDX-License-Identifier: BSD-3-Clause
// Tasks of plain data, which PEs that have nothing to do take from others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

#include "windrow/call.hpp"
#include "windrow/detail/code_address.hpp"
#include "windrow/detail/one_way_call.hpp"
#include "windrow/detail/owner_call.hpp"
#include "windrow/detail/task.hpp"
#include "windrow/types.hpp"

namespace windrow {

namespace tasks {

/// What the calls of portable tasks have in common: the closure of a task begins with it.
struct started_by {
  pe_t from;
};

/// The closure of a portable task, and how it is called.
template <class Closure>
struct portable_call : started_by {
  Closure f;

  [[gnu::visibility("hidden")]] static void run(task& t) {
    auto here = value_at<portable_call>(static_cast<closure_task&>(t).closure);
    if constexpr (std::is_invocable_v<Closure&, const owner&>)
      here.f(owner(own_segment(), here.from));
    else
      here.f();
  }
  static inline const std::uint64_t address =
      aggregation::portable_address(reinterpret_cast<const void*>(&run));
};

/// As much of the text of an exception as travels.
using exception_text = std::array<char, 200>;
/// Of one that has left a portable task on this PE.
exception_text text_of(const std::exception_ptr&);
std::exception_ptr exception_of(const exception_text&);

/// A portable task that calls F, and sends its result home.
template <class F>
struct with_result {
  template <class... Args>
  static auto call([[maybe_unused]] const owner& here, const Args&... args) {
    if constexpr (std::is_invocable_v<F&, const owner&, const Args&...>)
      return F{}(here, args...);
    else
      return F{}(args...);
  }
  template <class... Args>
  void operator()(const owner& here, std::uint64_t address, const Args&... args) const {
    using result = decltype(call(here, args...));
    std::exception_ptr failure;
    try {
      if constexpr (std::is_void_v<result>)
        return call(here, args...), bring<result>(here.from(), address);
      else
        return bring<result>(here.from(), address, call(here, args...));
    } catch (...) { // for whoever asks for the result
      failure = std::current_exception();
    }
    if (is_home(here.from()))
      awaited_result<result>::take(address)->fail(std::move(failure));
    else
      call_one_way(
          here.from(),
          [](std::uint64_t a, const exception_text& text) {
            awaited_result<result>::take(a)->fail(exception_of(text));
          },
          address, text_of(failure));
  }

 private:
  static bool is_home(pe_t pe) { return pe == this_pe("async_portable_future"); }
  template <class R, class... Value>
  static void bring(pe_t home, std::uint64_t address, const Value&... value) {
    if (is_home(home))
      awaited_result<R>::bring(address, value...);
    else
      call_one_way(
          home, [](std::uint64_t a, const Value&... v) { awaited_result<R>::bring(a, v...); }, address,
          value...);
  }
};

} // namespace tasks

/// Starts a task that any PE may run: `f(args…)`, or `f(owner, args…)` (owner_call.hpp), where
/// `owner` gives that PE's copy of symmetric objects. For work whose amount only shows as it is done: a
/// search, a tree, an adaptive mesh.
///
///     struct visit {
///       void operator()(const node& n) const {
///         for (const node& child : children_of(n)) windrow::async_portable(visit(), child);
///       }
///     };
///     windrow::finish([&] { windrow::async_portable(visit(), root); });
///
/// `f` captures nothing, and the arguments are plain bytes without addresses, so a task means the same on all
/// PEs. Arguments take at most 88 bytes; more lies in symmetric memory, and the task has a `global_ptr`.
///
/// It is a task like that of `async`: it belongs to the innermost `finish`, which waits for it wherever it
/// runs, and so do the tasks that it starts there; the barrier of a context and the end of the job wait for
/// it, too. It runs on any worker, may do what tasks may, and makes no collective calls.
///
/// A PE runs its newest task. One that waits (for tasks, in barriers and other collectives, for completion or
/// a value) and has none takes the older half of those of another PE of its host, beginning with the next
/// one. It does so one-sidedly: also while their owner computes for long without calling the library. Where
/// there are none on its host it asks PEs of other hosts, by requests that stand until these have some
/// (Saraswat et al., "Lifeline-based global load balancing", PPoPP 2011); PEs answer between tasks and in
/// other calls of the library. A finish ends when its PE hears of the end of tasks that others have run, in a
/// wait or another call of the library.
///
/// Up to 2048 of a PE wait. Who starts one more runs it at once; handlers, light threads and who has half of
/// its stack in use start an `async` in its place, and so does, in any case, what keeps a handler from
/// returning.
///
/// An exception of a task that another PE has run is rethrown by `finish` as a windrow::error of the same
/// text, of which the first 160 bytes travel in any case, and "…" says that there were more, and behind it
/// " (in a portable task on PE 3)"; of one that belongs to no finish, it ends the job.
template <class F, transferable... Args>
void async_portable(F, const Args&... args) {
  static_assert(
      std::is_invocable_v<F&, const Args&...> || std::is_invocable_v<F&, const owner&, const Args&...>,
      "a portable task takes the arguments, or a const owner& and the arguments");
  const auto closure = aggregation::with_arguments<F>(args...);
  using call = tasks::portable_call<std::remove_const_t<decltype(closure)>>;
  static_assert(sizeof(call) <= tasks::closure_task::inline_bytes && alignof(call) <= 16,
                "the arguments of a portable task take at most 88 bytes: put more into symmetric memory, and "
                "hand over a global_ptr");
  tasks::portable_task t{call::run, call::address, nullptr, {}};
  new (t.closure) call{{tasks::this_pe("async_portable")}, closure};
  tasks::start(t);
}

/// Starts a portable task whose result is wanted, which is plain bytes without addresses, at most 248, or
/// void. The task belongs to a finish like any other. Its result, or its exception, comes by a message if
/// another PE has run it; the latter is a windrow::error then, as that of a finish. Arguments take at most 80
/// bytes. Who waits for the future, on this PE, runs other tasks meanwhile, stolen ones too.
///
///     struct leaves {
///       std::uint64_t operator()(const node& n) const {
///         if (n.is_small()) return leaves_below(n);
///         const auto left = windrow::async_portable_future(leaves(), n.left());
///         return (*this)(n.right()) + left.get();
///       }
///     };
template <class F, transferable... Args>
auto async_portable_future(F, const Args&... args) {
  static_assert(
      std::is_invocable_v<F&, const Args&...> || std::is_invocable_v<F&, const owner&, const Args&...>,
      "a portable task takes the arguments, or a const owner& and the arguments");
  using call = tasks::with_result<F>;
  using result = decltype(call::call(std::declval<const owner&>(), args...));
  static_assert(std::is_void_v<result> || transferable<result>,
                "the result of a portable task is plain bytes without addresses");
  const auto state = tasks::awaited_result<result>::make();
  async_portable(call(), state->address(), args...);
  return future<result>(state);
}

} // namespace windrow
