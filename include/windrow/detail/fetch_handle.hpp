// SPDX-License-Identifier: BSD-3-Clause
// What fetching operations without a place for the result return. Included by context.hpp; deferred.hpp says
// what it means.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "windrow/context.hpp"
#include "windrow/detail/continuations.hpp"
#include "windrow/detail/notes.hpp"
#include "windrow/detail/owner_call.hpp"
#include "windrow/detail/rest_of_coroutine.hpp"

namespace windrow {

namespace detail {

template <class T, class Fetch>
class fetch_awaiter;

} // namespace detail

namespace deferral {

/// Values that are kept outside of queues and records.
template <class T>
inline constexpr bool is_large = sizeof(T) > largest_closure || alignof(T) > closure_alignment;

template <class T>
T& seen(large_value<T>& slot) {
  return slot.get();
}
template <class T>
T& seen(detail::uninitialized<T>& slot) {
  return slot.value;
}

/// Where a slot has its value.
template <class T>
T& value_in(T& slot) {
  return slot;
}
template <class T>
T& value_in(detail::uninitialized<T>& slot) {
  return slot.value;
}

/// Has a value that was there at once.
template <class T, class F>
struct large_value_closure {
  template <class From>
  large_value_closure(std::in_place_t, large_value<T>&& v, From&& from)
      : value(std::move(v)), f(std::forward<From>(from)) {}

  void run(fate) { f(std::move(value.get())); }

  large_value<T> value;
  F f;
};

} // namespace deferral

/// A fetching operation that has not been issued yet. Lives no longer than the statement that makes it.
template <aggregation::verb V, transferable T>
class [[nodiscard("nothing is fetched before then, then_at_owner, when_all, get or co_await")]] fetch_handle {
 public:
  using value_type = T;
  /// What keeps it until a continuation of several runs, in a record.
  using slot_type =
      std::conditional_t<deferral::is_large<T>, deferral::large_value<T>,
                         std::conditional_t<std::default_initializable<T>, T, detail::uninitialized<T>>>;
  using kept_type = T; ///< what a coroutine gets

  template <class... Operands>
  fetch_handle(context& ctx, global_ref<T> at, Operands... operands)
      : ctx_(&ctx), at_(at), operands_{operands...} {}

  /// Issues the operation; `f(value)` runs when the value is there.
  template <class F>
  WINDROW_INLINE void then(F&& f) && {
    using closure = std::decay_t<F>;
    static_assert(std::invocable<closure&, T>, "a continuation takes the value of the operation");
    if constexpr (!deferral::fits_queue<closure>)
      std::move(*this).then(deferral::kept_closure<closure, T>(continuations(), std::forward<F>(f)));
    else if constexpr (std::is_lvalue_reference_v<F> && !std::is_nothrow_constructible_v<closure, F>)
      std::move(*this).then(closure(f)); // what throws does so before the operation is issued
    else
      with_operands([&](auto... operands) WINDROW_INLINE_LAMBDA { issue(std::forward<F>(f), operands...); });
  }

  /// Issues the operation and sends `f` with it: the owner of the place calls `f(value)`, `f(value, owner)`
  /// or `f(value, place, owner)`. See deferred.hpp.
  template <class F>
  WINDROW_INLINE void then_at_owner(F f) && {
    static_assert(std::is_trivially_copyable_v<F>, "what runs at the owner travels there as plain bytes");
    static_assert(
        aggregation::runs_at_owner<F, T>,
        "what runs at the owner takes the value, or the value and a const owner&, with the place in "
        "between if that has an arithmetic type");
    static_assert(sizeof(F) <= largest_sent_closure, "what runs at the owner captures at most 256 bytes");
    static_assert(travels, "the owner carries out operations on values of 1, 2, 4 and 8 bytes");
    with_operands([&](auto... operands) WINDROW_INLINE_LAMBDA { issue_at_owner(f, operands...); });
  }

  /// A function that captures nothing: the owner calls `f(value, args…)`, `f(value, owner,
  /// args…)` or `f(value, place, owner, args…)`. So nothing travels but what is named here.
  template <class F, transferable... Args>
    requires(sizeof...(Args) > 0)
  WINDROW_INLINE void then_at_owner(F, const Args&... args) && {
    std::move(*this).then_at_owner(aggregation::with_arguments<F>(args...));
  }

  /// Issues the operation, waits for its value, as for a future (task.hpp), and returns it. A light thread is
  /// suspended, on whatever worker it runs. Sending and waiting for one value at a time is what `then` and
  /// `co_await` avoid.
  /// (synchronization.hpp)
  T get() &&;

  auto operator co_await() && { return detail::fetch_awaiter<T, fetch_handle>(std::move(*this)); }

  // For what is made of handles.

  /// Fetches the value if that is possible at once.
  bool fetch_at_once(T& value) {
    if (is_sent_as_range()) return false;
    return with_operands([&](auto... operands)
                             WINDROW_INLINE_LAMBDA { return fetch_now(value, operands...); });
  }
  /// Issues the operation; counts down what is pending for the record when `*slot` is there.
  void fetch_into(slot_type* slot, void* payload) {
    if constexpr (is_range)
      if (is_sent_as_range()) return fetch_range_into(*slot, deferral::pending_of(payload));
    with_operands([&](auto... operands) {
      if constexpr (deferral::is_large<T>)
        *slot = fetch_large(); // it does not travel
      else
        issue_joined(&deferral::value_in(*slot), deferral::pending_of(payload), operands...);
    });
  }
  deferral::continuations& continuations() const { return *deferral::continuations_of_thread; }

 private:
  static constexpr unsigned count = aggregation::operands_of(V);
  static constexpr bool travels = context::fits_item<T>;

  template <class Use>
  WINDROW_INLINE decltype(auto) with_operands(Use use) {
    if constexpr (count == 0)
      return use();
    else if constexpr (count == 1)
      return use(operands_[0]);
    else
      return use(operands_[0], operands_[1]);
  }

  /// Values that are no words travel as ranges of one element.
  static constexpr bool is_range = V == aggregation::verb::fetch && !travels;
  range_handle<T> as_range() const { return {*ctx_, &at_, 1}; }
  bool is_sent_as_range() const {
    if constexpr (is_range)
      return as_range().is_sent();
    else
      return false;
  }
  template <class F>
  void send_as_range(F&& f) {
    as_range().then([f = std::decay_t<F>(std::forward<F>(f))](std::span<const T> value) mutable {
      f(std::move(const_cast<T&>(value.front()))); // in memory of the fetch's own
    });
  }
  void fetch_range_into(slot_type& slot, std::uint32_t* pending) {
    if constexpr (deferral::is_large<T>) {
      slot = deferral::large_value<T>(continuations());
      as_range().send_into(&slot.get(), pending);
    } else {
      as_range().send_into(&deferral::value_in(slot), pending);
    }
  }

  using carrier = aggregation::carrier<T>;
  static constexpr auto comes_from = V == aggregation::verb::fetch && travels
                                         ? deferral::source::load_or_message
                                         : deferral::source::message;

  template <class F, class... Operands>
  WINDROW_INLINE void issue(F&& f, Operands... operands) {
    if constexpr (is_range)
      if (is_sent_as_range()) return send_as_range(std::forward<F>(f));
    if constexpr (deferral::is_large<T>)
      issue_large(std::forward<F>(f));
    else
      issue_small(std::forward<F>(f), operands...);
  }
  template <class F>
  void issue_large(F&& f) {
    continuations().keep_bound();
    continuations().template run_complete<deferral::large_value_closure<T, std::decay_t<F>>>(
        fetch_large(), std::forward<F>(f));
  }
  template <class F, class... Operands>
  WINDROW_INLINE void issue_small(F&& f, Operands... operands) {
    using closure = deferral::queued_closure<T, comes_from, std::decay_t<F>>;
    if constexpr (travels) {
      if constexpr (V == aggregation::verb::fetch)
        if (ctx_->loads_from_ != nullptr)
          return continuations().template load<closure>(
              detail::loadable_place(*ctx_->loads_from_, at_, "get"), std::forward<F>(f));
      if (ctx_->sending_) [[likely]]
        return send<closure>(context::lanes(), std::forward<F>(f), context::carry(operands)...);
    }
    detail::uninitialized<T> value;
    if (fetch_now(value.value, operands...))
      return continuations().template run<closure>(value.value, std::forward<F>(f));
    if constexpr (travels) send<closure>(context::lanes(), std::forward<F>(f), context::carry(operands)...);
  }

  static constexpr std::size_t largest_sent_closure = 256;

  template <class F, class... Operands>
  WINDROW_INLINE void issue_at_owner(F& f, Operands... operands) {
    if (ctx_->sending_) [[likely]]
      return send_to_owner(f, operands...);
    if constexpr (V != aggregation::verb::fetch) {
      T before;
      if (ctx_->style_ == aggregate && ctx_->job_->map().now() != detail::running::handler &&
          fetch_now(before, operands...))
        return call_here(f, before);
    }
    send_to_owner(f, operands...);
    if (ctx_->style_ != aggregate) ctx_->complete_if_allowed();
  }
  /// In a job of one PE. As in a handler, where what the closure sends to this PE is a message: so closures
  /// that go on do not nest.
  template <class F>
  WINDROW_INLINE void call_here(F& f, T before) {
    auto* const segment = context::lanes().own_segment();
    auto& place = *reinterpret_cast<carrier*>(segment + at_.offset());
    auto& map = ctx_->job_->map();
    const auto interrupted = map.begin(detail::running::handler);
    aggregation::call_at_owner(f, before, place, owner(segment, 0));
    map.begin(interrupted);
  }
  template <class F, class... Operands>
  WINDROW_INLINE void send_to_owner(F& f, Operands... operands) {
    auto& lanes = context::lanes();
    constexpr auto width_log2 = static_cast<unsigned>(std::countr_zero(sizeof(T)));
    const auto index = at_.checked() ? at_.offset() >> width_log2
                                     : lanes.require_place(at_.owner(), at_.offset(), width_log2);
    if (lanes.has_narrow_places(width_log2)) [[likely]]
      send_call<std::uint32_t>(lanes, index, f, operands...);
    else
      send_call<std::uint64_t>(lanes, index, f, operands...);
  }
  // As with operands: while a run with one closure is open, others travel with their items.
  template <class Index, class F, class... Operands>
  WINDROW_INLINE void send_call(aggregation::lanes& lanes, std::uint64_t index, const F& f,
                                Operands... operands) {
    using aggregation::captures;
    using call = aggregation::owner_call<V, T, F, Index, captures::in_items>;
    const auto send_in = [&](aggregation::writer& w) {
      call::write(w.take(call::bytes), index, f, context::carry(operands)...);
    };
    if constexpr (aggregation::fits_header<F>) {
      using same = aggregation::owner_call<V, T, F, Index, captures::in_header>;
      auto* const w =
          lanes.room_for_call(same::function, at_.owner(), aggregation::to_argument(f), call::function);
      if (w != nullptr) [[likely]]
        return same::write(w->take(same::bytes), index, f, context::carry(operands)...);
      send_in(lanes.room_for_other_call(same::function, at_.owner(), call::function));
    } else {
      send_in(lanes.room_for_call(call::function, at_.owner()));
    }
  }

  // The closure is queued in the moment in which its item is stored: nothing of the engine comes between.
  template <class Closure, class F, class... Operands>
  WINDROW_INLINE void send(aggregation::lanes& lanes, F&& f, Operands... operands) {
    const auto to = at_.owner();
    auto& waiting = deferral::answers_of_thread[to];
    auto index = at_.offset() / sizeof(T);
    const bool exists = at_.checked() || lanes.template find_place<carrier>(to, at_.offset(), index);
    if (__builtin_expect(exists, 1) == 0 ||
        !aggregation::try_extend<V, carrier, Closure>(waiting.asked, index, operands...)) [[unlikely]]
      append_slowly<Closure>(continuations(), lanes, to, at_.offset(), operands...);
    deferral::continuations::queue<Closure>(waiting, std::forward<F>(f));
  }
  // No member: the handle need not be in memory.
  template <class Closure, class... Operands>
  __attribute__((noinline)) static void append_slowly(deferral::continuations& all, aggregation::lanes& lanes,
                                                      pe_t to, std::uint64_t offset, Operands... operands) {
    all.keep_bound();
    const auto room = lanes.template room_for<V, carrier>(to, offset, operands...);
    auto& waiting = all.answers()[to];
    waiting.asked.close();
    all.template require_room<Closure>(waiting);
    const auto closures = static_cast<std::size_t>(waiting.limit - waiting.tail()) / sizeof(Closure);
    aggregation::begin_stretch<V, carrier, Closure>(waiting.asked, *room.in, room.kind, sizeof(Closure),
                                                    closures, offset / sizeof(T), operands...);
  }

  deferral::large_value<T> fetch_large() {
    deferral::large_value<T> value(continuations());
    windrow::get(*ctx_->job_, &at_, std::span(&value.get(), 1));
    return value;
  }
  template <class... Operands>
  WINDROW_INLINE bool fetch_now(T& value, Operands... operands) {
    if (!travels || ctx_->style_ != aggregate) {
      std::construct_at(&value, detail::operate<V>(*ctx_->job_, at_, operands...));
      return true;
    }
    if constexpr (travels && V != aggregation::verb::fetch)
      return ctx_->changing_ != nullptr &&
             ctx_->template try_change_own<V>(at_, &value, context::carry(operands)...);
    else
      return false;
  }

  template <class... Operands>
  void issue_joined(T* slot, std::uint32_t* pending, Operands... operands) {
    if (fetch_now(*slot, operands...)) return;
    if constexpr (travels) {
      ++*pending;
      if constexpr (V == aggregation::verb::fetch)
        if (ctx_->loads_from_ != nullptr) {
          continuations().loads().add(
              {detail::direct_target(*ctx_->job_, at_, "get"), slot, pending, sizeof(T), sizeof(T)});
          return;
        }
      auto* note = aggregation::counted_note(reinterpret_cast<aggregation::carrier<T>*>(slot), pending);
      ctx_->template append_note<V>(context::lanes(), at_, note, context::carry(operands)...);
    }
  }

  context* ctx_;
  global_ref<T> at_;
  std::array<T, count> operands_;
};

namespace detail {

/// What a coroutine gets of a value: a range is only there while a continuation runs.
template <class T>
T kept(T value) {
  return value;
}
template <class T>
std::vector<T> kept(std::span<const T> values) {
  return {values.begin(), values.end()};
}

template <class T, class Fetch>
class fetch_awaiter {
 public:
  explicit fetch_awaiter(Fetch fetch) : fetch_(std::move(fetch)) {}

  bool await_ready() {
    if constexpr (requires(T& value) { fetch_.fetch_at_once(value); })
      return fetch_at_once();
    else
      return false;
  }
  void await_suspend(std::coroutine_handle<> rest) {
    std::move(fetch_).then(go_on{this, rest_of_coroutine(rest)});
  }
  T await_resume() {
    if constexpr (is_assigned)
      return std::move(value_);
    else
      return std::move(*value_);
  }

 private:
  /// Else it is made when it is there.
  static constexpr bool is_assigned = std::default_initializable<T> && std::is_move_assignable_v<T>;

  bool fetch_at_once() {
    if constexpr (is_assigned) {
      return fetch_.fetch_at_once(value_);
    } else {
      uninitialized<T> value;
      if (!fetch_.fetch_at_once(value.value)) return false;
      value_.emplace(value.value);
      return true;
    }
  }

  /// The continuation.
  struct go_on {
    fetch_awaiter* awaiter;
    rest_of_coroutine rest;

    template <class... Values>
    void operator()(const Values&... values) {
      if constexpr (is_assigned)
        awaiter->value_ = T(kept(values)...);
      else
        awaiter->value_.emplace(kept(values)...);
      rest.resume();
    }
  };

  Fetch fetch_;
  std::conditional_t<is_assigned, T, std::optional<T>> value_{};
};

} // namespace detail

} // namespace windrow
