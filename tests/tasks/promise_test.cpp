// SPDX-License-Identifier: BSD-3-Clause
// Results that code makes by itself: coroutines that return one, and promises.
#include "windrow/promise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/filled_array.hpp"
#include "tests/support/pe_test.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

/// A list over all PEs: entry i names the entry behind it, 7 i + 3 modulo their number, which is odd and no
/// multiple of 3.
struct links : filled_array<std::uint64_t> {
  explicit links(job& j) : filled_array(j, count, [](std::uint64_t i) { return behind(i); }) {}

  static constexpr std::uint64_t count = 1001;
  static std::uint64_t behind(std::uint64_t i) { return (7 * i + 3) % count; }
  static std::uint64_t behind(std::uint64_t i, int steps) {
    while (steps-- > 0) i = behind(i);
    return i;
  }
};

future<std::uint64_t> follow(context& ctx, const links& all, std::uint64_t from, int steps) {
  for (; steps > 0; --steps) from = co_await ctx.get(all[from]);
  co_return from;
}

deferred add(context& ctx, const links& all, std::uint64_t from, std::uint64_t& sum) {
  const auto there = co_await follow(ctx, all, from, 3);
  sum += there + co_await follow(ctx, all, there, 2);
}

TEST(coroutine_with_result, is_awaited_by_another) {
  auto& j = the_job();
  const links all(j);
  for (const auto how : {aggregate, nonblocking, blocking}) {
    context ctx(j, how);
    std::uint64_t sum = 0, right = 0;
    for (std::uint64_t i = 0; i < 500; ++i) {
      add(ctx, all, i, sum);
      right += links::behind(i, 3) + links::behind(i, 5);
    }
    ctx.barrier();
    EXPECT_EQ(sum, right);
  }
}

TEST(coroutine_with_result, gives_a_future_like_every_other) {
  auto& j = the_job();
  const links all(j);
  context ctx(j, aggregate);
  EXPECT_EQ(follow(ctx, all, 5, 4).get(), links::behind(5, 4));
  EXPECT_EQ(follow(ctx, all, 5, 0).get(), 5U); // which never waits
  int ran = 0;
  follow(ctx, all, 1, 2).then([&](std::uint64_t there) { ran += there == links::behind(1, 2); });
  when_all(follow(ctx, all, 1, 2), follow(ctx, all, 2, 3), ctx.get(all[4]))
      .then([&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
        ran += a == links::behind(1, 2) && b == links::behind(2, 3) && c == links::behind(4);
      });
  finish([&] {
    for (std::uint64_t i = 0; i < 50; ++i) {
      const auto there = follow(ctx, all, i, 2);
      spawn([&ran, there, i] { ran += there.get() == links::behind(i, 2); });
    }
  });
  ctx.barrier();
  EXPECT_EQ(ran, 52);
}

future<std::uint64_t> sum_of(context& ctx, const links& all, std::uint64_t from, int steps) {
  if (steps == 0) co_return from;
  const auto behind = co_await ctx.get(all[from]);
  co_return from + co_await sum_of(ctx, all, behind, steps - 1);
}

// Their rests run one behind the other: no stack is as deep as they are.
TEST(coroutine_with_result, may_call_itself_deeply) {
  auto& j = the_job();
  const links all(j);
  context ctx(j, aggregate);
  constexpr int steps = 50'000;
  std::uint64_t right = 0, at = 0;
  for (int i = 0; i <= steps; ++i, at = links::behind(at)) right += at;
  EXPECT_EQ(sum_of(ctx, all, 0, steps).get(), right);
  j.barrier();
}

/// How many of them there are, and were at most.
struct counted {
  counted() { most = std::max(most, ++alive); }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { --alive; }

  static inline int alive = 0, most = 0;
};
deferred add_counted(context& ctx, const links& all, std::uint64_t from, std::uint64_t& sum) {
  const counted here;
  sum += co_await follow(ctx, all, from, 2);
}

// WINDROW_DEFER_LIMIT bounds those that wait for coroutines as it does those that wait for values.
TEST(coroutine_with_result, those_that_wait_are_bounded) {
  auto& j = the_job();
  const links all(j);
  context ctx(j, aggregate);
  constexpr int calls = 400'000;
  std::uint64_t sum = 0, right = 0;
  for (int i = 0; i < calls; ++i) {
    const auto from = static_cast<std::uint64_t>(i) % links::count;
    add_counted(ctx, all, from, sum);
    right += links::behind(from, 2);
  }
  ctx.barrier();
  EXPECT_EQ(sum, right);
  EXPECT_EQ(counted::alive, 0);
  EXPECT_LT(counted::most, calls / 2);
}

/// Says how often it was copied.
struct shy {
  explicit shy(int n) : number(n) {}
  shy(const shy& other) : number(other.number), copies(other.copies + 1) {}
  shy(shy&&) = default;
  shy& operator=(const shy&) = delete;
  shy& operator=(shy&&) = delete;
  ~shy() = default;

  int number, copies = 0;
};
future<shy> make_shy(context& ctx, const links& all, int number) {
  co_await ctx.get(all[static_cast<std::uint64_t>(number)]);
  co_return shy(number);
}
future<void> check_shy(context& ctx, const links& all, int& ran) {
  const auto one = co_await make_shy(ctx, all, 1);
  const auto kept = make_shy(ctx, all, 2);
  const auto two = co_await kept;
  EXPECT_EQ(one.number, 1);
  EXPECT_EQ(two.number, 2);
  EXPECT_EQ(one.copies, 0);
  EXPECT_EQ(two.copies, 1); // the future has it still
  ++ran;
}

TEST(coroutine_with_result, gives_what_nobody_else_has_without_a_copy) {
  auto& j = the_job();
  const links all(j);
  for (const auto how : {aggregate, blocking}) {
    context ctx(j, how);
    int ran = 0;
    const auto done = check_shy(ctx, all, ran);
    done.wait();
    EXPECT_EQ(ran, 1);
    ctx.barrier();
  }
}

future<int> refuse_odd(context& ctx, const links& all, std::uint64_t from) {
  const auto there = co_await ctx.get(all[from]);
  if (there % 2 != 0) throw std::runtime_error(std::to_string(there) + " is odd");
  co_return static_cast<int>(there);
}
deferred count_odd(context& ctx, const links& all, std::uint64_t from, int& odd, int& even) {
  try {
    even += co_await refuse_odd(ctx, all, from) % 2 == 0;
  } catch (const std::runtime_error& e) {
    odd += std::string(e.what()).ends_with("is odd");
  }
}

TEST(coroutine_with_result, its_exception_is_that_of_the_future) {
  auto& j = the_job();
  const links all(j);
  for (const auto how : {aggregate, blocking}) {
    context ctx(j, how);
    int odd = 0, even = 0;
    for (std::uint64_t i = 0; i < 100; ++i) count_odd(ctx, all, i, odd, even);
    ctx.barrier();
    EXPECT_EQ(odd + even, 100);
    EXPECT_GT(odd, 0);
    EXPECT_THROW(refuse_odd(ctx, all, 0).get(), std::runtime_error); // 3
    refuse_odd(ctx, all, 0);                                         // nobody asks
    ctx.barrier();
  }
}

struct alignas(64) row : std::array<std::uint64_t, 8> {};
using page = std::array<std::uint64_t, 200>;

template <class Result>
future<Result> of_task(std::uint64_t i) {
  const auto value = co_await async_future([i] { return i; });
  const auto filled = [value] {
    Result all{};
    all.fill(value);
    return all;
  };
  co_return filled();
}
// Begins on a worker, goes on where all coroutines do, and its result ends on whichever worker.
template <class Result>
void begin_and_end_on_workers(std::uint64_t count) {
  finish([&] {
    for (std::uint64_t i = 0; i < count; ++i)
      async([i] {
        spawn([result = of_task<Result>(i), i] {
          const auto& all = result.get();
          EXPECT_TRUE(std::ranges::all_of(all, [i](std::uint64_t x) { return x == i; }));
          EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&all) % alignof(Result), 0U);
        });
      });
  });
}

TEST(coroutine_with_result, results_of_any_size_begin_and_end_on_any_worker) {
  begin_and_end_on_workers<std::array<std::uint64_t, 8>>(200);
  begin_and_end_on_workers<row>(200);
  begin_and_end_on_workers<page>(20);
}

// What a handler begins cannot be waited for there, and may be followed.
TEST(coroutine_with_result, begins_in_handlers_too) {
  auto& j = the_job();
  const links all(j);
  context ctx(j, aggregate);
  std::uint64_t sum = 0, right = 0;
  stream<std::uint64_t> places(j, [&](std::span<const std::uint64_t> some, pe_t) {
    for (const auto at : some) follow(ctx, all, at, 3).then([&](std::uint64_t there) { sum += there; });
  });
  for (std::uint64_t i = 0; i < 200; ++i) {
    places.send((j.pe() + 1) % j.pes(), i);
    right += links::behind(i, 3);
  }
  ctx.barrier();
  EXPECT_EQ(sum, right);
}

TEST(promise, is_kept_by_a_handler) {
  auto& j = the_job();
  std::vector<promise<std::string>> asked(100);
  stream<int> answers(j, [&](std::span<const int> some, pe_t from) {
    for (const int i : some)
      asked[static_cast<std::size_t>(i)].set_value(std::to_string(i) + " from " + std::to_string(from));
  });
  stream<int> questions(j, [&](std::span<const int> some, pe_t from) {
    for (const int i : some) answers.send(from, i);
  });
  const auto next = (j.pe() + 1) % j.pes();
  int right = 0;
  finish([&] {
    for (int i = 0; i < 100; ++i) {
      const auto answer = asked[static_cast<std::size_t>(i)].get_future();
      const auto text = std::to_string(i) + " from " + std::to_string(next);
      if (i % 2 == 0)
        spawn([&right, answer, text] { right += answer.get() == text; });
      else
        answer.then([&right, text](const std::string& a) { right += a == text; });
      questions.send(next, i);
    }
  });
  context(j, aggregate).barrier();
  EXPECT_EQ(right, 100);
}

TEST(promise, has_the_interface_of_the_standard_one) {
  promise<std::vector<int>> first;
  auto there = first.get_future();
  EXPECT_FALSE(there.ready());
  promise<std::vector<int>> second(std::move(first));
  second.set_value(3U, 5);
  EXPECT_EQ(there.get(), std::vector<int>(3, 5));
  promise<void> nothing;
  nothing.set_value();
  nothing.get_future().get();
  promise<int> failing;
  failing.set_exception(std::make_exception_ptr(std::out_of_range("none")));
  EXPECT_THROW(failing.get_future().get(), std::out_of_range);
  promise<std::unique_ptr<int>> moved;
  moved.set_value(std::make_unique<int>(4));
  EXPECT_EQ(*moved.get_future().get(), 4);
}

future<void> note_error(future<int> result, std::string& what) {
  try {
    co_await result;
  } catch (const error& e) {
    what = e.what();
  }
}

TEST(promise, that_ends_without_a_result_fails_its_future) {
  std::string what;
  future<int> never;
  {
    promise<int> forgotten;
    never = forgotten.get_future();
    note_error(never, what);
  }
  EXPECT_THROW(never.get(), error);
  context(the_job(), aggregate).barrier();
  EXPECT_EQ(what, "a future waits for the result of a promise, which has ended without one");
}

} // namespace
} // namespace windrow::test
