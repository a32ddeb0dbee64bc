// SPDX-License-Identifier: BSD-3-Clause
// One continuation for results of tasks, remote calls and fetching operations together.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "tests/support/filled_array.hpp"
#include "tests/support/pe_test.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

constexpr auto triple = [](std::uint64_t x) { return 3 * x; };

/// Cell i has 7 i + 1.
struct cells : filled_array<std::uint64_t> {
  explicit cells(job& j)
      : filled_array(j, 100 * static_cast<std::uint64_t>(j.pes()),
                     [](std::uint64_t i) { return 7 * i + 1; }) {}
};

TEST(when_all, has_all_results_in_their_order) {
  auto& j = the_job();
  cells table(j);
  context ctx(j, aggregate);
  int ran = 0;
  auto four = when_all(async_future([] { return std::string("task"); }),
                       call((j.pe() + 1) % j.pes(), triple, 5U), ctx.get(table[3]), ctx.get(&table[3], 2));
  static_assert(
      std::is_same_v<decltype(four.get()),
                     std::tuple<std::string, std::uint64_t, std::uint64_t, std::vector<std::uint64_t>>>);
  four.then([&](const std::string& text, std::uint64_t called, std::uint64_t fetched,
                const std::vector<std::uint64_t>& range) {
    EXPECT_EQ(text, "task");
    EXPECT_EQ(called, 15U);
    EXPECT_EQ(fetched, 22U);
    EXPECT_EQ(range.front(), 22U);
    ++ran;
  });
  const auto [text, called, fetched, range] = four.get();
  EXPECT_EQ(text, "task");
  EXPECT_EQ(called, 15U);
  EXPECT_EQ(fetched, 22U);
  EXPECT_EQ(range.size(), 2U);
  EXPECT_TRUE(four.ready());
  four.then([&](auto&&...) { ++ran; }); // when they are there already
  ctx.barrier();
  EXPECT_EQ(ran, 2);
}

TEST(when_all, of_fetches_only_can_be_waited_for_too) {
  auto& j = the_job();
  cells table(j);
  for (const auto how : {aggregate, blocking}) {
    context ctx(j, how);
    const auto [one, range, before] =
        when_all(ctx.get(table[4]), ctx.get(&table[2], 3), ctx.fetch_add(table[5], 0)).get();
    EXPECT_EQ(one, 29U);
    EXPECT_EQ(range, (std::vector<std::uint64_t>{15, 22, 29}));
    EXPECT_EQ(before, 36U);
    ctx.barrier();
  }
}

TEST(when_all, takes_results_that_only_move) {
  auto& j = the_job();
  cells table(j);
  context ctx(j, aggregate), direct(j, blocking);
  int ran = 0;
  when_all(async_future([] { return std::make_unique<int>(3); }), ctx.get(table[1]), direct.get(table[2]))
      .then([&](const std::unique_ptr<int>& three, std::uint64_t one, std::uint64_t two) {
        EXPECT_EQ(*three, 3);
        EXPECT_EQ(one, 8U);
        EXPECT_EQ(two, 15U);
        ++ran;
      });
  ctx.barrier();
  EXPECT_EQ(ran, 1);
}

// Handlers, tasks and light threads on any worker.
TEST(when_all, is_for_all_who_use_futures) {
  auto& j = the_job();
  const auto next = (j.pe() + 1) % j.pes();
  finish([&] {
    for (int k = 0; k < 50; ++k) {
      async([k] { EXPECT_EQ(when_all(async_future([k] { return k; })).get(), std::tuple(k)); });
      spawn([k, next] {
        const auto both =
            when_all(spawn_future([k] { return k; }), call(next, [](int x) { return 2 * x; }, k));
        EXPECT_EQ(both.get(), std::tuple(k, 2 * k));
      });
    }
  });
  int ran = 0;
  mailbox<int> m(j, [&](int x) {
    const auto one = async_future([x] { return x; });
    when_all(one, one).then([&](int a, int b) { ran += a == b; });
  });
  m.run([&] {
    for (int i = 0; i < 100; ++i) m.send(next, i);
  });
  context(j, aggregate).barrier();
  EXPECT_EQ(ran, 100);
}

TEST(when_all, leaves_out_what_has_no_value) {
  auto& j = the_job();
  int done = 0, ran = 0;
  const auto both = when_all(async_future([&] { done = 1; }), async_future([] { return 2; }));
  both.then([&](int two) {
    EXPECT_EQ(two, 2);
    EXPECT_EQ(done, 1);
    ++ran;
  });
  EXPECT_EQ(both.get(), std::tuple(2));
  when_all(async_future([] {})).then([&] { ++ran; });
  when_all(async_future([] {}), async_future([] {})).get();
  context(j, aggregate).barrier();
  EXPECT_EQ(ran, 2);
}

TEST(when_all, takes_one_result_several_times) {
  const auto one = async_future([] { return std::make_shared<int>(5); });
  const auto [a, b] = when_all(one, one).get();
  EXPECT_EQ(a, b);
  EXPECT_EQ(*a, 5);
  when_all(one).then([](const std::shared_ptr<int>& five) { EXPECT_EQ(*five, 5); });
  context(the_job(), aggregate).barrier();
}

deferred note_exception(future<int> good, future<int> failing, std::string& what) {
  try {
    co_await when_all(good, failing);
  } catch (const std::runtime_error& e) {
    what = e.what();
  }
}

TEST(when_all, throws_what_a_task_threw) {
  auto& j = the_job();
  const auto good = async_future([] { return 1; });
  const auto failing = async_future([]() -> int { throw std::runtime_error("no result"); });
  EXPECT_THROW(when_all(good, failing).get(), std::runtime_error);
  std::string what;
  note_exception(good, async_future([]() -> int { throw std::runtime_error("none either"); }), what);
  context(j, aggregate).barrier();
  EXPECT_EQ(what, "none either");
}

// Nobody brings the second result: what waits for both is dropped with what it holds.
TEST(when_all, of_a_result_that_never_comes_keeps_nothing) {
  const auto held = std::make_shared<int>(1);
  {
    const future<int> never(std::make_shared<tasks::result_of_task<int>>());
    when_all(async_future([] { return 1; }), never).then([held](int, int) { FAIL(); });
    context(the_job(), aggregate).barrier();
  }
  EXPECT_EQ(held.use_count(), 1);
}

deferred note_values(std::vector<future<int>> all, std::vector<int>& values) {
  values = co_await when_all(std::move(all));
}

TEST(when_all, takes_any_number_of_one_type) {
  auto& j = the_job();
  std::vector<int> right(100), awaited;
  std::vector<future<int>> all;
  std::vector<future<void>> nothing;
  int ran = 0;
  all.reserve(right.size());
  nothing.reserve(right.size());
  for (int i = 0; i < 100; ++i) {
    right[static_cast<std::size_t>(i)] = 3 * i;
    all.push_back(i % 2 == 0 ? async_future([i] { return 3 * i; })
                             : future<int>(call(i % j.pes(), [](int x) { return 3 * x; }, i)));
    nothing.push_back(async_future([] {}));
  }
  note_values(all, awaited);
  when_all(all).then([&](const std::vector<int>& values) { ran += values == right; });
  when_all(nothing).then([&] { ++ran; });
  EXPECT_EQ(when_all(std::move(all)).get(), right);
  when_all(std::move(nothing)).get();
  EXPECT_TRUE(when_all(std::vector<future<int>>()).get().empty());
  context(j, aggregate).barrier();
  EXPECT_EQ(awaited, right);
  EXPECT_EQ(ran, 2);
}

TEST(when_all, of_any_number_throws_the_first_exception_when_all_are_there) {
  auto& j = the_job();
  promise<int> last;
  std::vector<future<int>> all{
      async_future([] { return 1; }), async_future([]() -> int { throw std::runtime_error("second"); }),
      async_future([]() -> int { throw std::logic_error("third"); }), last.get_future()};
  const auto together = when_all(std::move(all));
  EXPECT_EQ(together.wait_for(std::chrono::milliseconds(2)), std::future_status::timeout);
  last.set_value(4);
  EXPECT_THROW(together.get(), std::runtime_error);
  std::vector<future<void>> nothing{async_future([] {}),
                                    async_future([] { throw std::runtime_error("none"); })};
  EXPECT_THROW(when_all(std::move(nothing)).get(), std::runtime_error);
  context(j, aggregate).barrier();
}

/// Random sets of results, each taken in one of the three ways; the sum of all is known.
class mixed {
 public:
  mixed(job& j, std::uint64_t seed) : job_(j), table_(j), ctx_(j, aggregate), random_(seed) {}

  void run(int rounds) {
    for (int i = 0; i < rounds; ++i) {
      const auto x = random_() % 100, y = random_() % 100;
      const auto to = static_cast<pe_t>(random_() % static_cast<std::uint64_t>(job_.pes()));
      const auto task = async_future([x] { return 5 * x; });
      const auto called = call(to, triple, y);
      expected_ += 5 * x + 3 * y + 7 * x + 1;
      const auto all = when_all(called, ctx_.get(table_[x]), task);
      switch (random_() % 3) {
        case 0:
          all.then([this](std::uint64_t a, std::uint64_t b, std::uint64_t c) { sum_ += a + b + c; });
          break;
        case 1:
          await(all);
          break;
        default:
          const auto [a, b, c] = all.get();
          sum_ += a + b + c;
      }
    }
    ctx_.barrier();
    EXPECT_EQ(sum_, expected_);
  }

 private:
  template <class All>
  deferred await(All all) {
    const auto [a, b, c] = co_await all;
    sum_ += a + b + c;
  }

  job& job_;
  cells table_;
  context ctx_;
  std::mt19937_64 random_;
  std::uint64_t sum_ = 0, expected_ = 0;
};

TEST(when_all, random_sets_of_results) {
  const std::uint64_t seed = 17 + static_cast<std::uint64_t>(the_job().pe());
  SCOPED_TRACE(seed);
  mixed(the_job(), seed).run(2000);
}

} // namespace
} // namespace windrow::test
