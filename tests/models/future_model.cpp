// SPDX-License-Identifier: BSD-3-Clause
// Light threads and code on the stacks of workers wait for the result of a future, some of them up to a
// moment, and continuations follow it; others wait in queues for a semaphore or a condition. Whoever goes on
// sees what was written before, goes on once, and nobody sleeps for ever.
#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tests/models/model.hpp"

namespace model {
#define constexpr // Relacy makes no atomic object before a program begins
#include "windrow/detail/wait_queue.hpp"
#undef constexpr
#include "tasks/continuation.cpp"
#include "tasks/task.cpp"
#include "tasks/wait_queue.cpp"
} // namespace model

#include "tests/models/futex.hpp"

namespace model::windrow {

void os::yield() {
  rl::yield(1, $);
}
void base::fatal(::std::string_view) {
  RL_ASSERT(false);
  ::std::abort();
}

// What no model does.
namespace tasks {
closure_task& worker::new_task() {
  ::std::abort();
}
void worker::start(task&) {
  ::std::abort();
}
void worker::start_at(worker&, task&) {
  ::std::abort();
}
} // namespace tasks
template <class Following, class F>
void deferral::continuations::run_complete(F) {
  ::std::abort();
}

} // namespace model::windrow

namespace {

namespace tasks = model::windrow::tasks;

constexpr int threads = 3;
constexpr auto limit = ::std::chrono::hours(1);

/// A worker for each thread.
struct workers {
  ::std::optional<tasks::pool> pool;

  void begin() {
    pool.emplace();
    for (int i = 0; i < threads; ++i) tasks::worker::of_threads[i] = new tasks::worker(*pool, i);
  }
  void end() {
    for (int i = 0; i < threads; ++i) delete ::std::exchange(tasks::worker::of_threads[i], nullptr);
    pool.reset();
  }
};

/// A future, the value that belongs to it, and what follows.
struct outcome {
  ::std::shared_ptr<tasks::future_state> future;
  rl::var<int> value;

  void begin() {
    future = ::std::make_shared<tasks::future_state>();
    value($) = 0;
  }
  void bring() {
    value($) = 1;
    future->complete();
  }
  void look() { RL_ASSERT(value($) == 1); }
};

struct follower final : tasks::continuation {
  explicit follower(outcome& r) : follows(r) {}
  void follow() noexcept override {
    follows.look();
    ++times;
    delete this;
  }
  void drop() noexcept override { RL_ASSERT(false); }
  outcome& follows;
  static inline int times = 0; ///< that any has been started
};

} // namespace

// At once, where the pool gives it to the communication worker.
void tasks::pool::start_continuation(task& t) {
  auto& f = static_cast<continuation&>(t);
  RL_ASSERT(f.result != nullptr);
  f.follow();
}

namespace {

/// One brings a result, two wait for it.
struct waits : rl::test_suite<waits, threads> {
  workers all;
  outcome r;

  void before() {
    all.begin();
    r.begin();
  }
  void thread(unsigned index) {
    if (index == 0) return r.bring();
    if (index == 1) tasks::worker::current()->run_light();
    r.future->wait();
    r.look();
  }
  void after() {
    r.future.reset();
    all.end();
  }
};

/// The same with a limit of time.
struct limited_waits : waits {
  void thread(unsigned index) {
    if (index == 0) return r.bring();
    if (index == 1) tasks::worker::current()->run_light();
    if (r.future->wait_for(limit)) r.look();
  }
};

/// One brings a result, two let something follow it.
struct follows : waits {
  void before() {
    waits::before();
    follower::times = 0;
  }
  void thread(unsigned index) {
    if (index == 0) return r.bring();
    r.future->attach(tasks::owned_continuation(new follower(r)));
  }
  void after() {
    waits::after();
    RL_ASSERT(follower::times == threads - 1);
  }
};

/// What would follow is destroyed, as the result will never be there.
struct abandons : waits {
  struct forgotten final : tasks::continuation {
    explicit forgotten(abandons& a) : all(a) { written($) = 1; }
    void follow() noexcept override { RL_ASSERT(false); }
    void drop() noexcept override {
      RL_ASSERT(written($) == 1);
      ++all.destroyed;
      delete this;
    }

    rl::var<int> written;
    abandons& all;
  };
  int destroyed = 0;

  void thread(unsigned index) {
    if (index == 0) return r.future->abandon();
    r.future->attach(tasks::owned_continuation(new forgotten(*this)));
  }
  void after() {
    waits::after();
    RL_ASSERT(destroyed == threads - 1);
  }
};

/// Two take what one makes, one of each thing; they wait on a stack and in a light thread.
template <bool limited>
struct semaphore : rl::test_suite<semaphore<limited>, threads> {
  workers all;
  ::std::optional<tasks::wait_queue> queue;
  rl::var<int> there;

  void before() {
    all.begin();
    queue.emplace();
    there($) = 0;
  }
  bool take() {
    const int now = there($);
    if (now > 0) there($) = now - 1;
    return now > 0;
  }
  void thread(unsigned index) {
    if (index == 0) {
      for (int i = 1; i < threads; ++i) queue->change([this] { there($) = there($) + 1; });
      return;
    }
    if (index == 1) tasks::worker::current()->run_light();
    if (!limited)
      queue->wait(tasks::waitable::semaphore, [this] { return take(); });
    else if (!queue->wait_for(tasks::waitable::semaphore, [this] { return take(); }, limit))
      queue->change([this] { there($) = there($) - 1; }); // has taken nothing
  }
  void after() {
    RL_ASSERT(there($) == 0);
    queue.reset();
    all.end();
  }
};

/// Two wait for a condition that one makes true.
template <bool limited>
struct condition : rl::test_suite<condition<limited>, threads> {
  workers all;
  ::std::optional<tasks::wait_queue> mutex, told;
  rl::var<int> held, yes;

  void before() {
    all.begin();
    mutex.emplace();
    told.emplace();
    held($) = yes($) = 0;
  }
  void lock() {
    mutex->wait(tasks::waitable::mutex, [this] {
      const bool free = held($) == 0;
      if (free) held($) = 1;
      return free;
    });
  }
  void unlock() {
    mutex->change([this] { held($) = 0; });
  }
  void thread(unsigned index) {
    if (index == 0) return tell();
    if (index == 1) tasks::worker::current()->run_light();
    lock();
    for (bool in_time = true; in_time && yes($) == 0; lock()) {
      tasks::waiter me{[](void*) { return false; }, nullptr};
      told->enter(me, tasks::waitable::condition);
      unlock();
      if (limited)
        in_time = told->sleep_for(me, tasks::waitable::condition, limit);
      else
        told->sleep(me, tasks::waitable::condition);
    }
    unlock();
  }
  void tell() {
    lock();
    yes($) = 1;
    unlock();
    if (limited)
      for (int i = 1; i < threads; ++i) told->grant_one();
    else
      told->grant_all();
  }
  void after() {
    told.reset();
    mutex.reset();
    all.end();
  }
};

} // namespace

int main(int argc, char** argv) {
  // The list of light threads, that of continuations and the queue are one word each, which is exchanged: the
  // order of that word decides.
  return model::check<waits, limited_waits, follows, abandons, semaphore<false>, semaphore<true>,
                      condition<false>, condition<true>>(argc, argv, 10'000,
                                                         {{"goes_on_later(", "load"},
                                                          {"goes_on_later(", "compare_exchange"},
                                                          {"complete()", "waiting_light_.exchange"},
                                                          {"limited_waits()", "limited_.load"},
                                                          {"start_continuations(", "exchange"},
                                                          {"worker_sleep::", "", model::change::none},
                                                          {"arrivals<", "", model::change::none}});
}
