// SPDX-License-Identifier: BSD-3-Clause
// What fetching operations without a place for the result return. Included by context.hpp; deferred.hpp says
// what it means.
#pragma once

#include <array>
#include <bit>
#include <coroutine>
#include <cstdint>
#include <utility>

#include "windrow/context.hpp"
#include "windrow/detail/continuations.hpp"
#include "windrow/detail/notes.hpp"

namespace windrow {

namespace detail {

template <class T, class Fetch>
class fetch_awaiter;

/// The operation, carried out directly.
template <aggregation::verb V, class T, class... Operands>
T fetch_directly(job& j, global_ref<T> at, Operands... operands) {
  using aggregation::verb;
  if constexpr (V == verb::fetch && atomic_value<T>)
    return windrow::atomic_fetch(j, at);
  else if constexpr (V == verb::fetch)
    return windrow::get(j, at);
  else if constexpr (V == verb::fetch_add)
    return windrow::fetch_add(j, at, operands...);
  else if constexpr (V == verb::fetch_inc)
    return windrow::fetch_inc(j, at);
  else if constexpr (V == verb::fetch_and)
    return windrow::fetch_and(j, at, operands...);
  else if constexpr (V == verb::fetch_or)
    return windrow::fetch_or(j, at, operands...);
  else if constexpr (V == verb::fetch_xor)
    return windrow::fetch_xor(j, at, operands...);
  else if constexpr (V == verb::swap)
    return windrow::swap(j, at, operands...);
  else
    return windrow::compare_swap(j, at, operands...);
}

} // namespace detail

/// A fetching operation that has not been issued yet. Lives no longer than the statement that makes it.
template <aggregation::verb V, transferable T>
class [[nodiscard("nothing is fetched before then, then_at_owner, when_all or co_await")]] fetch_handle {
 public:
  using value_type = T;

  template <class... Operands>
  fetch_handle(context& ctx, global_ref<T> at, Operands... operands)
      : ctx_(&ctx), at_(at), operands_{operands...} {}

  /// Issues the operation; `f(value)` runs when the value is there.
  template <class F>
  WINDROW_INLINE void then(F f) && {
    with_operands([&](auto... operands) WINDROW_INLINE_LAMBDA { issue(std::move(f), operands...); });
  }

  auto operator co_await() && { return detail::fetch_awaiter<T, fetch_handle>(std::move(*this)); }

  // For what is made of handles.

  /// Fetches the value if that is possible at once.
  bool fetch_at_once(T& value) {
    return with_operands([&](auto... operands)
                             WINDROW_INLINE_LAMBDA { return fetch_now(value, operands...); });
  }
  /// Issues the operation; counts down what is pending for the record when `*slot` is there.
  void fetch_into(T* slot, void* payload) {
    with_operands([&](auto... operands) { issue_joined(slot, deferral::pending_of(payload), operands...); });
  }
  deferral::continuations& continuations() const { return *ctx_->lanes_->continuations(); }

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

  template <class F, class... Operands>
  WINDROW_INLINE void issue(F f, Operands... operands) {
    auto& all = continuations();
    if constexpr (travels) {
      if (V == aggregation::verb::fetch && ctx_->style_ == aggregate && ctx_->loads_directly_) {
        all.keep_bound();
        return all.load(detail::near_target(*ctx_->job_, at_, "get"), std::move(f));
      }
      if (ctx_->sending_ != nullptr) [[likely]]
        return send(all, std::move(f), operands...);
    }
    T value;
    if (fetch_now(value, operands...)) return all.run(value, std::move(f));
    if constexpr (travels) send(all, std::move(f), operands...);
  }

  /// Everything by value, so that it is in memory only where there is no room for the item.
  template <class F>
  struct queue_note {
    deferral::continuations* all;
    pe_t to;
    F f;

    WINDROW_INLINE aggregation::carrier<T>* operator()() {
      return static_cast<aggregation::carrier<T>*>(all->template queue_for<T>(to, std::move(f)));
    }
  };
  template <class F, class... Operands>
  WINDROW_INLINE void send(deferral::continuations& all, F f, Operands... operands) {
    all.keep_bound();
    queue_note<F> note{&all, at_.owner(), std::move(f)};
    ctx_->template append_noted<V>(*ctx_->lanes_, at_, std::move(note), context::carry(operands)...);
  }

  template <class... Operands>
  WINDROW_INLINE bool fetch_now(T& value, Operands... operands) {
    if (!travels || ctx_->style_ != aggregate) {
      value = detail::fetch_directly<V>(*ctx_->job_, at_, operands...);
      return true;
    }
    if constexpr (travels && V != aggregation::verb::fetch)
      return ctx_->sending_ == nullptr &&
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
        if (ctx_->loads_directly_)
          return continuations().load_joined(detail::near_target(*ctx_->job_, at_, "get"), slot,
                                             static_cast<std::uint32_t>(std::countr_zero(sizeof(T))),
                                             pending);
      auto* note = aggregation::counted_note(reinterpret_cast<aggregation::carrier<T>*>(slot), pending);
      ctx_->template append_noted<V>(*ctx_->lanes_, at_, note, context::carry(operands)...);
    }
  }

  context* ctx_;
  global_ref<T> at_;
  std::array<T, count> operands_;
};

namespace detail {

/// The rest of a coroutine that waits for a value, as a continuation. Destroyed without running, it destroys
/// the coroutine.
class rest_of_coroutine {
 public:
  explicit rest_of_coroutine(std::coroutine_handle<> rest) : rest_(rest) {}
  rest_of_coroutine(rest_of_coroutine&& other) noexcept : rest_(std::exchange(other.rest_, {})) {}
  rest_of_coroutine& operator=(rest_of_coroutine&&) = delete;
  ~rest_of_coroutine() {
    if (rest_) rest_.destroy();
  }
  void resume() { std::exchange(rest_, {}).resume(); }

 private:
  std::coroutine_handle<> rest_;
};

template <class T, class Fetch>
class fetch_awaiter {
 public:
  explicit fetch_awaiter(Fetch fetch) : fetch_(std::move(fetch)) {}

  bool await_ready() {
    if constexpr (requires { fetch_.fetch_at_once(value_); })
      return fetch_.fetch_at_once(value_);
    else
      return false;
  }
  void await_suspend(std::coroutine_handle<> rest) {
    std::move(fetch_).then([this, rest = rest_of_coroutine(rest)](const auto&... value) mutable {
      value_ = T(value...);
      rest.resume();
    });
  }
  T await_resume() { return value_; }

 private:
  Fetch fetch_;
  T value_{};
};

} // namespace detail

} // namespace windrow
