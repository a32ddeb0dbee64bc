// SPDX-License-Identifier: BSD-3-Clause
// Light threads that wait for other PEs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/pe_test.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

// Each on the worker that it happens to run on.
TEST(light_threads, fetch_and_wait_for_the_value) {
  auto& j = the_job();
  context ctx(j, aggregate);
  auto counters = j.array<std::uint64_t>(16);
  constexpr int threads = 50, rounds = 10;
  std::atomic<std::uint64_t> sum = 0;
  finish([&] {
    for (int t = 0; t < threads; ++t)
      spawn([&, t] {
        for (int i = 0; i < rounds; ++i) sum += ctx.fetch_add(counters[(t + i) % 16], 1).get();
      });
  });
  ctx.barrier();
  std::uint64_t expected = 0, all = 0;
  for (std::uint64_t i = 0; i < counters.size(); ++i) {
    const auto n = ctx.get(counters[i]).get(); // main code
    all += n;
    expected += n * (n - 1) / 2;
  }
  EXPECT_EQ(all, static_cast<std::uint64_t>(threads * rounds * j.pes()));
  EXPECT_EQ(j.world().sum(sum.load()), expected);
  j.barrier();
  j.free(counters);
}

TEST(light_threads, swap_and_compare_by_whoever_may) {
  auto& j = the_job();
  context ctx(j, aggregate);
  auto cells = j.array<std::int32_t>(static_cast<std::uint64_t>(j.pes()));
  const auto mine = static_cast<std::uint64_t>(j.pe());
  finish([&] {
    spawn([&] {
      EXPECT_EQ(ctx.swap(cells[mine], 7).get(), 0);
      EXPECT_EQ(ctx.compare_swap(cells[mine], 7, 9).get(), 7);
      EXPECT_EQ(ctx.get(cells[mine]).get(), 9);
    });
    spawn_at(communication_worker, [&] { EXPECT_GE(ctx.fetch_or(cells[mine], 0).get(), 0); });
  });
  ctx.barrier();
  j.free(cells);
}

// Barriers and sums of one light thread go on while others of its worker run.
TEST(light_threads, are_suspended_in_collectives) {
  auto& j = the_job();
  std::atomic<int> others = 0;
  const int pes = j.pes();
  finish([&] {
    spawn_at(communication_worker, "collective", [&] {
      for (int i = 0; i < 20; ++i) {
        j.barrier();
        EXPECT_EQ(j.world().sum(j.pe() + i), pes * (pes - 1) / 2 + pes * i);
      }
    });
    for (int i = 0; i < 100; ++i)
      spawn_at(communication_worker, [&] {
        yield();
        ++others;
      });
  });
  EXPECT_EQ(others, 100);
}

// Each on a team of its own.
TEST(light_threads, may_be_in_collectives_of_several_teams) {
  auto& j = the_job();
  std::vector<team> teams;
  for (int i = 0; i < 4; ++i) teams.push_back(j.world().split_strided(0, 1, j.pes()));
  finish([&] {
    for (int i = 0; i < 4; ++i)
      spawn_at(communication_worker, [&, i] {
        for (int round = 0; round < 10; ++round)
          EXPECT_EQ(teams[static_cast<std::size_t>(i)].sum(i + round), j.pes() * (i + round));
      });
  });
  j.barrier();
}

/// Too large for a team slot, so that it goes through a buffer of its PE.
using long_row = std::array<long, 100>;

long_row row_of(long value) {
  long_row row;
  row.fill(value);
  return row;
}

// Main code is in one, too, and one team is this PE's alone. An operation may let others go on.
TEST(light_threads, may_be_in_large_collectives_of_several_teams) {
  auto& j = the_job();
  std::vector<team> teams;
  for (int i = 0; i < 3; ++i) teams.push_back(j.world().split_strided(0, 1, j.pes()));
  for (pe_t pe = 0; pe < j.pes(); ++pe)
    if (auto alone = j.world().split_strided(pe, 1, 1)) teams.push_back(std::move(alone));
  const auto go_through = [](const team& members, long first) {
    const auto add = [](long_row a, const long_row& b) {
      if (b.front() % 3 == 0) yield();
      std::ranges::transform(a, b, a.begin(), std::plus());
      return a;
    };
    for (long round = first; round < first + 10; ++round) {
      ASSERT_EQ(members.reduce(row_of(round), add), row_of(round * members.pes()));
      ASSERT_EQ(members.broadcast(row_of(members.pe() + round), members.pes() - 1),
                row_of(members.pes() - 1 + round));
    }
  };
  finish([&] {
    for (std::size_t i = 0; i < teams.size(); ++i)
      spawn_at(communication_worker, [&, i] { go_through(teams[i], static_cast<long>(1000 * i)); });
    go_through(j.world(), 9000);
  });
  j.barrier();
}

// While one waits for the members to agree on a slot, the other one chooses as well.
TEST(light_threads, split_teams_side_by_side) {
  auto& j = the_job();
  const team parents[] = {j.world().split_strided(0, 1, j.pes()), j.world().split_strided(0, 1, j.pes()),
                          j.world()};
  finish([&] {
    for (const team& parent : parents)
      spawn_at(communication_worker, [&j, &parent] {
        for (int round = 0; round < 60; ++round) {
          const auto half = parent.split_strided(0, 1, (j.pes() + 1) / 2);
          const auto all = parent.split_strided(0, 1, j.pes());
          EXPECT_EQ(all.sum(round), j.pes() * round);
          if (half) {
            EXPECT_EQ(half.sum(round), (j.pes() + 1) / 2 * round);
          }
          EXPECT_EQ(all.sum(1), j.pes());
        }
      });
  });
  j.barrier();
}

TEST(light_threads, are_suspended_in_quiet) {
  auto& j = the_job();
  context ctx(j, aggregate);
  auto cells = j.array<std::uint64_t>(static_cast<std::uint64_t>(j.pes()));
  std::atomic<bool> other = false;
  finish([&] {
    spawn_at(communication_worker, [&] {
      for (std::uint64_t i = 0; i < cells.size(); ++i) ctx.add(cells[i], 1);
      ctx.barrier();
      EXPECT_EQ(ctx.get(cells[static_cast<std::uint64_t>(j.pe())]).get(), cells.size());
    });
    spawn_at(communication_worker, [&] { other = true; });
  });
  EXPECT_TRUE(other);
  j.barrier();
  j.free(cells);
}

// Others of its worker go on meanwhile.
TEST(light_threads, are_suspended_in_runs_of_mailboxes) {
  auto& j = the_job();
  const auto cell = j.allocate<std::uint64_t>(1);
  auto& mine = *j.local(cell);
  int handled = 0;
  bool sent = false;
  mailbox<int> m(j, [&](int) { ++handled; });
  finish([&] {
    spawn_at(communication_worker, [&] {
      m.run([&] { // that of the other PEs handles nothing before another light thread of PE 0 has written
        for (int i = 0; i < 20; ++i) m.send(i % j.pes(), i);
        sent = true;
        while (j.pe() != 0 && std::atomic_ref(mine).load() == 0) std::this_thread::yield();
      });
    });
    spawn_at(communication_worker, [&] {
      wait_until([&] { return sent; });
      yield();
      if (j.pe() == 0)
        for (pe_t pe = 1; pe < j.pes(); ++pe) put(j, *cell.on(pe), 1);
    });
  });
  EXPECT_EQ(j.world().sum(handled), 20 * j.pes());
  j.free(cell);
}

TEST(light_threads, wait_until_others_have_written) {
  auto& j = the_job();
  const auto flag = j.allocate<std::int64_t>(1);
  std::atomic_ref<std::int64_t> mine(*j.local(flag));
  const auto next = (j.pe() + 1) % j.pes();
  finish([&] {
    spawn_at(communication_worker, [&] { // a ring that PE 0 begins
      if (j.pe() != 0) wait_until([&] { return mine.load() != 0; });
      windrow::put(j, *global_ptr<std::int64_t>(next, flag.offset()), std::int64_t{j.pe() + 1});
      if (j.pe() == 0) wait_until([&] { return mine.load() != 0; });
    });
  });
  EXPECT_EQ(mine.load(), (j.pe() + j.pes() - 1) % j.pes() + 1);
  j.barrier();
  j.free(flag);
}

// A dependency from each PE, from its main code, its tasks or its handlers.
TEST(events, are_signalled_by_all_pes) {
  auto& j = the_job();
  event all(3 * j.pes());
  std::vector<event_name> names(static_cast<std::size_t>(j.pes()));
  const auto mine = all.name(j.pe());
  j.world().allgather(std::span<const event_name>(&mine, 1), std::span(names));
  stream<event_name> relay(j, [](std::span<const event_name> batch, pe_t) {
    for (const auto& e : batch) signal(e);
  });
  std::atomic<int> woken = 0;
  finish([&] {
    for (int i = 0; i < 5; ++i)
      spawn([&] {
        all.wait();
        ++woken;
      });
    for (const auto& e : names) {
      signal(e);
      async([e] { signal(e); });
      relay.send(e.pe, e);
    }
  });
  EXPECT_EQ(woken, 5);
  relay.barrier();
}

// The calls of the first PE fill no block, and it waits for nothing but the barrier.
TEST(events, that_were_signalled_before_a_barrier_arrive) {
  auto& j = the_job();
  event told(1);
  const auto mine = told.name(j.pe());
  std::vector<event_name> names(static_cast<std::size_t>(j.pes()));
  j.world().allgather(std::span<const event_name>(&mine, 1), std::span(names));
  if (j.pe() == 0)
    for (const auto& name : names) signal(name);
  else
    told.wait();
  j.barrier();
  EXPECT_TRUE(j.pe() == 0 || told.ready());
  told.wait();
}

// Handlers that wait for each other's messages: on one stack, the first would lie beneath what it waits for.
TEST(handlers, may_wait_if_they_are_declared_so) {
  auto& j = the_job();
  constexpr int rounds = 50;
  std::vector<std::unique_ptr<event>> acknowledged;
  for (int i = 0; i < rounds * j.pes(); ++i) acknowledged.push_back(std::make_unique<event>(1));
  int handled = 0;
  stream<int> s(j, may_wait([&](const int& number, pe_t from) {
                  if (number % rounds + 1 < rounds) // the one that comes next ends this one
                    acknowledged[static_cast<std::size_t>(from * rounds + number + 1)]->wait();
                  acknowledged[static_cast<std::size_t>(from * rounds + number)]->signal();
                  ++handled; // one handler at a time
                }));
  for (int i = 0; i < rounds; ++i)
    for (pe_t to = 0; to < j.pes(); ++to) s.send(to, i);
  s.barrier();
  EXPECT_EQ(handled, rounds * j.pes());
}

// A flood of messages: only so many are kept that have not begun.
TEST(handlers, that_may_wait_do_not_pile_up) {
  auto& j = the_job();
  int kept = 0, most = 0, ran = 0;
  auto handle = may_wait([&](int) { --kept, ++ran; });
  stream<int> s(j, [&](std::span<const int> batch, pe_t from) {
    kept += static_cast<int>(batch.size());
    most = std::max(most, kept);
    handle(batch, from);
  });
  constexpr int each = 300'000;
  for (int i = 0; i < each; ++i) s.send((j.pe() + i) % j.pes(), i);
  s.barrier();
  EXPECT_EQ(j.world().sum(ran), each * j.pes());
  EXPECT_LT(most, 4096 + 200'000) << "one arrival of blocks at most is added to what is kept";
}

// What they refer to is gone then.
TEST(handlers, that_may_wait_are_dropped_where_an_exception_leaves) {
  auto& j = the_job();
  bool left = false;
  int late = 0;
  const auto note = [&](int) { late += left ? 1 : 0; };
  const auto send_and_throw = [&](auto& to) {
    for (int i = 0; i < 3000; ++i) to.send(j.pe(), i);
    throw left;
  };
  const auto go_on = [&] {
    left = true;
    context(j, aggregate).barrier();
    EXPECT_EQ(late, 0);
    left = false;
  };
  try {
    stream<int> s(j, may_wait(note));
    send_and_throw(s);
  } catch (bool) { // on all PEs
  }
  go_on();
  try {
    mailbox<int> m(j, may_wait(note));
    m.run([&] { send_and_throw(m); });
  } catch (bool) { // the same
  }
  go_on();
}

TEST(light_threads, fetch_ranges_and_wait_for_the_values) {
  auto& j = the_job();
  context ctx(j, aggregate);
  auto table = j.allocate<std::uint64_t>(100);
  for (std::uint64_t i = 0; i < 100; ++i) j.local(table)[i] = i;
  j.barrier();
  std::atomic<std::uint64_t> sum = 0;
  finish([&] {
    for (int t = 0; t < 50; ++t)
      spawn([&, t] {
        for (const auto value : ctx.get(table.on(t % j.pes()) + t, 10).get()) sum += value;
      });
  });
  EXPECT_EQ(sum.load(), 50U * 49 / 2 * 10 + 50 * 45);
  j.barrier();
  j.free(table);
}

TEST(handlers, fetch_and_send_on_while_others_run) {
  auto& j = the_job();
  context ctx(j, aggregate);
  auto counters = j.array<std::uint64_t>(8);
  std::uint64_t places = 0, answers = 0;
  mailbox<std::uint64_t> answer(j, [&](const std::uint64_t& place) { places += place, ++answers; });
  mailbox<int> ask(j, may_wait([&](const int& column, pe_t from) {
                     const auto place = ctx.fetch_add(counters[static_cast<std::uint64_t>(column)], 1).get();
                     answer.send(from, place);
                   }));
  answer.run([&] {
    ask.run([&] {
      for (int i = 0; i < 80; ++i) ask.send(static_cast<pe_t>(i % j.pes()), i % 8);
    });
  });
  EXPECT_EQ(answers, 80U);
  const auto each = static_cast<std::uint64_t>(10 * j.pes());
  EXPECT_EQ(j.world().sum(places), 8 * (each * (each - 1) / 2));
  j.free(counters);
}

// A message from PE to PE for each step of each light thread.
TEST(light_threads, wait_for_calls_in_random_order) {
  auto& j = the_job();
  const auto seed = 20'261'124U + static_cast<unsigned>(j.pe());
  SCOPED_TRACE(seed);
  std::atomic<int> right = 0;
  finish([&] {
    for (unsigned t = 0; t < 30; ++t)
      spawn([&, t] {
        std::mt19937 random(seed * 100 + t);
        for (int i = 0; i < 10; ++i) {
          const auto to = static_cast<pe_t>(random() % static_cast<unsigned>(j.pes()));
          const int a = static_cast<int>(random() % 1000);
          right += call(to, [](int x) { return 2 * x; }, a).get() == 2 * a;
        }
      });
  });
  EXPECT_EQ(right, 300);
  j.barrier();
}

} // namespace
} // namespace windrow::test
