// SPDX-License-Identifier: BSD-3-Clause
// Where the result of a future is made, if that is neither a task nor an operation: by code that says so
// (`promise`), and by coroutines whose type is `future<T>`.
//
//   windrow::future<std::uint64_t> find(windrow::context& ctx, const table& t, key k) {
//     for (auto at = t.first_place(k);; at = t.next_place(at))
//       if (co_await ctx.get(t.keys[at]) == k) co_return co_await ctx.get(t.values[at]);
//   }
//
//   windrow::deferred count(windrow::context& ctx, const table& t, key k, std::uint64_t& sum) {
//     sum += co_await find(ctx, t, k);
//   }
//
// Such a coroutine is one as `deferred` describes it (deferred.hpp), and its call gives the future of what it
// returns, for `co_await` of another one, `then`, `get` and `when_all`. It goes on whether or not anybody
// waits. An exception that leaves it is that of the future.
#pragma once

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory>
#include <utility>

#include "windrow/deferred.hpp"
#include "windrow/task.hpp"

namespace windrow {

namespace tasks {

/// Ends the job: that call of a promise which has no result to give any more.
[[noreturn]] void refuse_used_promise(const char* call);

/// Memory for results of coroutines: that of coroutines, where it is from one and comes back to one's thread.
template <class T>
class allocator_of_results {
 public:
  using value_type = T;

  allocator_of_results() = default;
  template <class U>
  explicit(false) allocator_of_results(const allocator_of_results<U>& other)
      : of_coroutines(other.of_coroutines) {}

  T* allocate(std::size_t n) const {
    const auto bytes = n * sizeof(T);
    return static_cast<T*>(of_coroutines ? deferral::new_frame(bytes) : ::operator new(bytes));
  }
  void deallocate(T* p, std::size_t n) const {
    if (of_coroutines && !deferral::go_on_elsewhere())
      deferral::delete_frame(p, n * sizeof(T));
    else
      ::operator delete(p);
  }
  bool operator==(const allocator_of_results&) const = default;

  bool of_coroutines = !deferral::go_on_elsewhere();
};
/// The state of a coroutine's future.
template <class T>
std::shared_ptr<result_of_task<T>> result_of_coroutine() {
  using result = result_of_task<T>;
  if constexpr (alignof(result) > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
    return result_by_message<T>();
  else
    return result_by_message<T>(allocator_of_results<result>());
}

/// What coroutines whose type is `future<T>` have, whatever T.
template <class T>
class end_of_coroutine {
 public:
  end_of_coroutine() = default;
  end_of_coroutine(const end_of_coroutine&) = delete;
  end_of_coroutine& operator=(const end_of_coroutine&) = delete;
  ~end_of_coroutine() {
    if (result_ != nullptr) result_->abandon(); // destroyed while it waits
  }

  future<T> get_return_object() const { return future<T>(result_); }
  std::suspend_never initial_suspend() noexcept { return {}; }
  // When its variables have ended.
  std::suspend_never final_suspend() noexcept {
    std::exchange(result_, nullptr)->complete();
    return {};
  }
  void unhandled_exception() { result_->failure = std::current_exception(); }

  static void* operator new(std::size_t bytes) { return deferral::new_frame(bytes); }
  static void operator delete(void* frame, std::size_t bytes) { deferral::delete_frame(frame, bytes); }

 protected:
  std::shared_ptr<result_of_task<T>> result_ = result_of_coroutine<T>();
};
template <class T>
struct promise_of_coroutine : end_of_coroutine<T> {
  template <std::convertible_to<T> Value = T>
  void return_value(Value&& value) {
    const auto make = [&]() -> T { return std::forward<Value>(value); };
    this->result_->produce(make);
  }
};
template <>
struct promise_of_coroutine<void> : end_of_coroutine<void> {
  void return_void() {}
};

} // namespace tasks

/// The end of a future at which its result is made, with the interface of std::promise: for what is known in
/// a message handler, in a continuation, or to another thread. It moves and is not copied; one thread at a
/// time uses it.
///
///     windrow::promise<route> found;
///     requests[number] = &found;                       // whose handler calls found.set_value(r)
///     queries.send(pe, number);
///     const auto r = found.get_future().get();         // any task or light thread, not the handler
///
/// What waits goes on when the result is there, what follows (`then`, `co_await`) runs as with every future.
/// No finish and no barrier waits for its result. To be made on a thread of the PE that has a worker, and to
/// end before the job. Costs an allocation.
template <class T>
class promise {
 public:
  promise() : result_(tasks::result_by_message<T>()) {}
  promise(promise&& other) noexcept : result_(std::exchange(other.result_, nullptr)) {}
  promise& operator=(promise&& other) noexcept {
    std::swap(result_, other.result_);
    return *this;
  }
  /// Without a result, whoever waits gets windrow::error.
  ~promise() {
    if (result_ != nullptr) result_->break_off();
  }

  /// Any number of times.
  future<T> get_future() const { return future<T>(result("get_future")); }

  /// The result is T(arguments…): nothing if T is void. Once, and not after `set_exception`; by any thread
  /// while the job lives. What the constructor throws becomes the future's exception.
  template <class... Arguments>
    requires(std::is_void_v<T> ? sizeof...(Arguments) == 0 : std::constructible_from<T, Arguments...>)
  void set_value(Arguments&&... arguments) {
    const auto make = [&]() -> T { return T(std::forward<Arguments>(arguments)...); };
    tasks::fulfil(*unused("set_value"), make);
  }
  /// In place of a result: `get` and `co_await` throw it, and `then` ends the job.
  void set_exception(std::exception_ptr failure) { unused("set_exception")->fail(std::move(failure)); }

 private:
  const std::shared_ptr<tasks::result_of_task<T>>& result(const char* call) const {
    if (result_ == nullptr) [[unlikely]]
      tasks::refuse_used_promise(call);
    return result_;
  }
  // A copy: whoever has waited may end this object.
  std::shared_ptr<tasks::result_of_task<T>> unused(const char* call) const {
    if (result(call)->ready()) [[unlikely]]
      tasks::refuse_used_promise(call);
    return result_;
  }

  std::shared_ptr<tasks::result_of_task<T>> result_;
};

} // namespace windrow

template <class T, class... Arguments>
struct std::coroutine_traits<windrow::future<T>, Arguments...> {
  using promise_type = windrow::tasks::promise_of_coroutine<T>;
};
