// SPDX-License-Identifier: BSD-3-Clause
// Queues of code that waits for something. src/tasks/README.md has the protocol.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace windrow::tasks {

struct task;
class worker;

/// What is waited for, for the report of a stall.
enum class waitable : std::uint8_t { mutex, condition, latch, semaphore, event, future };

/// What holds a mutex that the caller locks: the running light thread, or this thread.
const void* holder();
/// Ends the job: a mutex is unlocked that somebody else holds, or nobody.
[[noreturn]] void refuse_unlock(bool another_holds_it);
/// Ends the job: who waits for a condition does not hold the mutex.
[[noreturn]] void refuse_wait_without_lock();

/// Converts a timeout to a deadline of the PE's clock, and a deadline to the time left. Ends the job on a
/// thread that is no worker.
std::uint64_t moment_after(std::chrono::nanoseconds limit);
std::chrono::nanoseconds left_until(std::uint64_t moment_ns);

/// Code that waits, on its own stack.
struct waiter {
  bool (*take)(void* argument); ///< called under the lock: it may go on, and has taken what it waits for
  void* argument;
  waiter* next = nullptr;
  waiter* beneath = nullptr; ///< on the same stack, the next one down in this queue
  worker* on = nullptr;      ///< on whose stack it is; null: it is a light thread
  task* light = nullptr;     ///< that light thread
  bool may_go_on = false;    ///< has been granted; it is no longer in the queue
  bool gave_up = false;      ///< its time is over; it is no longer there either
};

/// Waiters for one thing, in their order, and the lock under which that changes.
class wait_queue {
 public:
  constexpr wait_queue() = default;
  wait_queue(const wait_queue&) = delete;
  wait_queue& operator=(const wait_queue&) = delete;

  /// Calls `change()` under the lock. Then those go on whose turn it is and who can take what they wait for.
  /// Any thread. `change` must not throw.
  template <class Change>
  void change(Change change) {
    lock();
    change();
    if (light_.first == nullptr && stacks_.first == nullptr)
      unlock();
    else
      grant_and_unlock();
  }
  /// `take()` under the lock, without waiting.
  template <class Take>
  bool try_take(Take take) {
    lock();
    const bool taken = take();
    unlock();
    return taken;
  }
  /// Returns once `take()` has been true: here, under the lock, or where `change` is called. It must not
  /// throw.
  template <class Take>
  void wait(waitable what, Take take) {
    lock();
    if (take()) return unlock();
    waiter me{[](void* t) { return (*static_cast<Take*>(t))(); }, &take};
    unlock_and_wait(me, what);
  }
  /// Like `wait`, for at most `limit`. Returns false if the time is over, with nothing taken.
  template <class Take>
  bool wait_for(waitable what, Take take, std::chrono::nanoseconds limit) {
    lock();
    const bool taken = take();
    if (taken || limit <= limit.zero()) return unlock(), taken;
    waiter me{[](void* t) { return (*static_cast<Take*>(t))(); }, &take};
    return unlock_and_wait_for(me, what, limit);
  }

  // For code that waits to be told, whatever the state: it enters, makes that known, and sleeps.

  /// The caller waits from now on. Ends the job where it may not wait, or if the `argument` of those that
  /// wait is another one: they wait with another mutex.
  void enter(waiter&, waitable);
  /// Returns when it may go on.
  void sleep(waiter&, waitable);
  /// Like `sleep`, for at most `limit`. Returns false if the time is over.
  bool sleep_for(waiter&, waitable, std::chrono::nanoseconds limit);
  /// The one that has waited longest goes on, light threads first; or all. Of those on one stack the newest
  /// goes on, since nobody else there can.
  void grant_one();
  void grant_all();

 private:
  struct limited_wait;
  struct list {
    waiter* first = nullptr;
    waiter** end = nullptr; ///< null: at `first`

    void add(waiter& w) {
      w.next = nullptr;
      *(first == nullptr ? &first : end) = &w;
      end = &w.next;
    }
    void grant(waiter& w) {
      w.may_go_on = true;
      add(w);
    }
    waiter* take_first() {
      waiter* const w = first;
      if (w != nullptr) first = w->next;
      return w;
    }
    void remove(waiter&);
    void replace(waiter& w, waiter& by);
  };

  void lock() {
    if (locked_.exchange(true, std::memory_order_acquire)) [[unlikely]]
      lock_when_free();
  }
  void lock_when_free();
  worker& enter_and_unlock(waiter&, waitable);
  void unlock_and_wait(waiter&, waitable);
  bool unlock_and_wait_for(waiter&, waitable, std::chrono::nanoseconds limit);
  void unlock() { locked_.store(false, std::memory_order_release); }
  void grant_and_unlock();
  void unlock_and_resume(list& granted);
  void wait_on_stack(waiter&, waitable);
  bool may_go_on(waiter&);
  void give_up(waiter&);
  waiter* newest_on(const worker&) const;
  void add_on_stack(waiter&);
  void remove_on_stack(waiter&);
  void grant_on_stack(waiter& newest);

  std::atomic<bool> locked_ = false;
  list light_; ///< suspended light threads: the code that changes something takes for them
  /// Others, who take for themselves: what runs above them on their stack may be in need first. The newest of
  /// each worker; those that lie beneath it hang on it.
  list stacks_;
};

} // namespace windrow::tasks
