// SPDX-License-Identifier: BSD-3-Clause
// PEs at a distance (src/transport/hook): what is counted, and that nothing is there too early. Only lower
// bounds of times are checked: however slow the machine is, they hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "windrow/windrow.hpp"

namespace windrow {
namespace {

constexpr std::uint64_t one_way_ns = 300'000;

std::uint64_t now_ns() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

template <class Work>
std::uint64_t ns_of(Work work) {
  const auto begin = now_ns();
  work();
  return now_ns() - begin;
}

/// Three PEs at that latency.
void run_delayed(const std::function<void(job&)>& body) {
  ::setenv("WINDROW_DELAY", "300us", 1);
  run_threads(3, body);
  ::unsetenv("WINDROW_DELAY");
}

pe_t next_of(const job& j) {
  return (j.pe() + 1) % j.pes();
}

TEST(Delay, EveryDirectOperationOnAnotherPeIsOneRoundTrip) {
  run_delayed([](job& j) {
    const auto cells = j.allocate<std::uint64_t>(4);
    const auto there = cells.on(next_of(j));
    std::uint64_t values[3] = {};
    const std::vector<std::function<void()>> operations{
        [&] { put(j, *there, 1); },
        [&] { get(j, *there); },
        [&] { put(j, there, std::span<const std::uint64_t>(values)); },
        [&] { get(j, there, std::span<std::uint64_t>(values)); },
        [&] { atomic_fetch(j, *there); },
        [&] { atomic_set(j, *there, 1); },
        [&] { add(j, *there, 1); },
        [&] { fetch_add(j, *there, 1); },
        [&] { compare_swap(j, *there, 1, 2); },
    };
    for (const auto& operation : operations) {
      const auto before = j.stats().round_trips;
      EXPECT_GE(ns_of(operation), 2 * one_way_ns);
      EXPECT_EQ(j.stats().round_trips, before + 1);
    }
    j.free(cells);
  });
}

TEST(Delay, WhatIsBegunIsWaitedForTogether) {
  run_delayed([](job& j) {
    constexpr std::size_t count = 20;
    const auto cells = j.allocate<std::uint64_t>(count);
    for (std::size_t i = 0; i < count; ++i) j.local(cells)[i] = i;
    j.barrier();
    const auto there = cells.on(next_of(j));
    const auto before = j.stats().round_trips;
    std::vector<std::uint64_t> values(count, 99), fetched(count, 99);
    const auto took_ns = ns_of([&] {
      context ctx(j, nonblocking);
      for (std::size_t i = 0; i < count; ++i) ctx.get(there[i], &values[i]);
      for (std::size_t i = 0; i < count; ++i) ctx.fetch_add(there[i], 100, &fetched[i]);
      ctx.complete_own();
    });
    EXPECT_GE(took_ns, 2 * one_way_ns);
    EXPECT_EQ(j.stats().round_trips, before + 1);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(values[i], i);
      EXPECT_EQ(fetched[i], i) << "what goes to one PE keeps its order";
    }
    j.barrier();
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(j.local(cells)[i], 100 + i);
    j.barrier();
    j.free(cells);
  });
}

// What is awaited comes after what was begun before it.
TEST(Delay, WhatIsAwaitedOvertakesNothing) {
  run_delayed([](job& j) {
    const auto cell = j.allocate<std::uint64_t>(1);
    const auto there = cell.on(next_of(j));
    const std::uint64_t value = 7;
    j.map().put_slowly(there.owner(), there.offset(), &value, sizeof value, detail::until::begun, {"put"});
    EXPECT_EQ(fetch_add(j, *there, 1), 7U);
    j.map().complete();
    j.barrier();
    EXPECT_EQ(*j.local(cell), 8U);
    j.barrier();
    j.free(cell);
  });
}

TEST(Delay, OnesOwnMemoryIsNear) {
  run_delayed([](job& j) {
    const auto cell = j.allocate<std::uint64_t>(1);
    for (std::uint64_t i = 0; i < 1000; ++i) {
      put(j, *cell, i);
      add(j, *cell, 1);
      EXPECT_EQ(get(j, *cell), i + 1);
    }
    EXPECT_EQ(j.stats().round_trips, 0u);
    EXPECT_NE(j.local(cell), nullptr);
    EXPECT_EQ(j.local(cell.on(next_of(j))), nullptr) << "no plain loads from afar";
    j.free(cell);
  });
}

TEST(Delay, ABarrierEndsWhenTheSignalsOfAllAreThere) {
  run_delayed([](job& j) {
    for (int i = 0; i < 5; ++i) {
      const auto arrived = now_ns();
      j.barrier();
      const auto left = now_ns();
      const auto all = j.world().allgather(arrived);
      for (pe_t other = 0; other < j.pes(); ++other) {
        if (other != j.pe()) {
          EXPECT_GE(left, all[static_cast<std::size_t>(other)] + one_way_ns);
        }
      }
    }
  });
}

TEST(Delay, MessagesArriveLateAndInOrder) {
  run_delayed([](job& j) {
    struct stamped {
      std::uint64_t number, sent_ns;
    };
    constexpr std::uint64_t count = 5000; // several blocks
    std::uint64_t expected = 0, earliest_ns = ~std::uint64_t{0};
    {
      stream<stamped> numbers(j, [&](std::span<const stamped> batch, pe_t) {
        for (const auto& s : batch) {
          EXPECT_EQ(s.number, expected++);
          earliest_ns = std::min(earliest_ns, now_ns() - s.sent_ns);
        }
      });
      for (std::uint64_t i = 0; i < count; ++i) numbers.send(next_of(j), {i, now_ns()});
      numbers.barrier();
    }
    EXPECT_EQ(expected, count);
    EXPECT_GE(earliest_ns, one_way_ns);
  });
}

TEST(Delay, AggregatedOperationsShareTheirJourney) {
  run_delayed([](job& j) {
    auto table = j.array<std::uint64_t>(3 * 512);
    context ctx(j, aggregate);
    const auto before = j.stats();
    const auto took_ns = ns_of([&] {
      for (std::uint64_t i = 0; i < table.size(); ++i) ctx.add(table[i], i);
      ctx.barrier();
    });
    EXPECT_GE(took_ns, 2 * one_way_ns);
    std::vector<std::uint64_t> fetched(table.size()), range(512);
    for (std::uint64_t i = 0; i < table.size(); ++i) ctx.get(table[i], &fetched[i]);
    ctx.get(table.storage().on(next_of(j)), std::span(range)); // ranges travel too
    ctx.barrier();
    for (std::uint64_t i = 0; i < table.size(); ++i) EXPECT_EQ(fetched[i], 3 * i);
    const auto first = static_cast<std::uint64_t>(next_of(j)) * 512;
    for (std::uint64_t i = 0; i < range.size(); ++i) EXPECT_EQ(range[i], 3 * (first + i));
    const auto after = j.stats();
    EXPECT_EQ(after.round_trips, 0u);
    EXPECT_EQ(after.items_sent - before.items_sent, 2 * table.size() + range.size());
    EXPECT_LE(after.blocks_sent - before.blocks_sent, 12u);
    j.free(table);
  });
}

TEST(Delay, WithoutTheVariableNothingIsFar) {
  run_threads(2, [](job& j) {
    const auto cell = j.allocate<std::uint64_t>(1);
    put(j, *cell.on(next_of(j)), 1);
    EXPECT_EQ(j.stats().round_trips, 0u);
    EXPECT_NE(j.local(cell.on(next_of(j))), nullptr);
    j.free(cell);
  });
}

TEST(DelayDeathTest, AVariableThatIsNoDurationIsASentence) {
  for (const char* const text : {"5 fathoms", "nanus", "infs"})
    EXPECT_EXIT(
        {
          ::setenv("WINDROW_DELAY", text, 1);
          run_threads(1, [](job&) {});
        },
        testing::ExitedWithCode(1),
        "WINDROW_DELAY='" + std::string(text) + "' is not a duration such as 50us or 0.5ms");
}

} // namespace
} // namespace windrow
