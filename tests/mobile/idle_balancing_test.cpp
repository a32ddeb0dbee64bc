// SPDX-License-Identifier: BSD-3-Clause
// Balancing within an epoch, in simulated time, where each handler takes what it says.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "windrow/mobile.hpp"
#include "windrow/simulation.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

using namespace std::chrono_literals;

struct worker {
  std::uint64_t done = 0, wrong = 0, visits = 0;

  /// The messages of one PE have numbers.
  void work(std::uint64_t number, std::int64_t ns) {
    wrong += number != done++;
    simulate_work(mobile::this_core().of(), std::chrono::nanoseconds(ns)); // of the PE that has the turn
  }
};

struct outcome {
  double seconds = 0;          ///< of the epoch
  std::uint64_t done = 0;      ///< handlers
  std::uint64_t wrong = 0;     ///< out of order
  std::uint64_t elsewhere = 0; ///< objects that are not where they were made
};

struct load {
  pe_t pes = 4;
  std::uint64_t objects = 16, messages = 8; ///< of PE 0, for each of them
  std::chrono::nanoseconds each = 1ms;
  bool when_idle = true;
};

/// An epoch in which the objects of one PE have all the work.
outcome run(const load& l) {
  outcome result;
  ::setenv("WINDROW_SIM", "hdr", 1);
  run_simulated(l.pes, [&](job& j) {
    object_space space(j, handlers::on_all_workers);
    if (l.when_idle) space.balance_when_idle();
    collection<worker> all(space, l.objects * static_cast<std::uint64_t>(l.pes),
                           [](std::uint64_t) { return worker{}; });
    j.barrier();
    const auto begin = clock_ns(j);
    space.run([&] {
      if (j.pe() != 0) return;
      for (std::uint64_t m = 0; m < l.messages; ++m)
        for (std::uint64_t i = 0; i < l.objects; ++i) all[i].send<&worker::work>(m, l.each.count());
    });
    const auto end = j.world().max(clock_ns(j));
    const auto sum = [&](auto of) { return all.reduce(std::uint64_t{0}, of, std::plus<>()); };
    const auto done = sum([](const worker& w) { return w.done; });
    const auto wrong = sum([](const worker& w) { return w.wrong; });
    std::uint64_t mine = 0;
    all.for_each_local(
        [&](std::uint64_t i, worker&) { mine += i / l.objects != static_cast<std::uint64_t>(j.pe()); });
    const auto elsewhere = j.world().sum(mine);
    if (j.pe() == 0) result = {static_cast<double>(end - begin) * 1e-9, done, wrong, elsewhere};
  });
  ::unsetenv("WINDROW_SIM");
  return result;
}

void expect_all(const outcome& o, const load& l) {
  EXPECT_EQ(o.done, l.objects * l.messages);
  EXPECT_EQ(o.wrong, 0U);
}

TEST(balance_when_idle, shares_the_work_of_one_pe) {
  const load l;
  const auto shared = run(l);
  expect_all(shared, l);
  load without = l;
  without.when_idle = false;
  const auto alone = run(without);
  expect_all(alone, l);
  EXPECT_EQ(alone.elsewhere, 0U);
  EXPECT_LT(shared.seconds, 0.3 * alone.seconds) << "4 PEs; a quarter would be ideal";
}

TEST(balance_when_idle, reaches_pes_that_are_not_asked_directly) {
  const load l{.pes = 24, .objects = 96, .messages = 4};
  const auto shared = run(l);
  expect_all(shared, l);
  EXPECT_LT(shared.seconds, 0.004 * 96 / 12) << "half of what 24 PEs can do";
}

TEST(balance_when_idle, moves_nothing_that_is_done_sooner_than_moved) {
  const load l{.each = 100ns};
  const auto shared = run(l);
  expect_all(shared, l);
  EXPECT_LE(shared.elsewhere, l.objects / 2) << "more than once, before it is known how long handlers take";
}

struct large {
  std::array<std::uint64_t, std::size_t{1} << 17> content{}; ///< 1 MiB
  void work(std::int64_t ns) {
    ++content[0];
    simulate_work(mobile::this_core().of(), std::chrono::nanoseconds(ns));
  }
};

// Where they are at the end of an epoch in which each has so many handlers, on one PE at first.
std::uint64_t large_ones_elsewhere(std::uint64_t handlers_of_each, std::chrono::nanoseconds each) {
  ::setenv("WINDROW_SIM", "hdr", 1);
  std::uint64_t elsewhere = 0;
  constexpr std::uint64_t size = 8;
  run_simulated(2, [&](job& j) {
    object_space space(j, handlers::on_all_workers);
    space.balance_when_idle();
    collection<large> all(space, 2 * size, [](std::uint64_t) { return large(); });
    for (int epoch = 0; epoch < 2; ++epoch)
      space.run([&] {
        for (std::uint64_t i = 0; j.pe() == 0 && i < size * handlers_of_each; ++i)
          all[i % size].send<&large::work>(each.count());
      });
    if (j.pe() == 1) all.for_each_local([&](std::uint64_t i, large&) { elsewhere += i < size; });
    j.barrier();
  });
  ::unsetenv("WINDROW_SIM");
  return elsewhere;
}

TEST(balance_when_idle, moves_large_objects_where_that_pays) {
  EXPECT_EQ(large_ones_elsewhere(2, 100us), 0U);
  EXPECT_GE(large_ones_elsewhere(2, 20ms), 2U);
}

// A PE that has visited all of its objects, and waits, gets none of those that another one still visits.
TEST(balance_when_idle, moves_nothing_in_visits) {
  ::setenv("WINDROW_SIM", "hdr", 1);
  std::uint64_t least = ~std::uint64_t{0}, most = 0, done = 0;
  constexpr std::uint64_t size = 16, rounds = 5;
  run_simulated(2, [&](job& j) {
    object_space space(j, handlers::on_all_workers);
    space.balance_when_idle();
    collection<worker> all(space, size, [](std::uint64_t) { return worker{}; });
    for (std::uint64_t r = 0; r < rounds; ++r)
      space.run([&] {
        all.for_each_local([&](std::uint64_t i, worker& here) {
          ++here.visits;
          for (std::uint64_t k = 0; k < 4; ++k) all[(i + k) % size].send<&worker::work>(0U, 100'000);
          if (j.pe() == 0) yield();
        });
      });
    all.for_each_local([&](const worker& v) {
      least = std::min(least, v.visits), most = std::max(most, v.visits), done += v.done;
    });
    j.barrier();
  });
  ::unsetenv("WINDROW_SIM");
  EXPECT_EQ(least, rounds);
  EXPECT_EQ(most, rounds);
  EXPECT_EQ(done, rounds * size * 4);
}

// No message comes to the one that has some after the visit.
TEST(balance_when_idle, goes_on_after_visits) {
  ::setenv("WINDROW_SIM", "hdr", 1);
  std::uint64_t ns = 0;
  constexpr std::uint64_t size = 20;
  run_simulated(2, [&](job& j) {
    object_space space(j, handlers::on_all_workers);
    space.balance_when_idle();
    collection<worker> all(space, 2 * size, [](std::uint64_t) { return worker{}; });
    j.barrier();
    const auto begin = clock_ns(j);
    space.run([&] {
      if (j.pe() != 0) return;
      all.for_each_local([&](std::uint64_t i, worker&) {
        if (i != size - 1) return;
        for (std::uint64_t k = 0; k < i; ++k) all[k].send<&worker::work>(0U, 1'000'000);
        for (int turns = 0; turns < 2; ++turns) yield();
      });
    });
    ns = j.world().max(clock_ns(j) - begin);
  });
  ::unsetenv("WINDROW_SIM");
  EXPECT_LT(ns, 14'000'000U) << "19 handlers of 1 ms";
}

TEST(balance_when_idle, is_for_handlers_on_all_workers) {
  ::setenv("WINDROW_SIM", "hdr", 1);
  run_simulated(2, [](job& j) {
    object_space space(j);
    try {
      space.balance_when_idle();
      ADD_FAILURE();
    } catch (const error& e) {
      EXPECT_NE(std::string(e.what()).find("make the object_space with windrow::handlers::on_all_workers"),
                std::string::npos);
    }
    j.barrier();
  });
  ::unsetenv("WINDROW_SIM");
}

} // namespace
} // namespace windrow::test
