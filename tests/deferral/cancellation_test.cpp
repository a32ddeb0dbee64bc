// SPDX-License-Identifier: BSD-3-Clause
// What still waits when a job fails is destroyed without running; what waits when it ends runs. And how much
// may wait.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "deferral/scheduler.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

class counted {
 public:
  explicit counted(int& alive) : alive_(alive) { ++alive_; }
  ~counted() { --alive_; }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;

 private:
  int& alive_;
};

struct tally {
  int alive = 0;
  int ran = 0;
};

deferred follow(future<int> value, std::shared_ptr<counted>, tally& t) {
  t.ran += co_await value < 0 ? 0 : 1;
}

deferred twice(context& ctx, global_ref<int> at, std::shared_ptr<counted>, tally& t) {
  co_await ctx.fetch_add(at, 1);
  ++t.ran;
  co_await ctx.fetch_add(at, 1);
  ++t.ran;
}

future<int> give(context& ctx, global_ref<int> at, std::shared_ptr<counted>) {
  co_return co_await ctx.fetch_add(at, 1);
}

/// Continuations, records and coroutines in a job of one PE, which sends to itself.
void defer_much(job& j, context& ctx, tally& t) {
  const auto at = *j.allocate<int>(1);
  for (int i = 0; i < 5000; ++i) {
    const auto held = std::make_shared<counted>(t.alive);
    ctx.fetch_add(at, 1).then([held, &t](int) { ++t.ran; });
    ctx.get(at).then([held, &t](int) { ++t.ran; });
    when_all(ctx.fetch_add(at, 1), ctx.get(at)).then([held, &t](int, int) { ++t.ran; });
    twice(ctx, at, held, t);
    const future<int> kept = ctx.fetch_add(at, 1);
    kept.then([held, &t](int) { ++t.ran; });
    follow(kept, held, t);
    follow(give(ctx, at, held), held, t);
    give(ctx, at, held).then([held, &t](int) { ++t.ran; });
  }
}

void run(tally& t, bool fail) {
  ::setenv("WINDROW_DIRECT_UPDATES", "0", 1);
  job j;
  context ctx(j, aggregate);
  defer_much(j, ctx, t);
  if (fail) throw std::runtime_error("the program fails");
  j.finalize(); // while the context exists that the coroutines use
}

TEST(defer_cancellation, what_waits_at_a_failure_is_destroyed) {
  tally t;
  EXPECT_THROW(run(t, true), std::runtime_error);
  EXPECT_EQ(t.alive, 0);
  EXPECT_LT(t.ran, 45'000) << "nothing was left to destroy";
}

TEST(defer_cancellation, what_waits_at_the_end_runs) {
  tally t;
  EXPECT_NO_THROW(run(t, false));
  EXPECT_EQ(t.alive, 0);
  EXPECT_EQ(t.ran, 45'000);
}

TEST(defer_limit, holds_to_the_chunk) {
  ::setenv("WINDROW_DIRECT_UPDATES", "0", 1);
  ::setenv("WINDROW_DEFER_LIMIT", "128K", 1);
  job j;
  context ctx(j, aggregate);
  const auto at = *j.allocate<int>(1);
  int ran = 0;
  for (int i = 0; i < 20'000; ++i) // the answers that one block brings are more than may wait
    ctx.fetch_add(at, 1).then([captured = std::array<char, 400>{}, &ran](int) { ran += 1 + captured[0]; });
  ctx.barrier();
  EXPECT_EQ(ran, 20'000);
  EXPECT_GT(j.stats().deferred_helps, 0U);
  EXPECT_GE(j.stats().deferred_bytes_max, 128U << 10);
  EXPECT_LE(j.stats().deferred_bytes_max, 136U << 10);
  ::unsetenv("WINDROW_DEFER_LIMIT");
}

// Whoever defers later would help for each operation, and so wait for each answer.
TEST(defer_limit, forgets_large_records_that_have_run) {
  ::setenv("WINDROW_DIRECT_UPDATES", "0", 1);
  job j;
  context ctx(j, aggregate);
  const auto at = *j.allocate<int>(1);
  auto& scheduler = deferral::scheduler_of(j);
  for (const std::uint32_t level : {1, 0})
    scheduler.commit(scheduler.open([](void*) {}, std::size_t{32} << 20, nullptr, level));
  int ran = 0;
  for (int i = 0; i < 100; ++i) ctx.fetch_add(at, 1).then([&](int) { ++ran; });
  ctx.barrier();
  EXPECT_EQ(ran, 100);
  EXPECT_EQ(j.stats().deferred_helps, 0U);
}

} // namespace
} // namespace windrow::test
