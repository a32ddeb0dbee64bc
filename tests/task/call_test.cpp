// SPDX-License-Identifier: BSD-3-Clause
// Remote calls, and futures of fetching operations.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/support/pe_test.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

struct question {
  std::uint64_t a;
  std::int32_t b;
  std::int8_t c;
};
struct answer {
  std::array<std::uint64_t, 5> values;
};

answer answer_to(const question& q) {
  return {{q.a, static_cast<std::uint64_t>(q.b), static_cast<std::uint64_t>(q.c), q.a * 3, q.a ^ 7}};
}

TEST(call, returns_what_the_function_returns_at_any_pe) {
  auto& j = the_job();
  const auto seed = 20'261'123U + static_cast<unsigned>(j.pe());
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  std::vector<std::pair<question, future<answer>>> asked;
  std::vector<std::pair<std::uint64_t, future<std::uint64_t>>> sums;
  for (int i = 0; i < 3000; ++i) {
    const auto to = static_cast<pe_t>(random() % static_cast<unsigned>(j.pes()));
    const question q{random(), static_cast<std::int32_t>(i), static_cast<std::int8_t>(i)};
    asked.emplace_back(q, call(to, [](const question& asks) { return answer_to(asks); }, q));
    sums.emplace_back(q.a + 5,
                      call(to, [](std::uint64_t x, int y) { return x + static_cast<unsigned>(y); }, q.a, 5));
  }
  for (const auto& [q, found] : asked) ASSERT_EQ(found.get().values, answer_to(q).values);
  for (const auto& [sum, found] : sums) ASSERT_EQ(found.get(), sum);
}

// The reply needs no help of the owner beyond the call itself, which waits for others in a barrier.
TEST(call, is_answered_by_who_is_in_a_barrier) {
  auto& j = the_job();
  if (j.pe() == 0) {
    for (pe_t to = 0; to < j.pes(); ++to) EXPECT_EQ(call(to, [](pe_t pe) { return pe; }, to).get(), to);
  }
  j.barrier();
}

TEST(call, reaches_the_memory_of_the_owner) {
  auto& j = the_job();
  const auto cell = j.allocate<std::uint64_t>(1);
  const auto to = (j.pe() + 1) % j.pes();
  const auto add = [](const owner& here, symmetric<std::uint64_t> at, std::uint64_t value) {
    *here.local(at) += value;
  };
  const future<void> first = call(to, add, symmetric(cell), std::uint64_t{20});
  const future<void> second = call(to, add, symmetric(cell), std::uint64_t{22});
  first.wait();
  second.wait();
  j.barrier();
  EXPECT_EQ(*j.local(cell), 42U);
  j.free(cell);
}

// A call made by a function that runs for another PE: its result is there at the barrier that follows.
TEST(call, may_call_on) {
  auto& j = the_job();
  static constinit std::uint64_t arrived = 0; // of this PE
  arrived = 0;
  j.barrier();
  context ctx(j, aggregate);
  for (pe_t to = 0; to < j.pes(); ++to)
    call(to, [](const owner& here, pe_t pes) { call((here.from() + 1) % pes, [] { ++arrived; }); }, j.pes());
  ctx.barrier();
  EXPECT_EQ(arrived, static_cast<std::uint64_t>(j.pes()));
  j.barrier();
}

TEST(call, of_a_quiet_is_complete) {
  auto& j = the_job();
  context ctx(j, aggregate);
  std::vector<future<int>> results;
  for (int i = 0; i < 100; ++i) results.push_back(call(i % j.pes(), [](int n) { return 2 * n; }, i));
  ctx.complete_own();
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(results[static_cast<std::size_t>(i)].ready());
    EXPECT_EQ(results[static_cast<std::size_t>(i)].get(), 2 * i);
  }
  j.barrier();
}

TEST(call, is_made_and_waited_for_by_tasks_and_light_threads) {
  auto& j = the_job();
  std::atomic<int> right = 0;
  finish([&] {
    for (int i = 0; i < 50; ++i) {
      const auto to = i % j.pes();
      async([&right, to, i] { right += call(to, [](int n) { return n + 1; }, i).get() == i + 1; });
      spawn([&right, to, i] { right += call(to, [](int n) { return n - 1; }, i).get() == i - 1; });
    }
  });
  EXPECT_EQ(right, 100);
  j.barrier();
}

TEST(call, that_nobody_waits_for_is_made) {
  auto& j = the_job();
  static constinit int calls = 0; // of this PE
  calls = 0;
  j.barrier();
  call((j.pe() + 1) % j.pes(), [] { ++calls; });
  context(j, aggregate).barrier();
  EXPECT_EQ(calls, 1);
  j.barrier();
}

TEST(future, of_a_fetching_operation_has_its_value) {
  auto& j = the_job();
  const auto table = j.array<std::uint64_t>(100 * static_cast<std::uint64_t>(j.pes()));
  for (auto& element : table.local()) element = static_cast<std::uint64_t>(j.pe());
  j.barrier();
  for (const auto how : {aggregate, blocking}) {
    context ctx(j, how);
    std::vector<future<std::uint64_t>> values;
    for (std::uint64_t i = 0; i < table.size(); ++i) values.emplace_back(ctx.get(table[i]));
    for (std::uint64_t i = 0; i < table.size(); ++i)
      ASSERT_EQ(values[i].get(), static_cast<std::uint64_t>(table.owner(i)));
    const future<std::vector<std::uint64_t>> range = ctx.get(&table[table.size() - 10], 10);
    EXPECT_EQ(range.get(), std::vector<std::uint64_t>(10, static_cast<std::uint64_t>(j.pes() - 1)));
  }
  j.barrier();
  context ctx(j, aggregate);
  const future<std::uint64_t> before = ctx.fetch_add(table[0], 1);
  EXPECT_LT(before.get(), static_cast<std::uint64_t>(j.pes()));
  ctx.barrier();
  j.free(table);
}

// The safe form, with each of the three kinds of functions, against the sum of all that is added.
TEST(then_at_owner, takes_arguments_of_a_function_that_captures_nothing) {
  auto& j = the_job();
  const auto sums = j.allocate<std::uint64_t>(4);
  context ctx(j, aggregate);
  j.barrier();
  for (int i = 0; i < 300; ++i) {
    const auto at = sums.on(i % j.pes());
    ctx.fetch_inc(at[0]).then_at_owner([](std::uint64_t, const owner& here, symmetric<std::uint64_t> all,
                                          std::uint64_t value) { here.local(all)[1] += value; },
                                       symmetric(sums), std::uint64_t{7});
    ctx.fetch_inc(at[2]).then_at_owner(
        [](std::uint64_t before, std::uint64_t& place, const owner&, std::uint64_t more) {
          EXPECT_EQ(place, before + 1);
          place += more;
        },
        static_cast<std::uint64_t>(j.pe()));
    ctx.fetch_inc(at[3]).then_at_owner(
        [](std::uint64_t before, int least) { EXPECT_GE(before + 1, static_cast<unsigned>(least)); }, 1);
  }
  ctx.barrier();
  const auto pes = static_cast<std::uint64_t>(j.pes());
  const auto own = j.local(sums);
  EXPECT_EQ(j.world().sum(own[0]), 300 * pes);
  EXPECT_EQ(j.world().sum(own[1]), 7 * 300 * pes);
  EXPECT_EQ(j.world().sum(own[2]), 300 * pes + 300 * pes * (pes - 1) / 2);
  EXPECT_EQ(j.world().sum(own[3]), 300 * pes);
  j.free(sums);
}

} // namespace
} // namespace windrow::test
