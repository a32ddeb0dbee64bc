// SPDX-License-Identifier: BSD-3-Clause
// Fetching operations whose value is waited for where they stand. Included by synchronization.hpp.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "windrow/context.hpp"
#include "windrow/detail/fetch_handle.hpp"
#include "windrow/detail/fork.hpp"
#include "windrow/detail/one_way_call.hpp"
#include "windrow/detail/range_handle.hpp"
#include "windrow/detail/uninitialized.hpp"

namespace windrow {

namespace tasks {

/// A range that another thread of this PE brings.
template <class T>
struct awaited_range : result_of_task<void>, aggregation::range_waiter {
  explicit awaited_range(std::size_t count) : range_waiter{count * sizeof(T), take}, values(count) {
    comes_by_message();
  }

  detail::uninitialized_array<T> values;
  std::shared_ptr<awaited_range> self; ///< while it is under way

  static void take(range_waiter& w) {
    const auto kept = std::move(static_cast<awaited_range&>(w).self);
    const auto nothing = [] {};
    fulfil(*kept, nothing);
  }
};

/// Fetches a range where code may not be deferred.
template <class T>
std::vector<T> fetch_range(range_handle<T> range, std::size_t count) {
  const auto state = std::make_shared<awaited_range<T>>(count);
  state->self = state;
  range.send_into(state->values.data(), aggregation::range_listener(*state));
  state->wait();
  return {state->values.data(), state->values.end()};
}

/// Fetches where code may not be deferred: the value comes back as a call.
template <class T, class Fetch>
T fetch_by_calls(Fetch fetch) {
  const auto state = awaited_result<T>::make();
  std::move(fetch).then_at_owner(
      [](T value, const owner& here, std::uint64_t address) {
        call_one_way(
            here.from(), [](std::uint64_t a, T v) { awaited_result<T>::bring(a, v); }, address, value);
      },
      state->address());
  state->wait();
  return state->value();
}

/// Fetches where code may be deferred: no other thread ends the wait, so the value may be on this stack.
template <class T, class Fetch>
T fetch_by_continuation(Fetch fetch) {
  result_of_task<T> state;
  state.comes_by_message();
  std::move(fetch).then([&state](T value) {
    const auto make = [value] { return value; };
    fulfil(state, make);
  });
  state.wait();
  return state.value();
}

} // namespace tasks

template <aggregation::verb V, transferable T>
T fetch_handle<V, T>::get() && {
  if constexpr (is_range)
    if (is_sent_as_range()) return as_range().get().front();
  detail::uninitialized<T> fetched;
  T& value = fetched.value;
  if (fetch_at_once(value)) return value;
  if constexpr (travels) {
    if constexpr (V == aggregation::verb::fetch)
      if (ctx_->loads_from_ != nullptr) {
        __atomic_load(static_cast<const T*>(detail::loadable_place(*ctx_->loads_from_, at_, "get")), &value,
                      __ATOMIC_RELAXED);
        return value;
      }
    if (!tasks::branches_of_thread->may_use_job()) return tasks::fetch_by_calls<T>(std::move(*this));
  }
  return tasks::fetch_by_continuation<T>(std::move(*this));
}

template <transferable T>
std::vector<T> range_handle<T>::get() && {
  check();
  if (is_sent()) {
    if (!tasks::branches_of_thread->may_use_job()) return tasks::fetch_range(*this, count_);
    return future<std::vector<T>>(std::move(*this)).get();
  }
  const detail::uninitialized_array<T> values(count_);
  fetch_now(values.data());
  return {values.data(), values.end()};
}

} // namespace windrow
