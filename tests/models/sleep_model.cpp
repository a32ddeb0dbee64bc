// SPDX-License-Identifier: BSD-3-Clause
// Workers that sleep where there is nothing to run, and are woken by tasks: in a deque that they may steal
// from, given to one of them, or in a queue of which each has a note. Each task is had once, by one who sees
// what is in it; nobody sleeps for ever.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "tests/models/model.hpp"

namespace model {
#include "tasks/arrivals.hpp"
#include "tasks/shared_queue.hpp"
#include "tasks/work_deque.hpp"
#include "tasks/worker_sleep.hpp"
} // namespace model

#include "tests/models/futex.hpp"

namespace {

using model::windrow::tasks::worker_sleep;

constexpr int workers = 3, tasks = 2;

struct item {
  rl::var<int> number;
  item* next = nullptr;
};

/// Of what ends, and who had what.
struct work {
  item all[tasks];
  rl::var<int> had[tasks]; ///< by threads that Relacy sees race if two have the same
  rl::atomic<int> alive;   ///< tasks

  void begin() {
    for (auto& one : had) one($) = 0;
    alive($).store(tasks, rl::mo_relaxed);
  }
  item& make(int i) {
    all[i].number($) = i;
    return all[i];
  }
  void run(item& one) {
    const int i = one.number($);
    RL_ASSERT(&one == &all[i] && had[i]($) == 0);
    had[i]($) = 1;
  }
  void end() {
    for (auto& one : had) RL_ASSERT(one($) == 1);
  }
};

struct worker {
  worker_sleep sleep;
  bool wake_thief() { return sleep.wake_thief(); }
};

/// One worker starts tasks and waits for their end; two steal until the last one has ended. If the first one
/// waits as in a handler, it steals nothing.
template <bool in_handler>
struct stealing : rl::test_suite<stealing<in_handler>, workers> {
  work w;
  ::std::optional<model::windrow::tasks::work_deque<item>> deque;
  worker* all[workers];
  ::std::optional<model::std::atomic<int>> thieves;
  rl::atomic<int> stop;

  void before() {
    w.begin();
    deque.emplace(true, 4);
    thieves.emplace(0);
    for (auto& one : all) one = new worker;
    stop($).store(0, rl::mo_relaxed);
  }
  void thread(unsigned index) {
    index == 0 ? start() : serve(*all[index], [this] { return stop($).load(rl::mo_seq_cst) != 0; });
  }
  void start() {
    for (int i = 0; i < tasks; ++i) {
      deque->push(&w.make(i));
      worker_sleep::wake_one_of(*thieves, all);
    }
    const auto over = [this] { return w.alive($).load(rl::mo_seq_cst) == 0; };
    if (in_handler)
      while (!over()) all[0]->sleep.unless(over, [] { return ::std::chrono::hours(1); }, nullptr);
    else
      serve(*all[0], over);
    stop($).store(1, rl::mo_seq_cst);
    for (auto* one : all) one->sleep.wake();
  }
  template <class Done>
  void serve(worker& me, Done done) {
    while (!done()) {
      if (item* one = &me == all[0] ? deque->take() : deque->steal())
        run(*one);
      else
        me.sleep.unless([&] { return done() || deque->size() > 0; }, [] { return ::std::chrono::hours(1); },
                        &*thieves);
    }
  }
  void run(item& one) {
    w.run(one);
    w.alive($).fetch_sub(1, rl::mo_seq_cst);
    all[0]->sleep.wake();
  }
  void after() {
    RL_ASSERT(thieves->load(::std::memory_order_relaxed) == 0);
    for (auto* one : all) {
      RL_ASSERT(!one->sleep.sleeps());
      delete one;
    }
    thieves.reset();
    deque.reset();
    w.end();
  }
};

/// Two give a task each to a third one.
struct giving : rl::test_suite<giving, workers> {
  work w;
  ::std::optional<model::windrow::tasks::arrivals<item>> arrived;
  ::std::optional<worker_sleep> sleep;

  void before() {
    w.begin();
    arrived.emplace();
    sleep.emplace();
  }
  void thread(unsigned index) {
    if (index < tasks) {
      arrived->add(w.make(static_cast<int>(index)));
      sleep->wake();
    } else {
      receive();
    }
  }
  void receive() {
    for (int had = 0; had < tasks;) {
      if (!arrived->any_seen()) {
        sleep->unless([&] { return arrived->any(); }, [] { return ::std::chrono::hours(1); }, nullptr);
        continue;
      }
      for (item* one = arrived->take_all(); one != nullptr; ++had) w.run(*::std::exchange(one, one->next));
    }
  }
  void after() {
    sleep.reset();
    arrived.reset();
    w.end();
  }
};

/// One puts tasks into a queue and writes notes for two workers, of which one that sleeps is woken: neither
/// has another reason to look.
struct noting : rl::test_suite<noting, workers> {
  static constexpr int lookers = workers - 1;

  struct looker : worker {
    model::windrow::tasks::note note;
    model::windrow::tasks::arrivals<item> arrived;
    item notice;

    void look() {
      if (note.write()) arrived.add(notice);
    }
  };

  work w;
  ::std::optional<model::windrow::tasks::shared_queue<item>> queue;
  looker* all[lookers];
  ::std::optional<worker_sleep> waits;
  ::std::optional<model::std::atomic<int>> thieves;
  rl::atomic<int> stop;

  void before() {
    w.begin();
    queue.emplace();
    for (auto& one : all) one = new looker;
    waits.emplace();
    thieves.emplace(0);
    stop($).store(0, rl::mo_relaxed);
  }
  void thread(unsigned index) { index < lookers ? serve(*all[index]) : start(); }
  void start() {
    for (int i = 0; i < tasks; ++i) {
      queue->add(w.make(i));
      for (auto* one : all) one->look();
      worker_sleep::wake_one_of(*thieves, all);
    }
    while (w.alive($).load(rl::mo_seq_cst) > 0)
      waits->unless([this] { return w.alive($).load(rl::mo_seq_cst) == 0; },
                    [] { return ::std::chrono::hours(1); }, nullptr);
    stop($).store(1, rl::mo_seq_cst);
    for (auto* one : all) one->sleep.wake();
  }
  void serve(looker& me) {
    const auto over = [this] { return stop($).load(rl::mo_seq_cst) != 0; };
    while (!over()) {
      if (me.arrived.any_seen())
        take_one(me);
      else
        me.sleep.unless([&] { return over() || me.arrived.any(); }, [] { return ::std::chrono::hours(1); },
                        &*thieves);
    }
  }
  void take_one(looker& me) {
    RL_ASSERT(me.arrived.take_all() == &me.notice && me.notice.next == nullptr);
    me.note.take_back();
    item* const one = queue->take();
    if (one == nullptr) return;
    if (queue->any()) me.look();
    w.run(*one);
    w.alive($).fetch_sub(1, rl::mo_seq_cst);
    waits->wake();
  }
  void after() {
    for (auto* one : all) delete one;
    queue.reset();
    waits.reset();
    thieves.reset();
    w.end();
  }
};

} // namespace

int main(int argc, char** argv) {
  // Who sleeps says so after it has read the bell. Who has seen the count of thieves sees what each has said
  // before. What changes a word by exchange or addition sees the latest value, and the system's futex orders
  // the rest. Who still sees a worker sleep that has woken up wakes it in vain. A top of long ago makes a
  // deque look fuller. In Relacy stores are never late, but loads are early: where a note is taken back, the
  // load of the size behind that is changed.
  return model::check<stealing<false>, stealing<true>, giving, noting>(
      argc, argv, 12'000,
      {{"unless(", "bell_.load"},
       {"unless(", "rest_.store(rest::awake"},
       {"unless(", "fetch_sub"},
       {"sleeps()", "rest_.load"},
       {"wake_thief()", "rest_.load"},
       {"wake_from(", "compare_exchange"},
       {"wake_from(", "fetch_add"},
       {"size()", "top_.load"},
       {"write()", "exchange"},
       {"take_back()", "store"},
       {"steal()", "", model::change::none},
       {"take()", "", model::change::none},
       {"push(", "", model::change::none}});
}
