// SPDX-License-Identifier: BSD-3-Clause
// One continuation for several results: futures of tasks and of remote calls, and fetching operations.
//
//   auto both = windrow::when_all(windrow::async_future(compute), windrow::call(pe, answer, 1),
//   ctx.get(a[i])); both.then([](const table& t, int answer, double element) { … });   // or get, or co_await
//
// Of fetching operations only it is that of deferred.hpp, which needs no allocation.
#pragma once

#include <array>
#include <coroutine>
#include <cstddef>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "windrow/deferred.hpp"
#include "windrow/promise.hpp"
#include "windrow/task.hpp"

namespace windrow {

namespace tasks {

template <class R>
inline constexpr bool is_future = false;
template <class T>
inline constexpr bool is_future<future<T>> = true;

/// The type of a result, of a future or a fetching operation.
template <class R>
struct result_type {
  using type = typename R::kept_type;
};
template <class T>
struct result_type<future<T>> {
  using type = T;
};

/// A result as one of several: there are none of type void.
template <class T>
auto seen([[maybe_unused]] future_state& result) {
  if constexpr (std::is_void_v<T>)
    return std::tuple<>();
  else
    return std::tuple<const T&>(static_cast<result_of_task<T>&>(result).value());
}
template <class T>
struct own_tuple {
  using type = std::tuple<T>;
};
template <>
struct own_tuple<void> {
  using type = std::tuple<>;
};
template <class T>
typename own_tuple<T>::type taken(const future<T>& result) {
  if constexpr (std::is_void_v<T>)
    return result.get(), std::tuple<>();
  else
    return std::tuple<T>(result.get());
}

/// Those of several futures that are there, and what is called with all of them. One thread at a time comes
/// here: continuations run on the PE's own one.
template <std::size_t N, class F>
struct several_results {
  std::array<std::shared_ptr<future_state>, N> all;
  std::size_t missing = N;
  F f;
};

/// `f(results)` follows when all are there.
template <std::size_t N, class F>
void attach_to_all(const std::array<std::shared_ptr<future_state>, N>& states, F f) {
  const auto results = std::make_shared<several_results<N, F>>(
      several_results<N, F>{.all = {}, .missing = N, .f = std::move(f)});
  for (std::size_t i = 0; i < N; ++i)
    states[i]->attach(continuation_of([results, i](future_state& result) {
      results->all[i] = result.shared_from_this();
      if (--results->missing == 0) results->f(results->all);
    }));
}

} // namespace tasks

template <class... Ts>
class joined_futures_awaiter;

/// Several results that are waited for together; made by `when_all`. `get`, `then` and `co_await` may be
/// called where those of a future may (task.hpp), any number of times. Copies refer to the same results.
template <class... Ts>
class [[nodiscard("nothing waits for these results before then, get or co_await")]] joined_futures {
 public:
  /// The results in the order of the arguments, without those of type void.
  using values = decltype(std::tuple_cat(std::declval<typename tasks::own_tuple<Ts>::type>()...));

  explicit joined_futures(future<Ts>... results) : results_(std::move(results)...) {}

  /// Whether all are there.
  bool ready() const {
    return std::apply([](const auto&... results) { return (results.ready() && ...); }, results_);
  }
  /// Waits for all, and returns copies of them, or throws what the first of them threw that did.
  values get() const {
    std::apply([](const auto&... results) { (results.wait(), ...); }, results_);
    return std::apply([](const auto&... results) { return std::tuple_cat(tasks::taken(results)...); },
                      results_);
  }
  /// `f(results…)` runs when all are there, as `f` of `future::then` does, and bound by the same. Costs an
  /// allocation and one for each result.
  template <class F>
  void then(F f) const {
    using arguments = decltype(std::tuple_cat(tasks::seen<Ts>(std::declval<tasks::future_state&>())...));
    static_assert(takes<F>(static_cast<arguments*>(nullptr)),
                  "a continuation takes the results of all, in their order, without those that are void");
    tasks::attach_to_all(states(), [f = std::move(f)](const all_states& all) mutable {
      for (const auto& one : all) one->require_result();
      apply_to(f, all, std::index_sequence_for<Ts...>());
    });
  }
  /// In a coroutine (`deferred`): gives copies of the results, or throws what the first of them threw that
  /// did.
  joined_futures_awaiter<Ts...> operator co_await() const { return joined_futures_awaiter<Ts...>(*this); }

 private:
  friend class joined_futures_awaiter<Ts...>;
  using all_states = std::array<std::shared_ptr<tasks::future_state>, sizeof...(Ts)>;

  template <class F, class... Arguments>
  static constexpr bool takes(std::tuple<Arguments...>* /*unused*/) {
    return std::invocable<F&, Arguments...>;
  }
  template <class F, std::size_t... I>
  static void apply_to(F& f, const all_states& all, std::index_sequence<I...> /*unused*/) {
    std::apply(f, std::tuple_cat(tasks::seen<Ts>(*all[I])...));
  }
  all_states states() const {
    return std::apply([](const auto&... results) { return all_states{results.state("then of when_all")...}; },
                      results_);
  }

  std::tuple<future<Ts>...> results_;
};

/// What a coroutine waits by.
template <class... Ts>
class joined_futures_awaiter {
 public:
  explicit joined_futures_awaiter(joined_futures<Ts...> results) : results_(std::move(results)) {}

  bool await_ready() const { return results_.ready(); }
  void await_suspend(std::coroutine_handle<> rest) const {
    // Another thread may go on with the coroutine, which ends this object, before this returns.
    tasks::attach_to_all(results_.states(), [rest = detail::rest_behind_future(rest)](
                                                const auto& /*all*/) mutable { rest.resume(); });
  }
  auto await_resume() const { return results_.get(); }

 private:
  joined_futures<Ts...> results_;
};

template <class... Fetches>
auto joined_fetches<Fetches...>::get() && -> values {
  const auto state = tasks::result_by_message<values>();
  std::move(*this).then([result = tasks::promise(state)](const auto&... fetched) {
    const auto keep = [&] { return values(detail::kept(fetched)...); };
    tasks::fulfil(*result, keep);
  });
  return future<values>(state).get();
}

/// Several results together, at least one of them a future; fetching operations are issued. To be called
/// where code may be deferred if there are any of these, else where futures are used.
template <class... Results>
  requires(tasks::is_future<Results> || ...)
auto when_all(Results... results) {
  return joined_futures<typename tasks::result_type<Results>::type...>(
      future<typename tasks::result_type<Results>::type>(std::move(results))...);
}

namespace tasks {

/// Waits in a coroutine, and neither takes the result nor throws.
template <class T>
struct arrival : future_awaiter<T> {
  using future_awaiter<T>::future_awaiter;
  void await_resume() const {}
};

} // namespace tasks

/// Any number of results of one type: the future of all, in their order. It is there when all are, and has
/// the exception of the first that has one in their place. To be called where a continuation may be added to
/// a future; costs what a coroutine does for each result that is not there yet.
template <class T>
auto when_all(std::vector<future<T>> results)
    -> future<std::conditional_t<std::is_void_v<T>, void, std::vector<T>>> {
  for (const auto& result : results) co_await tasks::arrival<T>(result);
  if constexpr (std::is_void_v<T>) {
    for (const auto& result : results) result.get();
  } else {
    std::vector<T> all;
    all.reserve(results.size());
    for (auto& result : results) all.push_back(std::move(result).get());
    co_return all;
  }
}

} // namespace windrow
