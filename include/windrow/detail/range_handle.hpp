// SPDX-License-Identifier: BSD-3-Clause
// What `context::get` of a range without a place for it returns. Included by context.hpp; deferred.hpp says
// what it means.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "windrow/context.hpp"
#include "windrow/detail/fetch_handle.hpp"
#include "windrow/detail/range_fetch.hpp"

namespace windrow {

namespace detail {

template <class T, class Fetch>
class fetch_awaiter;

} // namespace detail

namespace deferral {

/// Room for the values of a range, from the memory for deferred work.
template <class T>
class range_values {
 public:
  range_values() = default;
  range_values(continuations& from, std::size_t count)
      : from_(&from), first_(from.support().take_values(bytes_for(count))), count_(count) {}
  range_values(range_values&& other) noexcept
      : from_(std::exchange(other.from_, nullptr)), first_(other.first_), count_(other.count_) {}
  range_values& operator=(range_values&& other) noexcept {
    std::swap(from_, other.from_);
    std::swap(first_, other.first_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~range_values() {
    if (from_ != nullptr) from_->support().give_values(first_, bytes_for(count_));
  }

  std::byte* bytes() const { return aligned_place(first_, alignof(T)); }
  std::span<T> values() const {
    if (count_ == 0) return {};
    return {std::launder(reinterpret_cast<T*>(bytes())), count_};
  }

 private:
  static std::size_t bytes_for(std::size_t count) {
    return bytes_with_alignment(count * sizeof(T), alignof(T));
  }

  continuations* from_ = nullptr;
  std::byte* first_ = nullptr;
  std::size_t count_ = 0;
};

/// What a continuation of several operations sees of a slot.
template <class T>
T& seen(T& slot) {
  return slot;
}
template <class T>
std::span<const T> seen(range_values<T>& slot) {
  return slot.values();
}

/// Waits for the values of a range, which come by messages or are there.
template <class T, class F>
struct range_closure {
  template <class From>
  range_closure(std::in_place_t, range_values<T>&& v, From&& from)
      : values(std::move(v)), f(std::forward<From>(from)) {}

  void run(fate) { f(std::span<const T>(values.values())); }

  range_values<T> values;
  F f;
};

/// Waits for a range of loadable memory. It is copied when the closure runs, so that elements do not change
/// while that uses them.
template <class T, class F>
struct loading_range_closure {
  template <class From>
  loading_range_closure(std::in_place_t, const T* at, std::size_t n, From&& of_f)
      : from(at), count(n), f(std::forward<From>(of_f)) {}

  std::uint64_t bytes() const { return count * sizeof(T); }
  void run(fate) {
    constexpr std::size_t most = 2048;
    alignas(T) std::byte few[most];
    struct alignas(T) element {
      std::byte content[sizeof(T)];
    };
    std::unique_ptr<element[]> many;
    if (count * sizeof(T) > most) [[unlikely]]
      many = std::make_unique_for_overwrite<element[]>(count);
    auto* const room = many == nullptr ? few : many[0].content;
    aggregation::copy_elements(room, reinterpret_cast<const std::byte*>(from), count * sizeof(T),
                               aggregation::element_width<T>);
    f(std::span<const T>(std::launder(reinterpret_cast<const T*>(room)), count));
  }

  const T* from;
  std::size_t count;
  F f;
};

} // namespace deferral

/// A fetch of a range that has not been issued yet. Lives no longer than the statement that makes it.
template <transferable T>
class [[nodiscard("nothing is fetched before then, when_all, get or co_await")]] range_handle {
 public:
  using slot_type = deferral::range_values<T>;
  using kept_type = std::vector<T>;

  range_handle(context& ctx, global_ptr<T> at, std::size_t count) : ctx_(&ctx), at_(at), count_(count) {}

  /// Issues the fetch; `f(values)` runs when all values are there, which stay until it returns.
  template <class F>
  void then(F&& f) && {
    using closure = std::decay_t<F>;
    static_assert(std::invocable<closure&, std::span<const T>>,
                  "a continuation takes the values of a range as a span of constants");
    if constexpr (!deferral::fits_queue<closure>)
      std::move(*this).then(
          deferral::kept_closure<closure, std::span<const T>>(continuations(), std::forward<F>(f)));
    else if constexpr (std::is_lvalue_reference_v<F> && !std::is_nothrow_constructible_v<closure, F>)
      std::move(*this).then(closure(f)); // what throws does so before the fetch is issued
    else
      issue(std::forward<F>(f));
  }

  /// Issues the fetch, waits for the values, as `get` of one value does, and returns them.
  /// (synchronization.hpp)
  std::vector<T> get() &&;

  auto operator co_await() && {
    return detail::fetch_awaiter<std::vector<T>, range_handle>(std::move(*this));
  }

  // For what is made of handles.

  /// Issues the fetch; counts down what is pending for the record when the values are in the slot.
  void fetch_into(slot_type* slot, void* payload) {
    check();
    *slot = slot_type(continuations(), count_);
    auto* const pending = deferral::pending_of(payload);
    if (is_sent()) {
      fetch_to(slot->bytes(), pending).append_all();
    } else if (ctx_->loads_from_ != nullptr) {
      ++*pending;
      continuations().loads().add({loadable_place(), slot->bytes(), pending, bytes(), width});
    } else {
      windrow::get(*ctx_->job_, at_, slot->values());
    }
  }
  /// Issues the fetch, which is sent, to memory of the caller's.
  void send_into(T* out, aggregation::range_listener listener) {
    check();
    fetch_to(reinterpret_cast<std::byte*>(out), listener).append_all();
  }
  /// Whether it travels as items.
  bool is_sent() const { return ctx_->style_ == aggregate && ctx_->loads_from_ == nullptr && count_ > 0; }
  deferral::continuations& continuations() const { return *deferral::continuations_of_thread; }

 private:
  static constexpr auto width = aggregation::element_width<T>;

  /// One that cannot be is too large for any memory.
  std::size_t bytes() const {
    constexpr auto most = std::numeric_limits<std::size_t>::max();
    return count_ > most / sizeof(T) ? most : count_ * sizeof(T);
  }
  void check() const {
    context::lanes().require_range(at_.owner(), at_.offset(), bytes());
    aggregation::require_aligned(at_.offset(), width);
  }
  const T* loadable_place() const {
    aggregation::require_aligned(at_.offset(), width);
    return reinterpret_cast<const T*>(ctx_->loads_from_->address(at_.owner(), at_.offset(), bytes(), "get"));
  }
  aggregation::range_fetch fetch_to(std::byte* out, aggregation::range_listener listener = nullptr) const {
    return {context::lanes(), at_.owner(), at_.offset(), bytes(), width, out, listener};
  }

  void fetch_now(T* out) const {
    if (ctx_->loads_from_ != nullptr)
      aggregation::copy_elements(reinterpret_cast<std::byte*>(out),
                                 reinterpret_cast<const std::byte*>(loadable_place()), bytes(), width);
    else
      windrow::get(*ctx_->job_, at_, std::span(out, count_));
  }
  template <class F>
  void issue(F&& f) {
    using closure = std::decay_t<F>;
    if (ctx_->loads_from_ != nullptr) {
      const auto* const from = loadable_place();
      aggregation::prefetch_range(from, bytes());
      continuations().template queue_load<deferral::loading_range_closure<T, closure>>(from, count_,
                                                                                       std::forward<F>(f));
      return;
    }
    check();
    continuations().keep_bound();
    slot_type values(continuations(), count_);
    if (is_sent()) return send(std::move(values), std::forward<F>(f));
    windrow::get(*ctx_->job_, at_, values.values());
    continuations().template run_complete<deferral::range_closure<T, closure>>(std::move(values),
                                                                               std::forward<F>(f));
  }
  // The closure is queued in the moment in which the last item is stored; answers to those before it come
  // before, or it waits for them.
  template <class F>
  void send(slot_type&& values, F&& f) {
    using closure = deferral::range_closure<T, std::decay_t<F>>;
    auto fetch = fetch_to(values.bytes());
    fetch.append_front();
    auto& room = fetch.make_room();
    auto& all = continuations();
    auto& waiting = all.answers()[at_.owner()];
    waiting.asked.close();
    all.template require_room<closure>(waiting);
    fetch.append(room);
    all.template queue<closure>(waiting, std::move(values), std::forward<F>(f));
  }

  context* ctx_;
  global_ptr<T> at_;
  std::size_t count_;
};

} // namespace windrow
