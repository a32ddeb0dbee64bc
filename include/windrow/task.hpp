// SPDX-License-Identifier: BSD-3-Clause
// Tasks inside a PE: finish and async, as in Habanero and X10 (Charles et al., "X10: an object-oriented
// approach to non-uniform cluster computing", OOPSLA 2005), together with messages as in Hayashi, Singhal,
// Elmougy and Yang, "Enabling User-Level Asynchronous Tasking in the FA-BSP Model" (2025).
//
// A PE has WINDROW_WORKERS workers (default 1). Worker 0, the communication worker, is the PE's own thread;
// the others are threads that begin with the first task. Worker 0 runs tasks while it waits for tasks: in
// `finish`, in `future::get`, in the `barrier` of streams and contexts, and at the end of the job.
//
// Every task may use aggregated contexts, streams and mailboxes to send, on whatever worker it runs; each
// worker fills blocks of its own. What one task sends to one PE arrives in order, as with main code; nothing
// is said about the order of two tasks. `context::complete_own` and `fence` in a task wait for that task's
// own operations, and no other work of its worker begins meanwhile. What a worker has stored leaves when it
// has nothing to run, between tasks about every millisecond, or when somebody completes operations: so no
// task should spin for what depends on operations that it has issued, unless it calls `yield`. Blocks come
// home while the communication worker is in the library: if it computes for long, tasks that send much wait
// for it.
//
// Everything else is for the communication worker only: what waits for other PEs or is collective, direct
// operations, and what follows a fetching operation (deferred.hpp). A task that does such must be given to
// it: `async_at(communication_worker, …)`. For any other task that is misuse, which ends the job wherever it
// can be detected without cost: in every wait, and where deferred code needs room. Direct operations are not
// checked. Memory that is local (`array::local`) is for every task, with the synchronization that threads
// need.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <coroutine>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <type_traits>
#include <utility>

#include "windrow/detail/rest_of_coroutine.hpp"
#include "windrow/detail/task.hpp"
#include "windrow/detail/wait_limit.hpp"

namespace windrow {

/// The worker that is the PE's own thread, and the only one that may wait for other PEs.
inline constexpr int communication_worker = 0;

/// Workers of this PE.
int workers();
/// The number of the worker that runs the caller.
int this_worker();

/// Runs `body`, then waits until every task that it started, and every task that those started in turn, has
/// ended. The call returns on the thread that made it. It waits by running tasks; on the communication worker
/// it also serves the inbox. Finishes nest: a task belongs to the innermost `finish` around the `async` that
/// started it, or else to that of the task that started it.
///
/// If `body` or a task throws, the first exception is rethrown when all tasks have ended; further ones are
/// dropped.
///
/// *In a message handler.* A `finish` in a handler makes its message a blocking one: its tasks end before the
/// handler returns, hence before the next message. It waits by running the handler's own tasks and nothing
/// else, and does not serve the inbox. Its tasks may not wait for others (for messages, or for the future of
/// a task from outside). A handler without `finish` may start tasks that outlive it (a non-blocking message):
/// they belong to the `finish` that is innermost on the communication worker while the handler runs, which
/// is the one around the library call that serves the inbox, and to none if there is none.
///
/// Tasks that belong to no finish end before the next `barrier` of the PE's main code returns, or
/// the job. So do all others: `barrier` of a stream or context, called outside tasks, returns when every
/// message is handled and no task of its PEs is alive. Called in a task, it waits for messages only, because
/// another task might wait for this one.
template <std::invocable Body>
void finish(Body&& body) {
  tasks::scope s;
  try {
    std::forward<Body>(body)();
  } catch (...) { // rethrown by close
    s.fail(std::current_exception());
  }
  s.close();
}

/// Starts a task: `f()`, on any worker, at any time from now on, perhaps before `async` returns (when
/// thousands of tasks wait already; so hold no lock that `f` takes). What `async` has seen, `f` sees. `f` is
/// copied or moved into the task; closures of at most 96 bytes need no allocation. To be called by the PE's
/// thread, in tasks and in handlers.
///
/// An exception that leaves `f` is rethrown by its `finish`; without one it ends the job.
template <std::invocable F>
void async(F&& f) {
  tasks::start(tasks::task_of(std::forward<F>(f), "async"));
}

/// Which tasks of a PE its workers take first. Order only: whoever runs something else goes on with that, and
/// a task that waits for others on its worker's stack runs whatever there is. About once in a millisecond a
/// worker takes its oldest task, or a low one, out of turn, since what it runs may wait for that.
enum class priority : std::uint8_t {
  high,   ///< before all that is not under way, in turn with what was given to a worker; the oldest first
  normal, ///< as without a priority: a worker's newest, another worker's oldest
  low,    ///< when a worker finds nothing else on this PE or others; the oldest first
};

/// Starts a task as `async` does, in its turn. A high and a low one cost a lock each, tasks without a
/// priority nothing. In a finish that a message handler has opened, and where thousands of that priority
/// wait, it is a normal one.
template <std::invocable F>
void async(priority p, F&& f) {
  tasks::start(tasks::task_of(std::forward<F>(f), "async"), p);
}

/// Starts a task on one worker, 0 … `workers() - 1`. Each worker runs the tasks given to it in the order of
/// their arrival, when it waits for tasks or has nothing else to do. They are kept until then, however many:
/// unlike `async` this never runs any to make room. A task given to the communication worker may do all that
/// main code may: wait for a `barrier`, defer code. Collective calls in it must still be made in the same
/// order on all PEs.
template <std::invocable F>
void async_at(int worker, F&& f) {
  tasks::start_at(worker, tasks::task_of(std::forward<F>(f), "async_at"));
}

template <class T>
class future_awaiter;
template <class... Ts>
class joined_futures;

/// The result of a task, of a remote call (call.hpp), of a fetching operation, of a coroutine of this type or
/// of a promise (promise.hpp). `get`, `then` and `co_await` mean what they mean on the fetching operations
/// themselves (deferred.hpp), which need no allocation for it.
///
/// Any code that may wait for tasks may wait for a future, repeatedly and from several tasks. Copies refer to
/// the same result. A task must not wait for the future of a task that waits for it, nor for one that only
/// begins after the wait. A task that waits runs other tasks on its stack, which must hold as many as wait
/// for each other in a row: some ten thousand in 8 MiB. In a handler, and in the tasks of its `finish`, only
/// futures of tasks that were started inside that finish can be waited for; any other, that of a call or a
/// fetch too, ends the job with a sentence.
template <class T>
class future {
 public:
  /// Refers to nothing, as one that was moved from does: all but assignment ends the job with a sentence.
  future() = default;
  /// What `async_future` makes.
  explicit future(std::shared_ptr<tasks::result_of_task<T>> state) : state_(std::move(state)) {}
  /// Issues a fetching operation (context.hpp): the future of its value, or of a range the std::vector of its
  /// elements. Costs an allocation, which `then` and `co_await` do not. To be called where code may be
  /// deferred.
  template <class Fetch>
    requires std::same_as<typename Fetch::kept_type, T>
  future(Fetch fetch) : state_(tasks::result_by_message<T>()) {
    std::move(fetch).then([result = tasks::promise(state_)](const auto& value) {
      const auto keep = [&value] { return tasks::kept<T>(value); };
      tasks::fulfil(*result, keep);
    });
  }

  bool ready() const { return state("ready")->ready(); }
  void wait() const { state("wait")->wait(); }
  /// Like `wait`, for at most `limit`, in simulated time if that is what passes (simulation.hpp). Not in a
  /// handler, nor in a task that one waits for.
  template <class Rep, class Period>
  std::future_status wait_for(const std::chrono::duration<Rep, Period>& limit) const {
    return state("wait_for")->wait_for(tasks::limit_of(limit)) ? std::future_status::ready
                                                               : std::future_status::timeout;
  }
  /// Up to that moment. Clocks that are set meanwhile are not followed.
  template <class Clock, class Duration>
  std::future_status wait_until(const std::chrono::time_point<Clock, Duration>& moment) const {
    return wait_for(tasks::limit_of(moment));
  }
  /// Waits, as `finish` does, and returns the result, or throws what the task threw. An exception that nobody
  /// asks for is dropped.
  std::add_lvalue_reference_t<const T> get() const& {
    const auto& result = state("get");
    result->wait();
    if (result->failure) std::rethrow_exception(result->failure);
    return result->value();
  }
  /// Of a future that ends with the expression, as in `for (const auto& x : call(pe, f).get())`: the result
  /// itself, which would end with it. It is moved if no other future refers to it.
  T get() &&
    requires std::copy_constructible<T>
  {
    const auto result = std::move(*this);
    const T& value = result.get();
    if (result.state_.use_count() > 1) return value;
    std::atomic_thread_fence(std::memory_order_acquire); // those who have let go of it have read it before
    return std::move(result.state_->value());
  }
  /// `f(result)` runs when the result is there; `f()` if that is void. It runs where continuations of
  /// fetching operations run: on the PE's own thread, when that waits for tasks or futures or completes
  /// operations, at the latest in `context::barrier`. No finish waits for it. It must neither wait nor throw.
  /// If the task has thrown there is nothing to call it with, and the job ends with a sentence. To be called
  /// where `wait` may be, and in handlers and continuations; any number of times, whose order is not defined.
  /// Costs an allocation.
  template <class F>
  void then(F f) const {
    static_assert(takes_result<F>(), "a continuation takes the result of the future");
    state("then")->attach(tasks::continuation_of([f = std::move(f)](tasks::future_state& result) mutable {
      result.require_result();
      if constexpr (std::is_void_v<T>)
        f();
      else
        f(std::as_const(static_cast<tasks::result_of_task<T>&>(result).value()));
    }));
  }
  /// In a coroutine (`deferred`): the rest of it is the continuation. Gives a copy of the result, which
  /// is moved if no other future refers to it, or throws what the task threw.
  future_awaiter<T> operator co_await() const& { return future_awaiter<T>(*this); }
  future_awaiter<T> operator co_await() && { return future_awaiter<T>(std::move(*this)); }

 private:
  friend class future_awaiter<T>;
  template <class... Ts>
  friend class joined_futures;

  template <class F>
  static constexpr bool takes_result() {
    if constexpr (std::is_void_v<T>)
      return std::invocable<F&>;
    else
      return std::invocable<F&, const T&>;
  }

  const std::shared_ptr<tasks::result_of_task<T>>& state(const char* call) const {
    if (!state_) [[unlikely]]
      tasks::refuse_empty_future(call);
    return state_;
  }

  std::shared_ptr<tasks::result_of_task<T>> state_;
};

/// What a coroutine waits by.
template <class T>
class future_awaiter {
 public:
  explicit future_awaiter(future<T> result) : result_(std::move(result)) {}

  bool await_ready() const { return result_.ready(); }
  void await_suspend(std::coroutine_handle<> rest) {
    // Another thread may go on with the coroutine, which ends this object, before `attach` returns.
    const auto state = result_.state("co_await");
    follows_.rest = detail::rest_behind_future(rest);
    state->attach(tasks::owned_continuation(&follows_));
  }
  T await_resume() { return std::move(result_).get(); }

 private:
  /// Lies in the coroutine, which ends it.
  struct rest_behind final : tasks::continuation {
    // The coroutine has the result, perhaps for itself alone: then it may move it.
    void follow() noexcept override {
      result = nullptr;
      rest.resume();
    }
    void drop() noexcept override { const auto ends = std::move(rest); }

    detail::rest_behind_future rest;
  };

  future<T> result_;
  rest_behind follows_;
};

namespace tasks {

/// The future of what `start` is given to run.
template <class F, class Start>
auto start_with_future(F&& f, Start start) -> future<std::invoke_result_t<std::decay_t<F>&>> {
  using result = std::invoke_result_t<std::decay_t<F>&>;
  static_assert(!std::is_reference_v<result>, "the result of a task outlives what it refers to");
  auto state = std::make_shared<result_of_task<result>>();
  start([state, f = std::decay_t<F>(std::forward<F>(f))]() mutable { fulfil(*state, f); });
  return future<result>(std::move(state));
}

} // namespace tasks

/// Starts a task whose result is wanted. The task belongs to a finish like any other; its exception belongs
/// to the future. Costs an allocation.
template <std::invocable F>
auto async_future(F&& f) -> future<std::invoke_result_t<std::decay_t<F>&>> {
  return tasks::start_with_future(std::forward<F>(f), [](auto&& t) { async(std::forward<decltype(t)>(t)); });
}
template <std::invocable F>
auto async_future(priority p, F&& f) -> future<std::invoke_result_t<std::decay_t<F>&>> {
  return tasks::start_with_future(std::forward<F>(f),
                                  [p](auto&& t) { async(p, std::forward<decltype(t)>(t)); });
}

/// Starts a light thread: a task, like those of `async`, with a stack of its own (256 KiB, or
/// WINDROW_STACK_SIZE). Where it waits, in `finish`, for a future or a value that it fetches, for a stolen
/// branch of `fork_join`, in `yield`, `wait_until`, and for what synchronization.hpp has, it leaves its
/// worker to other tasks, and goes on when what it waits for is there, with the same worker. So any number
/// may wait, in any order, and none waits for one that lies beneath it on a stack. Waiting costs memory: the
/// part of the stack that is in use. `f` is moved there when it begins.
///
/// Of the job it may use what other tasks may; one of `spawn_at(communication_worker, …)` may use all. Then
/// barriers, other collectives and the barrier of a context suspend it too. One light thread at a time may be
/// in a collective call of a team, and the calls of a team are made in the same order on all PEs.
///
/// It belongs to a finish, and its exceptions to that, as with `async`. A stack that overflows ends the job,
/// where the stack is guarded, which it is unless tens of thousands exist.
///
/// `name`, of static storage, is what reports call it.
template <std::invocable F>
void spawn(const char* name, F&& f) {
  tasks::start(tasks::spawned_task_of(std::forward<F>(f), name, "spawn"));
}
template <std::invocable F>
void spawn(F&& f) {
  spawn(nullptr, std::forward<F>(f));
}
/// Begins in the turn of its priority; when it goes on after a wait, it has none.
template <std::invocable F>
void spawn(priority p, F&& f) {
  tasks::start(tasks::spawned_task_of(std::forward<F>(f), nullptr, "spawn"), p);
}

/// Starts a light thread on one worker, as `async_at` does a task: in the order of arrival, and with
/// permission to use all of the job if it is the communication worker.
template <std::invocable F>
void spawn_at(int worker, const char* name, F&& f) {
  tasks::start_at(worker, tasks::spawned_task_of(std::forward<F>(f), name, "spawn_at"));
}
template <std::invocable F>
void spawn_at(int worker, F&& f) {
  spawn_at(worker, nullptr, std::forward<F>(f));
}

/// Lets others run: what its worker has to do, other light threads that yield, messages. Elsewhere than in a
/// light thread, runs a task that is there, or sends what its worker has stored, and serves the inbox on the
/// communication worker. In a continuation it ends the job with a sentence.
inline void yield() {
  tasks::yield();
}

/// Returns once `done()` is true; for what nobody signals, such as memory that other PEs write. It is asked
/// on the caller's own stack, again and again with pauses that grow to a millisecond while nothing comes of
/// it; what it reads must be safe to read meanwhile (atomics). What it throws comes out. A light thread
/// leaves its worker to others. In a message handler, and in what keeps one from returning, it ends the job
/// with a sentence.
template <std::predicate Done>
void wait_until(Done&& done) {
  auto ask = [&done]() -> bool { return done(); }; // an object, where `done` may be a function
  tasks::wait_until([](void* a) -> bool { return (*static_cast<decltype(ask)*>(a))(); }, &ask);
}

/// Starts a light thread whose result is wanted, as `async_future` does a task.
template <std::invocable F>
auto spawn_future(F&& f) -> future<std::invoke_result_t<std::decay_t<F>&>> {
  return tasks::start_with_future(std::forward<F>(f), [](auto&& t) { spawn(std::forward<decltype(t)>(t)); });
}

} // namespace windrow
