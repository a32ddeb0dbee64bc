// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/detail/wait_queue.hpp"

#include <utility>

#include "base/fatal.hpp"
#include "os/cpu.hpp"
#include "tasks/waiting.hpp"
#include "tasks/worker.hpp"

namespace windrow::tasks {

namespace {

constexpr transport::wait_kind kinds[] = {
    {.text = "a mutex", .needs_all_pes = false},  {.text = "a condition variable", .needs_all_pes = false},
    {.text = "a latch", .needs_all_pes = false},  {.text = "a semaphore", .needs_all_pes = false},
    {.text = "an event", .needs_all_pes = false}, {.text = "a future", .needs_all_pes = false},
};

const transport::wait_kind& kind_of(waitable what) {
  return kinds[static_cast<std::size_t>(what)];
}

} // namespace

const void* holder() {
  static constinit thread_local char this_thread = 0;
  const worker* const here = worker::current();
  const void* const light = here != nullptr ? here->light() : nullptr;
  return light != nullptr ? light : &this_thread;
}

void refuse_unlock(bool another_holds_it) {
  base::fatal(
      another_holds_it
          ? "mutex: unlock by other code than that which has locked it; unlock it in the same task or "
            "light thread, or use a semaphore"
          : "mutex: unlock of a mutex that is not locked; lock it first, and unlock it once");
}

void refuse_wait_without_lock() {
  base::fatal("condition_variable: wait without the mutex; lock it first, with the lock that wait is given");
}

namespace {

[[noreturn]] void refuse_two_mutexes() {
  base::fatal(
      "condition_variable: wait with a lock of another mutex than that of those who wait already; use one "
      "mutex with each condition variable");
}

} // namespace

// ---- list

void wait_queue::list::remove(waiter& w) {
  waiter** at = &first;
  while (*at != &w) at = &(*at)->next;
  *at = w.next;
  if (end == &w.next) end = at;
}

void wait_queue::list::replace(waiter& w, waiter& by) {
  waiter** at = &first;
  while (*at != &w) at = &(*at)->next;
  *at = &by;
  by.next = w.next;
  if (end == &w.next) end = &by.next;
}

// ---- those on stacks

waiter* wait_queue::newest_on(const worker& stack) const {
  waiter* w = stacks_.first;
  while (w != nullptr && w->on != &stack) w = w->next;
  return w;
}

void wait_queue::add_on_stack(waiter& me) {
  me.beneath = newest_on(*me.on);
  me.beneath == nullptr ? stacks_.add(me) : stacks_.replace(*me.beneath, me);
}

// One whose time is over may lie beneath others.
void wait_queue::remove_on_stack(waiter& me) {
  waiter* above = newest_on(*me.on);
  if (above == &me) return me.beneath == nullptr ? stacks_.remove(me) : stacks_.replace(me, *me.beneath);
  while (above->beneath != &me) above = above->beneath;
  above->beneath = me.beneath;
}

// What lies beneath has its turn behind the other workers.
void wait_queue::grant_on_stack(waiter& newest) {
  if (newest.beneath != nullptr) stacks_.add(*newest.beneath);
  newest.may_go_on = true;
  newest.on->wake();
}

// ---- wait_queue

// Held for some instructions, but by threads that may be interrupted.
void wait_queue::lock_when_free() {
  int turn = 0;
  do
    for (; locked_.load(std::memory_order_relaxed); ++turn) turn < 64 ? os::pause() : os::yield();
  while (locked_.exchange(true, std::memory_order_acquire));
}

// After `unlock` this is touched no more, nor are those on stacks; light threads stay until they are resumed.
inline void wait_queue::unlock_and_resume(list& granted) {
  unlock();
  for (waiter* w = granted.first; w != nullptr;) go_on_later(*std::exchange(w, w->next)->light);
}

void wait_queue::grant_and_unlock() {
  list granted;
  while (light_.first != nullptr && light_.first->take(light_.first->argument))
    granted.grant(*light_.take_first());
  for (waiter* w = stacks_.first; w != nullptr; w = w->next) w->on->wake();
  unlock_and_resume(granted);
}

inline worker& wait_queue::enter_and_unlock(waiter& me, waitable what) {
  worker* const here = worker::current();
  const bool usual = here != nullptr && here->may_surely_wait();
  if (!usual) [[unlikely]] {
    unlock(); // the job may end
    worker::here("a wait").require_may_wait_for(kind_of(what));
    lock();
  }
  me.light = here->light();
  if (me.light == nullptr) me.on = here;
  me.on == nullptr ? light_.add(me) : add_on_stack(me);
  usual ? unlock() : grant_and_unlock(); // it may have become true meanwhile
  return *here;
}

void wait_queue::enter(waiter& me, waitable what) {
  lock();
  const waiter* const other = light_.first != nullptr ? light_.first : stacks_.first;
  if (other != nullptr && other->argument != me.argument) [[unlikely]]
    refuse_two_mutexes();
  enter_and_unlock(me, what);
}

void wait_queue::unlock_and_wait(waiter& me, waitable what) {
  worker& here = enter_and_unlock(me, what);
  me.on == nullptr ? here.suspend(kind_of(what), this) : wait_on_stack(me, what);
}

bool wait_queue::unlock_and_wait_for(waiter& me, waitable what, std::chrono::nanoseconds limit) {
  enter_and_unlock(me, what);
  return sleep_for(me, what, limit);
}

void wait_queue::sleep(waiter& me, waitable what) {
  me.on == nullptr ? worker::current()->suspend(kind_of(what), this) : wait_on_stack(me, what);
}

void wait_queue::wait_on_stack(waiter& me, waitable what) {
  me.on->wait_until(kind_of(what), [&] { return may_go_on(me); });
}

/// Of one that waits in a queue.
struct wait_queue::limited_wait : timed_wait {
  limited_wait(wait_queue& q, waiter& w, std::uint64_t due)
      : timed_wait{due,
                   [](timed_wait& over) {
                     auto& [queue, who] = static_cast<limited_wait&>(over).waits;
                     queue.give_up(who);
                   }},
        waits(q, w) {}

  std::pair<wait_queue&, waiter&> waits;
};

bool wait_queue::sleep_for(waiter& me, waitable what, std::chrono::nanoseconds limit) {
  worker& here = *worker::current();
  limited_wait wait(*this, me, here.moment_after(limit));
  here.begin_limit(wait);
  if (me.light != nullptr)
    here.suspend(kind_of(what), this);
  else
    here.wait_until(kind_of(what), [&] { return me.gave_up || may_go_on(me); });
  here.end_limit(wait);
  return me.may_go_on;
}

// By its worker, so a light thread that is still in the queue has been suspended, and nobody else resumes it.
void wait_queue::give_up(waiter& me) {
  lock();
  if (!me.may_go_on) {
    me.light != nullptr ? light_.remove(me) : remove_on_stack(me);
    me.gave_up = true;
  }
  unlock();
  if (me.gave_up && me.light != nullptr) go_on_later(*me.light);
}

// Of one that is on the stack of this thread. Asked again after it was true.
bool wait_queue::may_go_on(waiter& me) {
  if (me.on == nullptr) return true;
  lock();
  if (!me.may_go_on && me.take(me.argument)) {
    remove_on_stack(me);
    me.may_go_on = true;
  }
  const bool yes = me.may_go_on;
  unlock();
  if (yes) me.on = nullptr;
  return yes;
}

void wait_queue::grant_one() {
  lock();
  list granted;
  if (waiter* const w = light_.take_first())
    granted.grant(*w);
  else if (waiter* const newest = stacks_.take_first())
    grant_on_stack(*newest);
  unlock_and_resume(granted);
}

void wait_queue::grant_all() {
  lock();
  list granted;
  while (waiter* const w = light_.take_first()) granted.grant(*w);
  while (waiter* const newest = stacks_.take_first()) grant_on_stack(*newest);
  unlock_and_resume(granted);
}

} // namespace windrow::tasks
