// SPDX-License-Identifier: BSD-3-Clause
// Code that waits for fetched values, written where it belongs: continuations, `when_all`, coroutines.
//
//   ctx.fetch_add(next[column], 1).then([=, &ctx](std::uint64_t place) { ctx.put(rows[place], row); });
//
//   windrow::when_all(ctx.get(a[i]), ctx.get(b[j])).then([&](int x, int y) { sum += x * y; });
//
//   ctx.get(row, length).then([&](std::span<const int> elements) { sum += total(elements); });
//
//   windrow::deferred place(context& ctx, …) {
//     const auto place = co_await ctx.fetch_add(next[column], 1);
//     ctx.put(rows[place], row);
//   }
//
// On an aggregated context the operation travels in bulk and the continuation runs when its value has come,
// at the latest in `barrier`, which returns when all continuations have run, and those that they led to. On
// the other contexts it runs at once.
//
// *Where continuations run.* On the PE's thread, one at a time, inside calls of the library: in operations of
// aggregated contexts, streams and mailboxes, when they need room for more; where it waits for tasks and
// futures; and in `complete_own`, `barrier` and the end of the job. Never in a handler of messages, and never
// inside another continuation: what would run there runs when that has ended.
//
// *What they may do.* Everything but wait and throw: use any context, send, and defer more. A completion,
// barrier, collective, `finish` or wait in a continuation ends the job with a sentence.
//
// *Order.* Continuations of operations that travel to one PE run in the order in which the operations were
// issued. Between PEs there is no order, nor between those and loads that do not travel (`get` and
// `atomic_fetch` where PEs share memory), which have an order of their own. `when_all` has again one of its
// own. The operations themselves happen in the order in which they were issued if they travel to one PE, are
// equal but for places and operands, and go on in the same way: by continuations, or by closures of one type
// at the owner.
//
// *Ranges.* `get(place, count)` fetches elements that lie one behind the other. Its continuation takes a
// std::span<const T>, whose elements stay, and do not change, until it returns; `co_await` gives a
// std::vector<T>. Elements of 1, 2, 4 and 8 bytes are read whole, each at some time between the call and the
// continuation. In loadable memory a range waits as an address and a length. Otherwise room for the values is
// allocated, which counts as what waits does, and they travel in pieces; the continuation has the place in
// the order that the last of them has.
//
// *Memory.* A continuation is stored with what it captures, and its value, without an allocation if each of
// these is at most 512 bytes. What it refers to, the context among it, must live until it has run. A PE that
// defers while more than WINDROW_DEFER_LIMIT bytes wait (16M, less where PEs share processors) first sends
// what is under way and runs what is answered, until less than half of that waits. Continuations and
// handlers, which cannot wait, may take eight times the limit more; beyond, the job ends with a sentence.
// `job::stats` counts all that.
//
// *At the owner.* If all that a continuation touches lies with the place itself, send it there:
//
//   ctx.fetch_inc(next[column]).then_at_owner([=](std::uint64_t place, const windrow::owner& here) {
//     here.local(rows)[place] = row;       // `rows` is a windrow::symmetric<std::uint64_t>
//   });
//
// The safe form has a function that captures nothing, and its values as arguments behind the others:
//
//   ctx.fetch_inc(next[column]).then_at_owner(
//       [](std::uint64_t place, const windrow::owner& here, windrow::symmetric<int> rows, int row) {
//         here.local(rows)[place] = row;
//       }, windrow::symmetric(rows), row);
//
// Operation and closure travel as one item, no answer comes back, and the owner works on blocks of them in
// place. Captures of up to 8 bytes that are the same for many operations travel once for a block of them. The
// closure may also take a reference to the place, which has its new value, between value and owner. The
// closure runs there as handlers of messages do, at the latest in `barrier`, one at a time. It must be
// trivially copyable, with captures that mean the same on every PE: values, `global_ptr`, `symmetric`; no
// references, no addresses, no arrays (their `storage()` is a `global_ptr`). It may use the owner's memory by
// plain loads and stores, and do what handlers may do that way: issue operations of the owner's aggregated
// contexts (whose address it can find in the owner's memory), defer included, but neither wait nor use atomic
// operations that are not aggregated. All PEs must run the same program. On contexts that do
// not aggregate the call returns when that has happened, except in continuations and handlers, which cannot
// wait.
//
// Code is deferred by the PE's own thread only: in tasks, by those that were given to the communication
// worker. What is sent to the owner (`then_at_owner`) may be sent by every task.
#pragma once

#include <array>
#include <coroutine>
#include <cstddef>
#include <new>
#include <tuple>
#include <utility>

#include "windrow/context.hpp"

namespace windrow {

/// Several fetching operations of contexts of one job, whose values one continuation takes.
template <class... Fetches>
class [[nodiscard("nothing is fetched before then, get or co_await")]] joined_fetches {
 public:
  explicit joined_fetches(Fetches... fetches) : fetches_(std::move(fetches)...) {}

  /// Issues the operations; `f(values…)` runs when all are there.
  template <class F>
  void then(F f) && {
    static_assert(deferral::pending_before_payload + deferral::closure_alignment + sizeof(all_slots) <=
                      aggregation::farthest_slot,
                  "when_all takes no more results than fit into 64 KB");
    auto& all = std::get<0>(fetches_).continuations();
    if constexpr (alignof(F) > deferral::closure_alignment) {
      std::move(*this).then(kept<F>(all, std::move(f)));
    } else {
      using waiting = payload<F>;
      auto* p = new (all.support().open_joined(waiting::run, sizeof(waiting)))
          waiting{waiting::drop, {}, std::move(f)};
      std::apply([p](auto&... fetch) { fetch_all(*p, std::index_sequence_for<Fetches...>(), fetch...); },
                 fetches_);
      all.support().commit_joined(p);
    }
  }

  auto operator co_await() && { return detail::fetch_awaiter<values, joined_fetches>(std::move(*this)); }

  using values = std::tuple<typename Fetches::kept_type...>;
  /// Issues the operations, waits for their values, as for a future (task.hpp), and returns them.
  /// (when_all.hpp)
  values get() &&;

 private:
  using all_slots = std::tuple<typename Fetches::slot_type...>;

  template <class F>
  using kept =
      deferral::kept_closure<F, decltype(deferral::seen(std::declval<typename Fetches::slot_type&>()))...>;

  template <class F>
  struct alignas(deferral::closure_alignment) payload {
    deferral::drop_function drop_this;
    all_slots slots;
    F f;

    static void drop(void* p) { static_cast<payload*>(p)->~payload(); }
    static void run(void* p) noexcept {
      auto& self = *static_cast<payload*>(p);
      std::apply([&](auto&... slots) { self.f(deferral::seen(slots)...); }, self.slots);
      self.~payload();
    }
  };

  template <class Payload, std::size_t... I>
  static void fetch_all(Payload& p, std::index_sequence<I...>, Fetches&... fetches) {
    (fetches.fetch_into(&std::get<I>(p.slots), &p), ...);
  }

  std::tuple<Fetches...> fetches_;
};

/// One continuation for several fetching operations. They may go to different PEs, and through different
/// contexts. With futures among them it is that of when_all.hpp.
template <class... Fetches>
  requires(sizeof...(Fetches) > 0 && (requires { typename Fetches::slot_type; } && ...))
joined_fetches<Fetches...> when_all(Fetches... fetches) {
  return joined_fetches<Fetches...>(std::move(fetches)...);
}

namespace deferral {

/// Memory of coroutines that have ended on this thread, by size in units.
struct free_frame {
  free_frame* next;
};
inline constexpr std::size_t frame_unit = 64, largest_frame = 1024;
inline constinit thread_local std::array<free_frame*, largest_frame / frame_unit + 1> free_frames{};

constexpr std::size_t frame_units(std::size_t bytes) {
  return (bytes + frame_unit - 1) / frame_unit;
}
/// Where no memory of that size is free. Rather than take more of it than the limit, lets others end that
/// wait for answers, if they can.
void* make_frame(std::size_t bytes);
void delete_large_frame(void* frame, std::size_t bytes);

/// Ends the job: the exception that is being handled has left a coroutine. Its caller, who may have gone on
/// long ago, does not get it in any case.
[[noreturn]] void refuse_exception_of_coroutine();

/// Memory for a coroutine.
inline void* new_frame(std::size_t bytes) {
  if (bytes > largest_frame) return make_frame(bytes);
  auto& list = free_frames[frame_units(bytes)];
  if (list == nullptr) [[unlikely]]
    return make_frame(bytes);
  return std::exchange(list, list->next);
}
inline void delete_frame(void* frame, std::size_t bytes) {
  if (bytes > largest_frame) return delete_large_frame(frame, bytes);
  auto& list = free_frames[frame_units(bytes)];
  list = new (frame) free_frame{list};
}

} // namespace deferral

/// The type of coroutines that wait for fetched values: `co_await` on a fetching operation, or on `when_all`,
/// which gives a tuple. A call runs up to the first value that is not there yet and returns; the rest is a
/// continuation. What parameters refer to must live until it has ended. An exception that leaves it ends the
/// job. One that has not ended when the job fails is destroyed. A call may first run continuations: where
/// coroutines that wait have more memory than WINDROW_DEFER_LIMIT, some of them end before another one
/// begins.
class deferred {
 public:
  struct promise_type {
    deferred get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    [[noreturn]] void unhandled_exception() { deferral::refuse_exception_of_coroutine(); }

    static void* operator new(std::size_t bytes) { return deferral::new_frame(bytes); }
    static void operator delete(void* frame, std::size_t bytes) { deferral::delete_frame(frame, bytes); }
  };
};

} // namespace windrow
