// SPDX-License-Identifier: BSD-3-Clause
// What tasks, finishes and futures are made of. src/tasks/README.md has the protocol.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "windrow/detail/job_use.hpp"
#include "windrow/types.hpp"

namespace windrow {
enum class priority : std::uint8_t;
}

namespace windrow::tasks {

class pool;
class scope;
class wait_queue;
class worker;

enum class task_kind : std::uint8_t {
  pooled,  ///< a `closure_task`, used again when it has run
  spawned, ///< the same, to be run on a stack of its own
  light,   ///< a `light_thread`, which goes on
  unique,  ///< gone when it has run
};

/// Something that waits to be run on a worker.
struct task {
  void (*run)(task&); ///< does the work
  scope* belongs_to;  ///< null: no finish
  task* next;         ///< in the list that the task is in
  detail::job_use may_use;
  task_kind kind;
};

/// A closure: one object from a pool, with small closures in place.
struct alignas(64) closure_task : task {
  static constexpr std::size_t inline_bytes = 96;

  alignas(16) std::byte closure[inline_bytes];
};

/// A task of plain data, as it lies where other PEs may take it: what it means there follows from
/// `portable_run` and the closure.
struct portable_task {
  void (*run)(task&);         ///< on the PE in whose queue it lies
  std::uint64_t portable_run; ///< the same function on every PE (code_address.hpp)
  scope* belongs_to;          ///< of that PE; null: no finish
  alignas(16) std::byte closure[closure_task::inline_bytes];
};

/// Starts it, for the workers of this PE and for other PEs.
void start(portable_task&);
/// The PE of this thread's worker. Ends the job, naming `call`, if the thread is no worker of a PE.
pe_t this_pe(const char* call);
/// The symmetric segment of this PE.
std::byte* own_segment();

/// An unused task of this thread's worker. Ends the job, naming `call`, if the thread is no worker of a PE.
closure_task& new_task(const char* call);
/// The closure of a spawned task has been moved to the stack that it is run on.
void put_away(task&);
/// Lets others of this worker run; for a light thread. Elsewhere runs a task, or serves the inbox.
void yield();
/// Returns once `done(argument)` is true, which is asked now and then.
void wait_until(bool (*done)(void*), void* argument);
/// Starts a task for any worker.
void start(task&);
void start(task&, priority);
/// Starts a task for one worker. Ends the job if there is no such worker.
void start_at(int worker, task&);

/// Calls the closure and destroys it.
template <class Closure>
void run_in_place(task& t) {
  struct holder {
    Closure& closure;
    ~holder() { closure.~Closure(); }
  } held{*std::launder(reinterpret_cast<Closure*>(static_cast<closure_task&>(t).closure))};
  held.closure();
}

/// An object of this type, made of such an F, may lie in a task.
template <class Object, class F, class Made = std::decay_t<F>>
inline constexpr bool fits = sizeof(Object) <= closure_task::inline_bytes && alignof(Object) <= 16 &&
                             std::is_nothrow_constructible_v<Made, F>;

template <class F>
task& task_of(F&& f, const char* call) {
  using closure = std::decay_t<F>;
  if constexpr (fits<closure, F>) {
    closure_task& t = new_task(call);
    new (t.closure) closure(std::forward<F>(f));
    t.run = run_in_place<closure>;
    return t;
  } else {
    return task_of([held = std::make_unique<closure>(std::forward<F>(f))] { (*held)(); }, call);
  }
}

/// What a spawned task has.
struct named {
  const char* name; ///< of static storage, or null
};
template <class Closure>
struct named_closure : named {
  Closure f;
};

/// The name of those that handle messages (waiting_handler.hpp), of which a worker runs some before too many
/// are kept.
inline constexpr char name_of_handlers[] = "handler";

/// Moves the closure out of a spawned task, which may be used again then.
template <class Closure>
Closure take_out(task& t) {
  struct holder {
    task& from;
    named_closure<Closure>& left;
    ~holder() {
      left.~named_closure<Closure>();
      put_away(from);
    }
  } held{t, *std::launder(reinterpret_cast<named_closure<Closure>*>(static_cast<closure_task&>(t).closure))};
  return std::move(held.left.f);
}

template <class Closure>
void run_on_own_stack(task& t) {
  Closure here(take_out<Closure>(t));
  here();
}

/// A task that becomes a light thread.
template <class F>
task& spawned_task_of(F&& f, const char* name, const char* call) {
  using closure = std::decay_t<F>;
  if constexpr (fits<named_closure<closure>, F>) {
    closure_task& t = new_task(call);
    new (t.closure) named_closure<closure>{{name}, std::forward<F>(f)};
    t.run = run_on_own_stack<closure>;
    t.kind = task_kind::spawned;
    return t;
  } else {
    return spawned_task_of([held = std::make_unique<closure>(std::forward<F>(f))] { (*held)(); }, name, call);
  }
}

/// One `finish`: counts the live tasks that belong to it. Opened and closed on one thread, in nested order.
class scope {
 public:
  scope();
  /// One that tasks belong to only while an `innermost` says so.
  struct detached {};
  explicit scope(detached);
  ~scope() = default;
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;

  /// Keeps the exception if it is the first; `close` rethrows it.
  void fail(std::exception_ptr);
  /// Waits until no task that belongs here is alive.
  void close();
  /// Like `close`, for a detached scope.
  void wait();

  /// While it lives, what this thread starts belongs to the scope.
  class innermost {
   public:
    explicit innermost(scope&);
    ~innermost();
    innermost(const innermost&) = delete;
    innermost& operator=(const innermost&) = delete;

   private:
    worker& here_;
    scope* before_;
  };

 private:
  friend class worker;
  friend struct stolen_part;
  /// Of a wait during which a worker runs only what keeps a handler from returning.
  explicit scope(worker& owner);
  /// Of so many tasks that are alive already. `over` is started when the last of all has ended.
  scope(worker& owner, std::int64_t alive, task& over);

  /// Added to `others_` while a light thread is suspended in `close`.
  static constexpr std::int64_t suspended = std::int64_t{1} << 40;

  bool counts_itself(const worker& w) const { return counting_.load(std::memory_order_relaxed) == &w; }
  void require_right_to_wait() const;
  /// It is that one, or was opened by what belongs there and waits for it.
  bool is_within(const scope&) const;
  void wait_until_over();
  void close_light();

  worker& owner_;
  std::atomic<worker*> counting_ = &owner_; ///< who changes `own_`; null when all change `others_`
  task* waiting_ = nullptr;                 ///< the light thread, or what else follows the last task
  scope* outer_;                            ///< whose closing waits for this one; null: none
  bool blocking_;                           ///< opened in a message handler, or by a task of one that was
  bool waited_for_ = false;                 ///< detached, and in `wait`; the owner's alone
  std::int64_t own_ = 0;                    ///< started minus ended on the owner
  std::atomic<std::int64_t> others_ = 0;    ///< the same on all other workers; may be negative
  std::atomic<bool> failed_ = false;
  std::exception_ptr failure_;
};

class future_state;

/// What follows when a result is there. It ends by one of two calls.
struct continuation : task {
  continuation();
  continuation(const continuation&) = delete;
  continuation& operator=(const continuation&) = delete;

  /// As continuations of fetching operations run, and bound by what binds them.
  virtual void follow() noexcept = 0;
  /// The result will never be there, or the job fails.
  virtual void drop() noexcept = 0;

  std::shared_ptr<future_state> result; ///< null until it is there

 protected:
  ~continuation() = default;
};
struct drop_continuation {
  void operator()(continuation* f) const noexcept { f->drop(); }
};
using owned_continuation = std::unique_ptr<continuation, drop_continuation>;

/// What all futures have, whatever the type of their result.
class future_state : public std::enable_shared_from_this<future_state> {
 public:
  future_state();
  ~future_state();
  future_state(const future_state&) = delete;
  future_state& operator=(const future_state&) = delete;

  bool ready() const { return ready_.load(std::memory_order_seq_cst); }
  /// Waits as `finish` does.
  void wait();
  /// Like `wait`, for at most `limit`; returns whether the result is there. Not in a handler, nor in a task
  /// that one waits for.
  bool wait_for(std::chrono::nanoseconds limit);
  /// Enters the light thread among those that go on when the result is there. False: it is there already.
  bool goes_on_later(task&);
  /// The result is there. Wakes those who wait, and starts what follows. By any thread, while the PE's
  /// workers exist.
  void complete();
  /// As `complete`, with an exception in place of a result.
  void fail(std::exception_ptr exception) {
    failure = std::move(exception);
    complete();
  }
  /// It follows when the result is there, soon if it is there already. On a worker of the PE, by who refers
  /// to this whatever follows.
  void attach(owned_continuation);
  /// The result will never be there: destroys what would follow, which may refer to it.
  void abandon();
  /// A promise has ended: if there is no result, an exception takes its place.
  void break_off();
  /// Ends the job if there is an exception in place of a result.
  void require_result() const;

  /// Its result comes in a message, so what keeps a handler from returning cannot wait for it.
  void comes_by_message() {
    by_message_ = true;
    blocking_ = false;
  }

  std::exception_ptr failure;
  /// Called where something is about to wait, and may end the job; null: nothing.
  void (*before_wait)(const future_state&) = nullptr;

 private:
  void start_continuations(pool&);
  worker& require_may_wait() const;
  wait_queue& limited_waits();

  std::atomic<bool> ready_ = false;
  std::atomic<std::uint64_t> waiting_workers_ = 0; ///< a bit for each
  std::atomic<task*> waiting_light_ = nullptr;     ///< a list of light threads, or `completed`
  std::atomic<task*> follow_ = nullptr;            ///< a list of continuations; newest first
  std::atomic<wait_queue*> limited_ = nullptr;     ///< of waits with a limit; made when there is one
  static task completed;
  worker& maker_;
  bool blocking_; ///< its task ends before the message that started it
  bool by_message_ = false;
};

template <class T>
struct result_of_task : future_state {
  alignas(T) std::byte storage[sizeof(T)];

  ~result_of_task() {
    if (ready() && !failure) value().~T();
  }
  T& value() { return *std::launder(reinterpret_cast<T*>(storage)); }
  template <class F>
  void produce(F& f) {
    new (storage) T(f());
  }
};

template <>
struct result_of_task<void> : future_state {
  void value() {}
  template <class F>
  void produce(F& f) {
    f();
  }
};

template <class T, class Allocator = std::allocator<result_of_task<T>>>
std::shared_ptr<result_of_task<T>> result_by_message(const Allocator& memory = {}) {
  auto result = std::allocate_shared<result_of_task<T>>(memory);
  result->comes_by_message();
  return result;
}

/// Ends the job: that call of a future that refers to nothing.
[[noreturn]] void refuse_empty_future(const char* call);

/// The end at which the result is made; if it is destroyed without one, the future is abandoned.
template <class T>
class promise {
 public:
  explicit promise(std::shared_ptr<result_of_task<T>> result) : result_(std::move(result)) {}
  promise(promise&&) noexcept = default;
  promise& operator=(promise&&) = delete;
  ~promise() {
    if (result_ && !result_->ready()) result_->abandon();
  }
  result_of_task<T>& operator*() const { return *result_; }

 private:
  std::shared_ptr<result_of_task<T>> result_;
};

/// Calls a closure.
template <class F>
struct closure_continuation final : continuation {
  explicit closure_continuation(F closure) : f(std::move(closure)) {}
  void follow() noexcept override {
    const std::unique_ptr<closure_continuation> ends_behind(this);
    f(*result);
  }
  void drop() noexcept override { delete this; }

  F f;
};
template <class F>
owned_continuation continuation_of(F f) {
  return owned_continuation(std::make_unique<closure_continuation<F>>(std::move(f)).release());
}

template <class T, class F>
void fulfil(result_of_task<T>& result, F& f) {
  try {
    result.produce(f);
  } catch (...) { // for whoever asks for the result
    result.failure = std::current_exception();
  }
  result.complete();
}

/// A result that a message brings, which has its address.
template <class T>
struct awaited_result : result_of_task<T> {
  awaited_result() { this->comes_by_message(); }
  static std::shared_ptr<awaited_result> make() {
    auto made = std::make_shared<awaited_result>();
    made->self_ = made;
    return made;
  }
  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(this); }

  /// What is called when the message is here, and then no more.
  static std::shared_ptr<awaited_result> take(std::uint64_t address) {
    return std::move(reinterpret_cast<awaited_result*>(address)->self_);
  }
  /// `value`: none if T is void.
  template <class... Value>
  static void bring(std::uint64_t address, const Value&... value) {
    const auto make = [&]() -> T { return T(value...); };
    fulfil(*take(address), make);
  }

 private:
  std::shared_ptr<awaited_result> self_; ///< keeps it alive until the result is here
};

/// A value that outlives the continuation it is given to: of a range, its elements.
template <class T, class Value>
T kept(const Value& value) {
  if constexpr (std::is_convertible_v<const Value&, T>)
    return value;
  else
    return T(value.begin(), value.end());
}

} // namespace windrow::tasks
