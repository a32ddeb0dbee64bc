// SPDX-License-Identifier: BSD-3-Clause
// An exception leaves main code of all PEs while tasks are alive: the subject of unwinding_test.py, which
// names the tasks. PE 0 tells how many have ended; the others stay until the launcher has seen the end of PE
// 0.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "windrow/mobile.hpp"
#include "windrow/windrow.hpp"

namespace {

using windrow::job;
using namespace std::chrono_literals;

std::atomic<long> ended = 0;

void await_calls() {
  for (int i = 0; i < 50; ++i) ended += windrow::call(job::of_this_process()->pe(), [] { return 1; }).get();
}

void start_light_thread(job&) {
  windrow::spawn(await_calls);
}

void start_tasks(job&) {
  for (int i = 0; i < 20; ++i) windrow::async_at(i % windrow::workers(), await_calls);
}

struct branch_out {
  void operator()(int depth) const {
    if (depth > 0) {
      windrow::finish([=] {
        for (int i = 0; i < 2; ++i) windrow::async_portable(branch_out(), depth - 1);
      });
    } else {
      std::this_thread::sleep_for(1ms);
    }
    ++ended;
  }
};

// While main code is busy, other workers of all PEs steal.
void start_tree(job& j) {
  if (j.pe() == 0)
    windrow::async_portable(branch_out(), 8);
  else
    windrow::async([] {});
  std::this_thread::sleep_for(20ms);
}

struct work_and_branch_out {
  void operator()(int depth) const {
    volatile int work = 0;
    for (int i = 0; i < 2000; ++i) work = work + i;
    for (int child = 0; depth > 0 && child < 2; ++child)
      windrow::async_portable(work_and_branch_out(), depth - 1);
  }
};

// Main code of PE 0 alone is left, while tasks wait in queues, run, and have been stolen by PEs in a barrier.
void start_many_of_which_one_pe_is_left(job& j) {
  for (int i = 0; i < 300; ++i) windrow::async_portable(work_and_branch_out(), 4);
  windrow::spawn([] { windrow::finish([] { windrow::async_portable(work_and_branch_out(), 4); }); });
  for (int i = 0; i < 20; ++i) windrow::yield();
  if (j.pe() != 0) j.barrier();
}

using flag = windrow::global_ptr<int>;

std::atomic_ref<int> at(flag f, windrow::pe_t pe) {
  return std::atomic_ref(*job::of_this_process()->local(f.on(pe)));
}

void await(flag f) {
  while (at(f, job::of_this_process()->pe()) == 0) std::this_thread::yield();
}

struct be_stolen {
  void operator()(flag begun) const {
    for (windrow::pe_t pe = 0; pe < 2; ++pe) at(begun, pe) = 1;
    std::this_thread::sleep_for(100ms); // until both have thrown
  }
};

struct wait_for_the_thief {
  void operator()(flag begun) const { await(begun); }
};

// A worker of PE 0 waits for a task that a worker of PE 1 runs.
void start_stolen(job& j) {
  const auto begun = j.allocate<int>(1);
  if (j.pe() == 0)
    windrow::async_at(1, [=] {
      windrow::finish([=] {
        windrow::async_portable(be_stolen(), begun);
        windrow::async_portable(wait_for_the_thief(), begun);
      });
      ++ended;
    });
  else
    windrow::async([] {});
  await(begun);
}

struct counter {
  int value = 0;
  int slow() {
    std::this_thread::sleep_for(1ms);
    return ++value;
  }
};

// A light thread waits for its second result while main code leaves the space.
void leave_objects(job& j, windrow::handlers where) {
  windrow::object_space space(j, where);
  const auto one = space.make<counter>();
  static std::atomic<bool> begun = false;
  windrow::spawn_at(windrow::communication_worker, [one] {
    try {
      for (int i = 0; i < 2; ++i, begun = true) ended += one.call<&counter::slow>().get() > 0 ? 1 : 0;
    } catch (const windrow::error&) { // there are no more results
    }
  });
  windrow::wait_until([] { return begun.load(); });
  throw std::runtime_error("thrown");
}
void leave_objects_of_own_thread(job& j) {
  leave_objects(j, windrow::handlers::on_own_thread);
}
void leave_objects_of_all_workers(job& j) {
  leave_objects(j, windrow::handlers::on_all_workers);
}

// What waits for no answer keeps nothing for one, which never comes from a PE that does nothing more.
void signal_who_ends(job& j) {
  static windrow::event signalled(1000);
  const auto mine = signalled.name(j.pe());
  std::vector<windrow::event_name> names(static_cast<std::size_t>(j.pes()));
  j.world().allgather(std::span<const windrow::event_name>(&mine, 1), std::span(names));
  if (j.pe() == 0)
    for (int i = 0; i < 1000; ++i) windrow::signal(names.back());
}

// What would open it is the code that the exception leaves.
void start_behind_a_gate(job&) {
  static windrow::latch gate(1);
  windrow::spawn("behind the gate", [] { gate.wait(); });
  windrow::yield();
}

const std::map<std::string, void (*)(job&)> cases = {
    {"light_thread", start_light_thread},
    {"tasks", start_tasks},
    {"tree", start_tree},
    {"stolen", start_stolen},
    {"objects", leave_objects_of_own_thread},
    {"objects_of_all_workers", leave_objects_of_all_workers},
    {"signals", signal_who_ends},
    {"gate", start_behind_a_gate},
    {"one_pe", start_many_of_which_one_pe_is_left},
};

} // namespace

int main(int argc, char** argv) {
  windrow::pe_t pe = -1;
  try {
    job j(argc, argv);
    pe = j.pe();
    cases.at(argv[1])(j);
    throw std::runtime_error("thrown");
  } catch (const std::runtime_error& e) {
    if (pe != 0) std::this_thread::sleep_for(30s);
    std::printf("%s, %ld ended\n", e.what(), ended.load());
  }
  return 3;
}
