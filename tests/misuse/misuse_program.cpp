// SPDX-License-Identifier: BSD-3-Clause
// Does one wrong thing, named by its argument. misuse_test.py knows what must be said about it.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "windrow/mobile.hpp"
#include "windrow/windrow.hpp"

namespace {

using windrow::aggregate;
using windrow::context;
using windrow::global_ptr;
using windrow::job;

using table = windrow::array<std::uint64_t>;

// One send too many from a handler that gets no chance to let anything leave.
void overflow_spill(job& j) {
  struct message {
    std::uint64_t words[60];
  };
  windrow::stream<message> s(j, [&](std::span<const message>, windrow::pe_t) {
    for (int i = 0; i < 1'000'000; ++i) s.send(0, {});
  });
  s.send(j.pe(), {});
  s.barrier();
}

struct branch_out {
  void operator()(int depth) const {
    if (job::of_this_process()->pe() == 1 && depth == 15) std::raise(SIGKILL);
    for (int i = 0; depth < 20 && i < 2; ++i) windrow::async_portable(branch_out(), depth + 1);
  }
};

int recurse(int left) {
  volatile char kept[500];
  kept[left % 500] = 1;
  return left == 0 ? 0 : recurse(left - 1) + kept[left % 500];
}

// Its lowest byte only, as a buffer that is filled from its begin.
template <int bytes>
int touch_frame() {
  volatile char kept[bytes];
  kept[0] = 1;
  return kept[0];
}

windrow::deferred throw_at_once() {
  throw std::runtime_error("too early");
  co_return;
}

template <class Fetch>
windrow::deferred throw_after(Fetch fetch) {
  co_await std::move(fetch);
  throw 7;
}

void quiet_in_handler(job& j) {
  context ctx(j, aggregate);
  windrow::stream<int> s(j, [&](std::span<const int>, windrow::pe_t) { ctx.complete_own(); });
  s.send(j.pe(), 1);
  s.barrier();
}

template <class Wait>
void wait_in_continuation(job& j, Wait wait) {
  context ctx(j, aggregate);
  auto values = j.array<std::uint64_t>(2);
  ctx.fetch_inc(values[1]).then([&](std::uint64_t) { wait(ctx); });
  ctx.barrier();
}

// Every answer leads to two more questions.
void defer_without_end(job& j) {
  context ctx(j, aggregate);
  auto values = j.array<std::uint64_t>(2);
  struct twice {
    context& ctx;
    table& values;
    void operator()(std::uint64_t) const {
      for (int i = 0; i < 2; ++i) ctx.fetch_inc(values[1]).then(*this);
    }
  };
  ctx.fetch_inc(values[1]).then(twice{ctx, values});
  ctx.barrier();
}

void atomic_at_the_owner(job& j) {
  static job* here;
  static table values;
  here = &j;
  values = j.array<std::uint64_t>(2);
  context ctx(j, aggregate);
  ctx.fetch_inc(values[1]).then_at_owner([](std::uint64_t) { windrow::inc(*here, values[0]); });
  ctx.barrier();
}

void barrier_in_handler(job& j) {
  windrow::stream<int> s(j, [&](std::span<const int>, windrow::pe_t) { j.barrier(); });
  s.send(j.pe(), 1);
  s.barrier();
}

// A handler's items of variable size are kept aside like all others.
void overflow_spill_with_one_item(job& j) {
  windrow::mailbox<std::string_view> m(j, [](auto& out, std::string_view item) {
    if (item.empty()) out.send(0, std::string(2'000'000, 'x'));
  });
  m.run([&] { m.send(j.pe(), ""); });
}

void run_in_handler(job& j) {
  windrow::mailbox<int> inner(j, [](int) {});
  windrow::mailbox<int> outer(j, [&](int) { inner.run([] {}); });
  outer.run([&] { outer.send(j.pe(), 1); });
}

void complete_in_handler(job& j) {
  windrow::mailbox<int> m(j, [&](int) { m.complete<0>(); });
  m.run([&] { m.send(j.pe(), 1); });
}

// The second mailbox's handler asks again when the stage of questions is over.
void send_to_stage_that_is_over(job& j) {
  windrow::selector<int, char> s(j, [](int) {}, [](auto& out, char) { out.reply(1); });
  s.run([&] {
    for (windrow::pe_t pe = 0; pe < j.pes(); ++pe)
      s.send(pe, 0); // room that is left over from the stage is of no use
    s.complete<int>();
    s.send(j.pe(), 'c');
  });
}

void different_selectors(job& j) {
  windrow::mailbox<int> a(j, [](int) {}), b(j, [](int) {});
  (j.pe() == 0 ? a : b).run([] {});
}

// PE 0 waits for an answer that PE 1, which only computes, never gives.
void stall(job& j) {
  context ctx(j, aggregate);
  auto t = j.array<std::uint64_t>(2 * static_cast<std::uint64_t>(j.pes()));
  if (j.pe() == 0) {
    ctx.inc(t[t.size() - 1]);
    ctx.complete_own();
  }
  for (volatile int forever = 1; forever != 0;) {
  }
}

template <class T>
void fetch_range(job& j, windrow::pe_t owner, std::size_t offset, std::size_t count) {
  context ctx(j, aggregate);
  ctx.get(global_ptr<T>(owner, offset), count).then([](std::span<const T>) {});
  ctx.complete_own();
}

void leave_early(job& j) {
  if (j.pe() == 1) std::exit(0);
  j.barrier();
}

// Without a finish in the handler the task would outlive it.
void future_in_handler(job& j) {
  windrow::stream<int> s(
      j, [](std::span<const int>, windrow::pe_t) { windrow::async_future([] { return 42; }).get(); });
  s.send(j.pe(), 1);
  s.barrier();
}

// A finish remembers one light thread that waits for it.
void two_wait_for_a_group(job&) {
  windrow::task_group group;
  bool both = false;
  group.spawn([&] { windrow::wait_until([&] { return both; }); });
  windrow::finish([&] {
    windrow::async_at(windrow::communication_worker, [&] {
      windrow::spawn([&] { group.wait(); });
      windrow::spawn([&] { group.wait(); });
      both = true;
    });
  });
}

void main_code_and_a_light_thread_wait_for_a_group(job&) {
  windrow::task_group group;
  windrow::latch waited(1);
  group.spawn([&] { waited.wait(); });
  windrow::spawn([&] { group.wait(); });
  group.wait();
}

void group_on_another_thread(job&) {
  windrow::task_group group;
  std::thread([&] { group.wait(); }).join();
}

void task_waits_for_its_group(job&) {
  windrow::task_group group;
  group.async([&] { group.wait(); });
  group.wait();
}

void task_waits_for_its_group_in_a_finish(job&) {
  windrow::task_group group;
  group.async([&] { windrow::finish([&] { windrow::async([&] { group.wait(); }); }); });
  group.wait();
}

// Its tasks do not run before the handler has returned.
void group_in_handler(job& j) {
  windrow::task_group group;
  windrow::latch handled(1);
  group.spawn([&] { handled.wait(); });
  windrow::stream<int> s(j, [&](std::span<const int>, windrow::pe_t) { group.wait(); });
  s.send(j.pe(), 1);
  s.barrier();
}

windrow::deferred measure_a_wait(context& ctx, windrow::global_ptr<long> place) {
  const windrow::busy_time time;
  co_await ctx.fetch_add(*place, 1);
}

// It would be stopped and go on behind its end.
void coroutine_measures_its_wait(job& j) {
  const auto place = j.allocate<long>(1);
  context ctx(j, aggregate);
  measure_a_wait(ctx, place.on(1 - j.pe()));
  windrow::call(1 - j.pe(), [] {}).get();
  ctx.barrier();
}

// What is innermost behind the wait is the coroutine's.
void coroutine_measures_around_others(job& j) {
  const auto place = j.allocate<long>(1);
  context ctx(j, aggregate);
  measure_a_wait(ctx, place.on(1 - j.pe()));
  const windrow::busy_time time;
  ctx.barrier();
}

// The answer comes to the PE whose handler waits for the task.
void call_in_task_of_handler(job& j) {
  windrow::stream<int> s(j, [](std::span<const int>, windrow::pe_t) {
    windrow::finish([] { windrow::async([] { windrow::call(0, [] { return 42; }).get(); }); });
  });
  s.send(j.pe(), 1);
  s.barrier();
}

void fetch_in_task_of_handler(job& j) {
  context ctx(j, aggregate);
  auto values = j.array<std::uint64_t>(2);
  windrow::stream<int> s(j, [&](std::span<const int>, windrow::pe_t) {
    windrow::finish([&] { windrow::async([&] { ctx.fetch_inc(values[1]).get(); }); });
  });
  s.send(j.pe(), 1);
  s.barrier();
}

// The task may send, but the handler that waits for it must not be kept by other PEs.
void barrier_in_task_of_handler(job& j) {
  windrow::stream<int> s(j, [&](std::span<const int>, windrow::pe_t) {
    windrow::finish([&] { windrow::async_at(windrow::communication_worker, [&] { j.barrier(); }); });
  });
  s.send(j.pe(), 1);
  s.barrier();
}

void run_after_exception(job& j) {
  windrow::mailbox<int> m(j, [](int) {});
  try {
    m.run([] { throw std::runtime_error("in the body"); });
  } catch (const std::runtime_error&) { // on all PEs
  }
  m.run([] {});
}

void on_a_foreign_thread(const std::function<void()>& body) {
  std::thread(body).join();
}

// What the child says is what is looked for; the PE itself ends as if nothing had been noticed, if so.
void in_a_forked_child(job& j, const std::function<void()>& body) {
  const auto child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  j.barrier();
  if (status != 0) std::exit(WEXITSTATUS(status));
}

// Each task waits for the next one, which it has started itself.
long wait_deeply(long left) {
  return left == 0 ? 0 : 1 + windrow::async_future([left] { return wait_deeply(left - 1); }).get();
}

void endless_task(job&) {
  windrow::finish([] {
    windrow::async_at(1, [] {
      for (volatile int forever = 1; forever != 0;) {
      }
    });
  });
}

struct counter {
  int value = 0;
  void add(int more) { value += more; }
  void wait() const { job::of_this_process()->barrier(); }
  int get() const { return value; }
  void fail(int) { throw std::runtime_error("no more room"); }
  int refuse() const { throw 7; }
};

template <class Misuse>
void with_objects(job& j, Misuse misuse) {
  windrow::object_space space(j);
  misuse(space, j.world().broadcast(space.make<counter>(), 1));
  space.barrier();
}

const std::map<std::string, std::function<void(job&)>> cases{
    {"object_destroyed",
     [](job& j) {
       with_objects(j, [](auto&, auto p) {
         p.destroy();
         p.template send<&counter::add>(1);
       });
     }},
    {"object_destroyed_after_a_move",
     [](job& j) {
       with_objects(j, [&](auto& space, auto p) {
         p.migrate(0);
         space.barrier();
         if (j.pe() == 0) p.destroy();
         space.barrier();
         if (j.pe() == 1) p.template send<&counter::add>(1);
       });
     }},
    {"object_never_made",
     [](job& j) {
       with_objects(j, [](auto&, auto) { windrow::mobile_ptr<counter>(12345).send<&counter::add>(1); });
     }},
    {"object_null",
     [](job& j) {
       with_objects(j, [](auto&, auto) { windrow::mobile_ptr<counter>().send<&counter::add>(1); });
     }},
    {"object_pe", [](job& j) { with_objects(j, [](auto&, auto p) { p.migrate(2); }); }},
    {"object_without_space", [](job&) { windrow::mobile_ptr<counter>(1).send<&counter::add>(1); }},
    {"object_made_in_a_task",
     [](job& j) {
       with_objects(j, [](auto& space, auto) {
         windrow::finish([&] { windrow::async_at(1, [&] { space.template make<counter>(); }); });
       });
     }},
    {"object_inserted_in_a_task",
     [](job& j) {
       windrow::object_space space(j);
       windrow::collection<counter> all(space, 0, [](std::uint64_t) { return counter{}; }, 9);
       windrow::finish(
           [&] { windrow::async_at(1, [&] { all.insert(static_cast<std::uint64_t>(j.pe())); }); });
     }},
    {"object_visited_in_a_task",
     [](job& j) {
       windrow::object_space space(j);
       windrow::collection<counter> all(space, 9, [](std::uint64_t) { return counter{}; });
       windrow::finish([&] { windrow::async_at(1, [&] { all.for_each_local([](counter&) {}); }); });
     }},
    {"object_second_space",
     [](job& j) {
       const windrow::object_space one(j);
       const windrow::object_space two(j);
     }},
    {"object_handler_waits",
     [](job& j) { with_objects(j, [](auto&, auto p) { p.template send<&counter::wait>(); }); }},
    {"object_handler_throws",
     [](job& j) { with_objects(j, [](auto&, auto p) { p.template send<&counter::fail>(1); }); }},
    {"object_call_throws",
     [](job& j) { with_objects(j, [](auto&, auto p) { p.template call<&counter::refuse>().get(); }); }},
    {"object_throws_when_its_visit_is_over",
     [](job& j) {
       windrow::object_space space(j);
       windrow::collection<counter> all(space, 2, [](std::uint64_t) { return counter(); });
       all.for_each_local([&](std::uint64_t i, counter&) { all[i].send<&counter::fail>(1); });
     }},
    {"object_throws_after_a_move",
     [](job& j) {
       with_objects(j, [&](auto& space, auto p) {
         if (j.pe() == 1) p.migrate(0);
         space.barrier();
         if (j.pe() == 1) p.template send<&counter::add>(1);
         space.barrier();
         if (j.pe() == 0) p.template send<&counter::fail>(1);
       });
     }},
    {"object_waits_for_itself",
     [](job& j) {
       windrow::object_space space(j);
       windrow::collection<counter> all(space, 2, [](std::uint64_t) { return counter(); });
       all.for_each_local([&](std::uint64_t i, counter&) { all[i].call<&counter::get>().get(); });
     }},
    {"index_never_inserted",
     [](job& j) {
       windrow::object_space space(j);
       const windrow::collection<counter> all(space, 2, [](std::uint64_t) { return counter(); }, 10);
       space.run([&] { all[7].send<&counter::add>(1); });
     }},
    {"index_inserted_twice",
     [](job& j) {
       windrow::object_space space(j);
       windrow::collection<counter> all(space, 2, [](std::uint64_t) { return counter(); }, 10);
       all.insert(7);
       all[7].send<&counter::add>(1);
       space.barrier();
     }},
    {"index_inserted_again",
     [](job& j) {
       windrow::object_space space(j);
       windrow::collection<counter> all(space, 2, [](std::uint64_t) { return counter(); });
       all.insert(j.pe());
     }},
    {"index_erased_twice",
     [](job& j) {
       windrow::object_space space(j);
       windrow::collection<counter> all(space, 2, [](std::uint64_t) { return counter(); });
       if (j.pe() == 1) all.erase(1);
       space.barrier();
       all.erase(1);
     }},
    {"index_used_again",
     [](job& j) {
       windrow::object_space space(j);
       windrow::collection<counter> all(space, 2, [](std::uint64_t) { return counter(); }, 10);
       if (j.pe() == 1) all.insert(5), all.erase(5);
       space.barrier();
       all.insert(5);
     }},
    {"index_too_large",
     [](job& j) {
       windrow::object_space space(j);
       const auto most = std::uint64_t{1} << 50;
       windrow::collection<counter> all(space, 2, [](std::uint64_t) { return counter(); }, most);
     }},
    {"index_of_who_throws",
     [](job& j) {
       windrow::object_space space(j);
       windrow::collection<counter> all(space, 4, [](std::uint64_t) { return counter(); });
       all[3].send<&counter::fail>(1);
       space.barrier();
     }},
    {"index_out_of_reach",
     [](job& j) {
       windrow::object_space space(j);
       windrow::collection<counter> all(space, 2, [](std::uint64_t) { return counter(); }, 10);
       all.insert(10);
     }},
    {"object_barrier_in_visit",
     [](job& j) {
       windrow::object_space space(j);
       windrow::collection<counter> all(space, 2, [](std::uint64_t) { return counter(); });
       all.for_each_local([&](counter&) {
         all[0].send<&counter::add>(1);
         space.barrier();
       });
     }},
    {"object_index",
     [](job& j) {
       windrow::object_space space(j);
       const windrow::collection<counter> all(space, 2, [](std::uint64_t) { return counter(); });
       all[2].send<&counter::add>(1);
     }},
    {"object_policy",
     [](job& j) {
       windrow::object_space space(j);
       space.balance([](const auto&) { return windrow::balance::moves{{0, 7}}; });
     }},
    {"direct_pe", [](job& j) { windrow::put(j, *global_ptr<int>(j.pes(), 0), 1); }},
    {"direct_negative_pe", [](job& j) { windrow::get(j, *global_ptr<int>(-1, 0)); }},
    {"direct_outside", [](job& j) { windrow::inc(j, *global_ptr<int>(0, std::uint64_t{1} << 60)); }},
    {"range_outside",
     [](job& j) {
       std::vector<int> many(1000);
       windrow::put(j, global_ptr<int>(0, j.map().bytes - 100), std::span<const int>(many));
     }},
    {"strided_outside",
     [](job& j) {
       const std::vector<int> few(3);
       windrow::put_strided(j, global_ptr<int>(0, j.map().bytes - 100), 1000, few.data(), 1, few.size());
     }},
    {"strided_below",
     [](job& j) {
       std::vector<int> few(3);
       windrow::get_strided(j, global_ptr<int>(0, 16), -4, few.data(), 1, few.size());
     }},
    {"strided_wraps", // eight times the stride is no distance at all, if it is not looked at
     [](job& j) {
       const std::vector<int> few(9);
       windrow::put_strided(j, global_ptr<int>(0, 0), std::ptrdiff_t{1} << 59, few.data(), 1, few.size());
     }},
    {"stride_wraps",
     [](job& j) {
       std::vector<int> few(2);
       windrow::get_strided(j, global_ptr<int>(0, 0), (std::ptrdiff_t{1} << 62) + 1, few.data(), 1,
                            few.size());
     }},
    {"aggregated_pe", [](job& j) { context(j, aggregate).put(*global_ptr<int>(99, 0), 1); }},
    {"aggregated_outside",
     [](job& j) { context(j, aggregate).inc(*global_ptr<long>(0, std::uint64_t{1} << 60)); }},
    {"aggregated_misaligned", [](job& j) { context(j, aggregate).inc(*global_ptr<long>(0, 4)); }},
    {"deferred_range_outside", [](job& j) { fetch_range<int>(j, 0, j.map().bytes - 100, 1000); }},
    {"deferred_range_too_large", [](job& j) { fetch_range<int>(j, 1, 0, ~std::size_t{0} / 2); }},
    {"deferred_range_pe", [](job& j) { fetch_range<int>(j, 2, 0, 1); }},
    {"deferred_range_misaligned", [](job& j) { fetch_range<long>(j, 0, 4, 2); }},
    {"deferred_range_outside_by_message", [](job& j) { fetch_range<int>(j, 0, j.map().bytes - 100, 1000); }},
    {"deferred_range_misaligned_by_message", [](job& j) { fetch_range<long>(j, 0, 4, 2); }},
    {"stream_pe",
     [](job& j) {
       windrow::stream<int> s(j, [](std::span<const int>, windrow::pe_t) {});
       s.send(j.pes(), 1);
     }},
    {"mailbox_pe",
     [](job& j) {
       windrow::mailbox<int> m(j, [](int) {});
       m.run([&] { m.send(-1, 1); });
     }},
    {"mailbox_outside_run",
     [](job& j) {
       windrow::mailbox<int> m(j, [](int) {});
       m.send(0, 1);
     }},
    {"mailbox_after_run",
     [](job& j) {
       windrow::mailbox<int> m(j, [](int) {});
       m.run([] {});
       m.send(0, 1);
     }},
    {"mailbox_after_done",
     [](job& j) {
       windrow::mailbox<int> m(j, [](int) {});
       m.run([&] {
         m.done();
         m.send(0, 1);
       });
     }},
    {"mailbox_after_complete",
     [](job& j) {
       windrow::mailbox<int> m(j, [](int) {});
       m.run([&] {
         m.complete<0>();
         m.send(0, 1);
       });
     }},
    {"mailbox_done_outside_run", [](job& j) { windrow::mailbox<int>(j, [](int) {}).done(); }},
    {"mailbox_complete_outside_run", [](job& j) { windrow::mailbox<int>(j, [](int) {}).complete<0>(); }},
    {"mailbox_run_in_its_run",
     [](job& j) {
       windrow::mailbox<int> m(j, [](int) {});
       m.run([&] { m.run([] {}); });
     }},
    {"mailbox_after_finalize",
     [](job& j) {
       windrow::mailbox<int> m(j, [](int) {});
       j.finalize();
       m.send(0, 1);
     }},
    {"mailbox_run_in_handler", run_in_handler},
    {"mailbox_complete_in_handler", complete_in_handler},
    {"mailbox_stage_over", send_to_stage_that_is_over},
    {"mailbox_different_selectors", different_selectors},
    {"mailbox_handler_throws_something_else",
     [](job& j) {
       windrow::mailbox<int> m(j, [](int) { throw std::runtime_error("not in the dictionary"); });
       m.run([&] { m.send(1, 5); });
     }},
    {"deferred_code_throws",
     [](job& j) {
       windrow::context ctx(j, windrow::aggregate);
       ctx.fetch_inc(j.array<std::uint64_t>(10)[1]).then([](std::uint64_t) { throw 7; });
       ctx.complete_own();
     }},
    {"coroutine_throws_before_it_waits", [](job&) { throw_at_once(); }},
    {"coroutine_throws_after_a_wait",
     [](job& j) {
       windrow::context ctx(j, windrow::aggregate);
       throw_after(ctx.fetch_inc(j.array<std::uint64_t>(10)[1]));
       ctx.complete_own();
     }},
    {"mailbox_handler_throws",
     [](job& j) {
       windrow::mailbox<int> m(j, [](int) { throw windrow::error("the handler cannot go on"); });
       m.run([&] { m.send(0, 1); });
     }},
    {"array_index", [](job& j) { j.array<int>(10)[10]; }},
    {"forall_step", [](job& j) { windrow::forall(j, {0, 10, 0}); }},
    {"forall_element", [](job& j) { windrow::forall({0, 10}, {2, -4}, j.array<int>(15)); }},
    {"forall_last_element", [](job& j) { windrow::forall({0, 11, 5}, j.array<int>(10)); }},
    {"forall_nearly_one_size", [](job& j) { windrow::forall({0, 5}, j.array<int>(5), j.array<int>(6)); }},
    {"forall_size_below_none",
     [](job& j) { windrow::forall({0, j.array<int>(0).size() - 1}, j.array<int>(10)); }},
    {"forall_two_sizes", [](job& j) { windrow::forall({0, 10}, j.array<int>(10), j.array<int>(1000)); }},
    {"not_symmetric",
     [](job& j) {
       int local = 0;
       j.global(&local);
     }},
    {"heap_exhausted", [](job& j) { j.allocate<std::byte>(std::size_t{1} << 50); }},
    {"free_twice",
     [](job& j) {
       auto p = j.allocate<int>(10);
       j.free(p);
       j.free(p);
     }},
    {"direct_after_finalize",
     [](job& j) {
       auto t = j.array<int>(10);
       j.finalize();
       windrow::put(j, t[0], 1);
     }},
    {"aggregated_after_finalize",
     [](job& j) {
       auto t = j.array<int>(10);
       context ctx(j, aggregate);
       j.finalize();
       ctx.inc(t[0]);
     }},
    {"barrier_after_finalize",
     [](job& j) {
       j.finalize();
       j.barrier();
     }},
    {"allocate_after_finalize",
     [](job& j) {
       j.finalize();
       j.allocate<int>(1);
     }},
    {"mismatched_collectives",
     [](job& j) {
       if (j.pe() == 0)
         j.world().sum(1);
       else
         (void)j.world().broadcast(1.0, 0);
     }},
    {"mismatched_sizes", [](job& j) { j.allocate<char>(j.pe() == 0 ? 100 : 200); }},
    {"drain_outside_team",
     [](job& j) {
       const auto first = j.world().split_strided(0, 1, 1);
       windrow::stream<int> s(j, [](std::span<const int>, windrow::pe_t) {});
       s.drain(first);
       s.barrier();
     }},
    {"barrier_outside_team",
     [](job& j) { context(j, j.world().split_strided(0, 1, 1), aggregate).barrier(); }},
    {"broadcast_root", [](job& j) { (void)j.world().broadcast(1, j.pes()); }},
    {"uncaught_error", [](job&) { throw windrow::error("the file is not there"); }},
    {"spill_limit", overflow_spill},
    {"spill_limit_one_item", overflow_spill_with_one_item},
    {"completion_in_continuation",
     [](job& j) { wait_in_continuation(j, [](context& ctx) { ctx.complete_own(); }); }},
    {"barrier_in_continuation", [](job& j) { wait_in_continuation(j, [&](context&) { j.barrier(); }); }},
    {"wait_in_continuation_of_a_task",
     [](job& j) {
       windrow::async_future([] { return 1; }).then([&](int) { j.barrier(); });
       context(j, aggregate).barrier();
     }},
    {"continuation_of_an_exception",
     [](job& j) {
       windrow::async_future([]() -> int { throw std::runtime_error("no answer"); }).then([](int) {});
       context(j, aggregate).barrier();
     }},
    {"defer_without_end", defer_without_end},
    {"atomic_at_the_owner", atomic_at_the_owner},
    {"quiet_in_handler", quiet_in_handler},
    {"barrier_in_handler", barrier_in_handler},
    {"stall", stall},
    {"leave_early", leave_early},
    {"task_defers",
     [](job& j) {
       context ctx(j, aggregate);
       auto t = j.array<long>(10);
       windrow::finish([&] { windrow::async([&] { ctx.fetch_add(t[0], 1L).then([](long) {}); }); });
     }},
    {"task_defers_on_a_worker",
     [](job& j) {
       context ctx(j, windrow::blocking);
       auto t = j.array<long>(10);
       windrow::finish([&] { windrow::async_at(1, [&] { ctx.fetch_add(t[0], 1L).then([](long) {}); }); });
     }},
    {"task_calls_barrier",
     [](job& j) {
       context ctx(j, aggregate);
       windrow::finish([&] { windrow::async_at(1, [&] { ctx.barrier(); }); });
     }},
    {"task_of_handler_completes",
     [](job& j) {
       context ctx(j, aggregate);
       windrow::stream<int> s(j, [&](std::span<const int>, windrow::pe_t) {
         windrow::finish([&] { windrow::async_at(1, [&] { ctx.complete_own(); }); });
       });
       s.send(j.pe(), 1);
       s.barrier();
     }},
    {"task_sends_to_no_pe",
     [](job& j) {
       windrow::stream<int> s(j, [](std::span<const int>, windrow::pe_t) {});
       windrow::finish([&] { windrow::async_at(1, [&] { s.send(j.pes(), 1); }); });
     }},
    {"stream_on_a_foreign_thread",
     [](job& j) {
       windrow::stream<int> s(j, [](std::span<const int>, windrow::pe_t) {});
       on_a_foreign_thread([&] { s.send(0, 1); });
     }},
    {"quiet_on_a_foreign_thread",
     [](job& j) {
       context ctx(j, aggregate);
       on_a_foreign_thread([&] { ctx.complete_own(); });
     }},
    {"task_waits", [](job& j) { windrow::finish([&] { windrow::async([&] { j.barrier(); }); }); }},
    {"light_thread_waits_for_pes",
     [](job& j) { windrow::finish([&] { windrow::spawn([&] { j.barrier(); }); }); }},
    {"two_light_threads_in_barriers",
     [](job& j) {
       windrow::finish([&] {
         for (int i = 0; i < 2; ++i)
           windrow::spawn_at(0, [&] {
             if (j.pe() == 0) j.barrier();
             windrow::wait_until([] { return false; }); // the other PE never comes
           });
       });
     }},
    {"light_threads_in_a_circle",
     [](job&) {
       windrow::mutex a, b;
       windrow::latch both_hold(2);
       const auto lock = [&](windrow::mutex& first, windrow::mutex& second) {
         const std::lock_guard held(first);
         both_hold.arrive_and_wait();
         const std::lock_guard also_held(second);
       };
       windrow::finish([&] {
         windrow::spawn("left", [&] { lock(a, b); });
         windrow::spawn("right", [&] { lock(b, a); });
         windrow::spawn([] { windrow::wait_until([] { return false; }); });
       });
     }},
    {"stack_of_a_light_thread",
     [](job&) {
       windrow::finish([] { windrow::spawn("deep", [] { std::printf("%d\n", recurse(1 << 30)); }); });
     }},
    {"larger_stack_of_a_light_thread",
     [](job&) {
       windrow::finish([] { windrow::spawn("deep", [] { std::printf("%d\n", recurse(800)); }); });
       windrow::finish([] { windrow::spawn("deeper", [] { std::printf("%d\n", recurse(1 << 30)); }); });
     }},
    {"stack_size_of_light_threads", [](job&) {}},
    {"large_frame_of_a_light_thread",
     [](job&) {
       windrow::finish([] { windrow::spawn("deep", [] { std::printf("%d\n", touch_frame<300'000>()); }); });
     }},
    {"stack_without_a_guard",
     [](job&) {
       constexpr int more_than_have_guards = 20'008;
       windrow::latch gate(1);
       int waiting = 0;
       windrow::finish([&] {
         for (int i = 0; i < more_than_have_guards; ++i)
           windrow::spawn([&] {
             ++waiting;
             gate.wait();
           });
         windrow::wait_until([&] { return waiting == more_than_have_guards; });
         windrow::spawn("deep", [&] {
           std::printf("%d\n", recurse(750));
           gate.wait();
         });
       });
     }},
    {"killed_while_tasks_are_stolen",
     [](job& j) {
       windrow::context ctx(j, aggregate);
       windrow::finish([&] {
         if (j.pe() == 0) windrow::async_portable(branch_out(), 0);
       });
       ctx.barrier();
     }},
    {"mutex_in_handler",
     [](job& j) {
       windrow::mutex m;
       m.lock();
       windrow::stream<int> s(j, [&](std::span<const int>, windrow::pe_t) { m.lock(); });
       s.send(j.pe(), 1);
       s.barrier();
     }},
    {"wait_until_in_handler",
     [](job& j) {
       windrow::stream<int> s(
           j, [&](std::span<const int>, windrow::pe_t) { windrow::wait_until([] { return false; }); });
       s.send(j.pe(), 1);
       s.barrier();
     }},
    {"latch_on_a_foreign_thread", [](job&) { std::thread([] { windrow::latch(1).wait(); }).join(); }},
    {"branch_waits", [](job& j) { windrow::fork_join([&] { j.barrier(); }, [] {}); }},
    {"branch_waits_after_others_ran",
     [](job& j) {
       windrow::finish([&] {
         windrow::spawn_at(0, [&] { windrow::fork_join([&] { windrow::yield(), j.barrier(); }, [] {}); });
       });
     }},
    {"loop_body_waits", [](job& j) { windrow::parallel_for(0, 1, [&](int) { j.barrier(); }); }},
    {"fork_in_continuation",
     [](job& j) { wait_in_continuation(j, [](context&) { windrow::fork_join([] {}, [] {}); }); }},
    {"fork_on_a_foreign_thread", [](job&) { std::thread([] { windrow::fork_join([] {}, [] {}); }).join(); }},
    {"task_of_no_worker", [](job& j) { windrow::async_at(j.pes(), [] {}); }},
    {"finish_on_a_foreign_thread", [](job&) { std::thread([] { windrow::finish([] {}); }).join(); }},
    {"run_after_exception", run_after_exception},
    {"stream_with_room_on_a_foreign_thread",
     [](job& j) {
       windrow::stream<int> s(j, [](std::span<const int>, windrow::pe_t) {});
       s.send(j.pe(), 1);
       on_a_foreign_thread([&] { s.send(j.pe(), 2); });
     }},
    {"send_on_a_foreign_thread",
     [](job& j) {
       context ctx(j, aggregate);
       auto t = j.array<long>(10);
       on_a_foreign_thread([&] { ctx.add(t[9], 2L); });
     }},
    {"barrier_on_a_foreign_thread", [](job& j) { on_a_foreign_thread([&] { j.barrier(); }); }},
    {"barrier_in_a_forked_child", [](job& j) { in_a_forked_child(j, [&] { j.barrier(); }); }},
    {"put_in_a_forked_child",
     [](job& j) {
       auto t = j.array<long>(10);
       in_a_forked_child(j, [&] { windrow::put(j, t[9], 1L); });
     }},
    {"send_in_a_forked_child",
     [](job& j) {
       context ctx(j, aggregate);
       auto t = j.array<long>(10);
       ctx.add(t[9], 2L); // leaves room in the block, which is the PE's
       in_a_forked_child(j, [&] { ctx.add(t[9], 2L); });
     }},
    {"finish_in_a_forked_child", [](job& j) { in_a_forked_child(j, [] { windrow::finish([] {}); }); }},
    {"finalize_in_a_forked_child", [](job& j) { in_a_forked_child(j, [&] { j.finalize(); }); }},
    {"future_in_handler", future_in_handler},
    {"call_in_task_of_handler", call_in_task_of_handler},
    {"fetch_in_task_of_handler", fetch_in_task_of_handler},
    {"yield_in_continuation", [](job& j) { wait_in_continuation(j, [](context&) { windrow::yield(); }); }},
    {"empty_future", [](job&) { windrow::future<int>().get(); }},
    {"future_that_was_moved_from",
     [](job&) {
       auto there = windrow::async_future([] { return 1; });
       const auto here = std::move(there);
       there.then([](int) {}); // NOLINT(bugprone-use-after-move)
     }},
    {"promise_with_two_results",
     [](job&) {
       windrow::promise<int> p;
       p.set_value(1);
       p.set_value(2);
     }},
    {"promise_that_was_moved_from",
     [](job&) {
       windrow::promise<int> there;
       const auto here = std::move(there);
       there.get_future(); // NOLINT(bugprone-use-after-move)
     }},
    {"continuation_of_a_broken_promise",
     [](job& j) {
       {
         windrow::promise<int>().get_future().then([](int) {});
       }
       context(j, aggregate).barrier();
     }},
    {"empty_future_among_others",
     [](job&) { windrow::when_all(windrow::future<int>(), windrow::future<void>()).then([](int) {}); }},
    {"future_in_continuation",
     [](job& j) {
       const auto later = windrow::spawn_future([] { windrow::wait_until([] { return false; }); });
       windrow::async_future([] {}).then([=] { later.wait(); });
       context(j, aggregate).barrier();
     }},
    {"finish_in_continuation",
     [](job& j) {
       windrow::async_future([] {}).then([] { windrow::finish([] { windrow::async([] {}); }); });
       context(j, aggregate).barrier();
     }},
    {"main_code_waits_for_a_mutex",
     [](job&) {
       windrow::mutex m;
       m.lock();
       m.lock();
     }},
    {"wait_beyond_the_simulated_clock",
     [](job&) {
       windrow::counting_semaphore<> never(0);
       never.try_acquire_for(std::chrono::hours(24 * 300));
     }},
    {"main_code_waits_for_a_latch", [](job&) { windrow::latch(1).wait(); }},
    {"main_code_waits_for_an_event", [](job&) { windrow::event(1).wait(); }},
    {"unlock_of_a_free_mutex", [](job&) { windrow::mutex().unlock(); }},
    {"unlock_of_the_mutex_of_another",
     [](job&) {
       windrow::mutex m;
       const std::lock_guard held(m);
       windrow::finish([&] { windrow::spawn([&] { m.unlock(); }); });
     }},
    {"condition_without_its_mutex",
     [](job&) {
       windrow::mutex m;
       std::unique_lock held(m, std::defer_lock);
       windrow::condition_variable().wait(held);
     }},
    {"condition_with_a_limit_without_its_mutex",
     [](job&) {
       windrow::mutex m;
       std::unique_lock held(m, std::defer_lock);
       windrow::condition_variable().wait_for(held, std::chrono::milliseconds(1));
     }},
    {"condition_with_two_mutexes",
     [](job&) {
       windrow::mutex a, b;
       windrow::condition_variable told;
       const auto wait = [&](windrow::mutex& m) {
         std::unique_lock held(m);
         told.wait(held);
       };
       windrow::finish([&] {
         for (auto* m : {&a, &b}) windrow::spawn([&, m] { wait(*m); });
       });
     }},
    {"coroutine_measures_its_wait", coroutine_measures_its_wait},
    {"coroutine_measures_around_others", coroutine_measures_around_others},
    {"two_wait_for_a_group", two_wait_for_a_group},
    {"main_code_and_a_light_thread_wait_for_a_group", main_code_and_a_light_thread_wait_for_a_group},
    {"group_on_another_thread", group_on_another_thread},
    {"task_waits_for_its_group", task_waits_for_its_group},
    {"task_waits_for_its_group_in_a_finish", task_waits_for_its_group_in_a_finish},
    {"group_in_handler", group_in_handler},
    {"barrier_in_task_of_handler", barrier_in_task_of_handler},
    {"exception_without_finish",
     [](job& j) {
       windrow::async([] { throw std::runtime_error("nobody caught me"); });
       context(j, aggregate).barrier();
     }},
    {"uncaught_error_of_a_task",
     [](job&) { windrow::finish([] { windrow::async([] { throw windrow::error("the file is gone"); }); }); }},
    {"index_on_a_worker",
     [](job& j) {
       auto t = j.array<int>(10);
       windrow::finish([&] { windrow::async_at(1, [&] { t[10]; }); });
     }},
    {"crash_on_a_worker", [](job&) { windrow::finish([] { windrow::async_at(1, [] { std::abort(); }); }); }},
    {"tasks_too_deep", [](job&) { std::printf("%ld\n", wait_deeply(1'000'000)); }},
    {"endless_task", endless_task},
};

} // namespace

int main(int argc, char** argv) {
  job j(argc, argv);
  cases.at(argv[1])(j);
  j.barrier();
  std::puts("nothing was noticed");
}
