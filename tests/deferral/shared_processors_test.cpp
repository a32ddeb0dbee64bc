// SPDX-License-Identifier: BSD-3-Clause
// Where PEs share processors, what waits is held to what fits the caches, unless somebody chooses a limit.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "tests/support/pe_test.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

TEST(shared_processors, what_waits_takes_256_kib_for_each_pe) {
  auto& j = the_job();
  const auto pes = static_cast<std::uint64_t>(j.pes());
  auto counts = j.array<std::uint64_t>(pes);
  context ctx(j, aggregate);
  std::uint64_t ran = 0;
  constexpr std::uint64_t asked = 100'000;
  for (std::uint64_t i = 0; i < asked; ++i)
    ctx.fetch_inc(counts[i % pes]).then([captured = std::array<char, 100>{}, &ran](std::uint64_t) {
      ran += 1 + static_cast<std::uint64_t>(captured[0]);
    });
  ctx.barrier();
  EXPECT_EQ(ran, asked);
  const auto limit = j.pes() > ::sysconf(_SC_NPROCESSORS_ONLN) ? pes << 18 : std::uint64_t{16} << 20;
  EXPECT_LE(j.stats().deferred_bytes_max,
            limit + 16 * 1024); // two chunks: who takes one more helps next time
  j.free(counts);
}

/// Coroutines that have begun and not ended.
struct alive {
  std::uint64_t now = 0, most = 0, ended = 0;

  void begin() { most = std::max(most, ++now); }
  void end() { --now, ++ended; }
};

deferred count(context& ctx, global_ref<std::uint64_t> at, alive& all) {
  all.begin();
  co_await ctx.fetch_inc(at);
  all.end();
}

// Begins `asked` coroutines, whose frames have so many bytes at least.
template <class Begin>
void expect_bounded(std::uint64_t asked, std::uint64_t frame_bytes, Begin begin) {
  auto& j = the_job();
  const auto pes = static_cast<std::uint64_t>(j.pes());
  auto counts = j.array<std::uint64_t>(pes);
  context ctx(j, aggregate);
  alive all;
  for (std::uint64_t i = 0; i < asked; ++i) begin(ctx, counts[i % pes], all);
  ctx.barrier();
  EXPECT_EQ(all.ended, asked);
  const bool bounded = std::getenv("WINDROW_DEFER_LIMIT") != nullptr; // to 256 KiB, in tests
  EXPECT_LE(all.most * frame_bytes, std::uint64_t{256} << (bounded ? 10 : 16));
  EXPECT_EQ(windrow::get(j, counts[static_cast<std::uint64_t>(j.pe())]), asked);
  j.barrier();
  j.free(counts);
}

TEST(shared_processors, coroutines_that_wait_keep_the_limit) {
  expect_bounded(200'000, 64, count);
}

deferred count_with_room(context& ctx, global_ref<std::uint64_t> at, alive& all) {
  all.begin();
  std::array<volatile char, 4000> room;
  room.back() = 1;
  co_await ctx.fetch_inc(at);
  all.ended += static_cast<std::uint64_t>(room.back() - 1);
  all.end();
}

TEST(shared_processors, large_coroutines_that_wait_keep_the_limit) {
  expect_bounded(20'000, sizeof(std::array<char, 4000>), count_with_room);
}

deferred wait_for(const future<void>& task, alive& all) {
  all.begin();
  co_await task;
  all.end();
}

// Who begins so many does not wait for them: nothing is under way that would let one end.
TEST(shared_processors, coroutines_may_wait_for_what_comes_later) {
  alive all;
  constexpr std::uint64_t asked = 50'000;
  const auto task = async_future([] {}); // with one worker, it runs when this one waits
  for (std::uint64_t i = 0; i < asked; ++i) wait_for(task, all);
  context(the_job(), aggregate).barrier();
  EXPECT_EQ(all.ended, asked);
}

} // namespace
} // namespace windrow::test
