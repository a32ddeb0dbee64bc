// SPDX-License-Identifier: BSD-3-Clause
// Locks and the like for light threads (windrow/task.hpp), with the interfaces of the standard's. Who waits
// in one leaves its worker to others; it goes on in the order of arrival, and before main code and tasks,
// whatever the order. Of those on one stack the newest goes on first: it lies above them.
// Nothing polls, nothing allocates.
//
// *Who may wait.* Light threads anywhere but in a message handler. Main code and other tasks too: they run
// other tasks on their stack meanwhile, so they must not wait for what lies beneath on that stack, and hold
// no lock that those tasks take. In a message handler, and in what keeps one from returning, a wait ends the
// job with a sentence; what need not wait is done. The other calls (`unlock`, `release`, `count_down`,
// `notify_one`, `signal`) never wait, and may be made on any thread of the process.
//
// *Memory.* What is written before such a call is seen by the code that has waited for it.
//
// *Limits of time.* Calls ending in `_for` and `_until` give up when that time has passed: a little later, if
// tasks of the worker run so long, never earlier. Until then the worker goes on with others, or sleeps. Time
// is that of the PE, in a simulated network the simulated one. The moment of `_until` is looked at when the
// call begins; clocks that are set meanwhile are not followed.
//
// *Lifetime.* Nobody waits when one is destroyed. Code that has waited may destroy it at once. They belong to
// one process. A job's `barrier` is `job::barrier`; within a PE,
// `latch` and `finish` do what a barrier does.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <utility>

#include "windrow/detail/awaited_fetch.hpp"
#include "windrow/detail/one_way_call.hpp"
#include "windrow/detail/wait_limit.hpp"
#include "windrow/detail/wait_queue.hpp"
#include "windrow/types.hpp"

namespace windrow {

/// Mutual exclusion, as of std::timed_mutex. For std::lock_guard, std::unique_lock, std::scoped_lock.
class mutex {
 public:
  constexpr mutex() = default;

  void lock() {
    queue_.wait(tasks::waitable::mutex, [this, me = tasks::holder()] { return take(me); });
  }
  bool try_lock() {
    return queue_.try_take([this, me = tasks::holder()] { return take(me); });
  }
  template <class Rep, class Period>
  bool try_lock_for(const std::chrono::duration<Rep, Period>& limit) {
    return queue_.wait_for(
        tasks::waitable::mutex, [this, me = tasks::holder()] { return take(me); }, tasks::limit_of(limit));
  }
  template <class Clock, class Duration>
  bool try_lock_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return try_lock_for(tasks::limit_of(moment));
  }
  /// By the light thread that has locked it, or other code of the same thread. By anyone else, or if
  /// nobody has, it ends the job with a sentence.
  void unlock() {
    queue_.change([this, me = tasks::holder()] {
      if (held_by_ != me) [[unlikely]]
        tasks::refuse_unlock(held_by_ != nullptr);
      held_by_ = nullptr;
    });
  }

 private:
  bool take(const void* me) {
    if (held_by_ != nullptr) return false;
    held_by_ = me;
    return true;
  }

  tasks::wait_queue queue_;
  const void* held_by_ = nullptr; ///< `tasks::holder`
};

/// Waits until told, as std::condition_variable does; without spurious wake-ups. Who waits has locked the
/// mutex, the same for all that wait at a time; anything else ends the job with a sentence.
class condition_variable {
 public:
  constexpr condition_variable() = default;

  void wait(std::unique_lock<mutex>& held) {
    tasks::waiter me{[](void*) { return false; }, held.mutex()};
    enter(me, held);
    queue_.sleep(me, tasks::waitable::condition);
    held.lock();
  }
  template <class Predicate>
  void wait(std::unique_lock<mutex>& held, Predicate predicate) {
    while (!predicate()) wait(held);
  }
  template <class Rep, class Period>
  std::cv_status wait_for(std::unique_lock<mutex>& held, const std::chrono::duration<Rep, Period>& limit) {
    tasks::waiter me{[](void*) { return false; }, held.mutex()};
    enter(me, held);
    const bool told = queue_.sleep_for(me, tasks::waitable::condition, tasks::limit_of(limit));
    held.lock();
    return told ? std::cv_status::no_timeout : std::cv_status::timeout;
  }
  template <class Clock, class Duration>
  std::cv_status wait_until(std::unique_lock<mutex>& held,
                            const std::chrono::time_point<Clock, Duration>& moment) {
    return wait_for(held, tasks::limit_of(moment));
  }
  /// What `predicate` says in the end.
  template <class Rep, class Period, class Predicate>
  bool wait_for(std::unique_lock<mutex>& held, const std::chrono::duration<Rep, Period>& limit,
                Predicate predicate) {
    const auto end = tasks::moment_after(tasks::limit_of(limit));
    while (!predicate())
      if (wait_for(held, tasks::left_until(end)) == std::cv_status::timeout) return predicate();
    return true;
  }
  template <class Clock, class Duration, class Predicate>
  bool wait_until(std::unique_lock<mutex>& held, const std::chrono::time_point<Clock, Duration>& moment,
                  Predicate predicate) {
    return wait_for(held, tasks::limit_of(moment), std::move(predicate));
  }
  void notify_one() { queue_.grant_one(); }
  void notify_all() { queue_.grant_all(); }

 private:
  void enter(tasks::waiter& me, std::unique_lock<mutex>& held) {
    if (!held.owns_lock()) [[unlikely]]
      tasks::refuse_wait_without_lock();
    queue_.enter(me, tasks::waitable::condition);
    held.unlock();
  }

  tasks::wait_queue queue_;
};

/// A number of arrivals to wait for, once.
class latch {
 public:
  explicit constexpr latch(std::ptrdiff_t expected) : left_(expected) {}

  void count_down(std::ptrdiff_t arrivals = 1) {
    queue_.change([&] { left_ -= arrivals; });
  }
  bool try_wait() {
    return queue_.try_take([this] { return left_ <= 0; });
  }
  void wait() {
    queue_.wait(tasks::waitable::latch, [this] { return left_ <= 0; });
  }
  void arrive_and_wait(std::ptrdiff_t arrivals = 1) {
    count_down(arrivals);
    wait();
  }

 private:
  tasks::wait_queue queue_;
  std::ptrdiff_t left_;
};

/// A number of permits. `Most` says how many there may be, for readers.
template <std::ptrdiff_t Most = std::numeric_limits<std::ptrdiff_t>::max()>
class counting_semaphore {
 public:
  explicit constexpr counting_semaphore(std::ptrdiff_t permits) : permits_(permits) {}
  static constexpr std::ptrdiff_t max() { return Most; }

  void release(std::ptrdiff_t more = 1) {
    queue_.change([&] { permits_ += more; });
  }
  void acquire() {
    queue_.wait(tasks::waitable::semaphore, [this] { return take(); });
  }
  bool try_acquire() {
    return queue_.try_take([this] { return take(); });
  }
  template <class Rep, class Period>
  bool try_acquire_for(const std::chrono::duration<Rep, Period>& limit) {
    return queue_.wait_for(tasks::waitable::semaphore, [this] { return take(); }, tasks::limit_of(limit));
  }
  template <class Clock, class Duration>
  bool try_acquire_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return try_acquire_for(tasks::limit_of(moment));
  }

 private:
  bool take() {
    if (permits_ <= 0) return false;
    --permits_;
    return true;
  }

  tasks::wait_queue queue_;
  std::ptrdiff_t permits_;
};

using binary_semaphore = counting_semaphore<1>;

/// Names an event of some PE; may travel in messages. Valid while the event lives.
struct event_name {
  pe_t pe;               ///< whose event it is
  std::uint64_t address; ///< in that PE's process
};

/// A future of several things: true when all its dependencies have been signalled, on whichever PE.
class event {
 public:
  /// `dependencies` signals make it true; with none it is. Belongs to the PE that makes it.
  explicit event(std::ptrdiff_t dependencies) : left_(dependencies) {}

  /// For `signal` on other PEs; `here` is this one.
  event_name name(pe_t here) const { return {here, reinterpret_cast<std::uint64_t>(this)}; }

  void signal() {
    queue_.change([this] { --left_; });
  }
  bool ready() {
    return queue_.try_take([this] { return left_ <= 0; });
  }
  /// What was written before the signals is seen after it: on this PE. What other PEs have written to its
  /// memory is there if they completed it (`complete_own`) before they signalled.
  void wait() {
    queue_.wait(tasks::waitable::event, [this] { return left_ <= 0; });
  }

 private:
  tasks::wait_queue queue_;
  std::ptrdiff_t left_;
};

/// Signals an event of any PE, by a remote call (call.hpp says who may, and when it leaves).
inline void signal(event_name e) {
  tasks::call_one_way(
      e.pe, [](std::uint64_t address) { reinterpret_cast<event*>(address)->signal(); }, e.address);
}

} // namespace windrow
