// SPDX-License-Identifier: BSD-3-Clause
// Remote calls, and futures: of them, of tasks and of fetching operations.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/filled_array.hpp"
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

// Something arrives at PE 0 all the time, and it does nothing but wait.
TEST(call, leaves_where_something_arrives_without_end) {
  auto& j = the_job();
  static bool ends;
  ends = false;
  volatile int work = 0;
  stream<int> s(j, [&](std::span<const int> batch, pe_t) {
    for (std::size_t i = 0; i < 20 * batch.size(); ++i) work = work + 1;
  });
  if (j.pe() == 0)
    for (pe_t pe = 1; pe < j.pes(); ++pe) call(pe, [] { ends = true; }).get();
  else
    while (!ends) s.send(0, 1);
  s.barrier();
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

TEST(call, is_complete_with_the_operations) {
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

// One stream of requests of three kinds, at random, from main code and from tasks, whose results are taken in
// three ways at random, against the sum of all results.
class mixed_requests {
 public:
  mixed_requests(job& j, unsigned seed)
      : job_(j), random_(seed), values_(j, cells, [](std::uint64_t i) { return 3 * i; }) {}

  void request() {
    const auto x = random_() % cells;
    const auto how = random_() % 3;
    expected_ += 3 * x;
    switch (random_() % 4) {
      case 0:
        return take(ctx_.get(values_[x]), how);
      case 1:
        return take(future<std::uint64_t>(ctx_.get(values_[x])), how);
      case 2:
        return take(async_future([x] { return 3 * x; }), how);
      default:
        const auto to = static_cast<pe_t>(random_() % static_cast<unsigned>(job_.pes()));
        return take(call(to, [](std::uint64_t y) { return 3 * y; }, x), how);
    }
  }
  /// Requests in a task of any worker: those that are allowed there.
  void request_in_task() {
    const auto x = random_() % cells;
    expected_ += 3 * x;
    async([this, x, how = random_() % 2, to = static_cast<pe_t>(x) % job_.pes()] {
      const auto result = call(to, [](std::uint64_t y) { return 3 * y; }, x);
      if (how == 0)
        result.then([this](std::uint64_t v) { note(v); });
      else
        await(result);
    });
  }
  void check() {
    ctx_.barrier();
    for (const auto& f : later_) found_ += f.get();
    later_.clear();
    EXPECT_EQ(found_, expected_);
    EXPECT_EQ(elsewhere_, 0);
  }

 private:
  static constexpr std::uint64_t cells = 100;

  /// Only continuations call this; all of them run on the PE's own thread.
  void note(std::uint64_t value) {
    found_ += value;
    if (this_worker() != communication_worker) ++elsewhere_;
  }
  template <class Result>
  deferred await(Result result) {
    note(co_await std::move(result));
  }
  template <class Result>
  void take(Result result, std::uint64_t how) {
    if (how == 0)
      std::move(result).then([this](std::uint64_t v) { note(v); });
    else if (how == 1)
      await(std::move(result));
    else
      later_.emplace_back(std::move(result));
  }

  job& job_;
  std::mt19937_64 random_;
  filled_array<std::uint64_t> values_;
  context ctx_{job_, aggregate};
  std::vector<future<std::uint64_t>> later_;
  std::uint64_t expected_ = 0, found_ = 0;
  std::atomic<int> elsewhere_ = 0;
};

TEST(future, is_one_concept_for_fetches_tasks_and_calls) {
  auto& j = the_job();
  const auto seed = 5'301'987U + static_cast<unsigned>(j.pe());
  SCOPED_TRACE(seed);
  mixed_requests requests(j, seed);
  for (int i = 0; i < 4000; ++i) {
    i % 8 == 0 ? requests.request_in_task() : requests.request();
    if (i % 1000 == 999) requests.check();
  }
}

TEST(future, is_followed_by_any_number_of_continuations) {
  auto& j = the_job();
  context ctx(j, aggregate);
  std::vector<int> seen;
  const auto result = async_future([] { return 7; });
  result.then([&](int x) { seen.push_back(x); });
  result.wait();
  for (int i = 0; i < 3; ++i) result.then([&, i](const int& x) { seen.push_back(x + i); });
  const auto nothing = call(j.pe(), [] {});
  nothing.then([&] { seen.push_back(0); });
  ctx.complete_own();
  std::ranges::sort(seen);
  EXPECT_EQ(seen, (std::vector<int>{0, 7, 7, 8, 9}));
  j.barrier();
}

// What follows may defer and start more, and runs neither in a handler nor in another continuation.
TEST(future, leads_to_more_and_does_not_nest) {
  auto& j = the_job();
  context ctx(j, aggregate);
  bool handles = false, follows = false;
  int nested = 0, ends = 0;
  const auto as_continuation = [&](auto body) { // a handler may run in one, when it sends
    if (handles || follows) ++nested;
    const bool outer = std::exchange(follows, true);
    body();
    follows = outer;
  };
  stream<int> s(j, [&](std::span<const int> batch, pe_t) {
    const bool outer = std::exchange(handles, true);
    for (const int n : batch) {
      async_future([n] { return n; }).then([&](int x) {
        as_continuation([&] {
          const auto next = call(x % j.pes(), [](int y) { return y + 1; }, x);
          for (int i = 0; i < 2; ++i) next.then([&](int) { as_continuation([&] { ++ends; }); });
        });
      });
    }
    handles = outer;
  });
  for (int i = 0; i < 200; ++i) s.send(i % j.pes(), i);
  s.barrier();
  EXPECT_EQ(j.world().sum(ends), 400 * j.pes());
  EXPECT_EQ(nested, 0);
}

deferred note_exception(future<int> failing, std::string& what) {
  try {
    co_await failing;
  } catch (const std::runtime_error& e) {
    what = e.what();
  }
}

TEST(future, throws_in_the_coroutine_that_awaits_it) {
  auto& j = the_job();
  std::string what;
  note_exception(async_future([]() -> int { throw std::runtime_error("no result"); }), what);
  context(j, aggregate).complete_own();
  EXPECT_EQ(what, "no result");
  j.barrier();
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
