// SPDX-License-Identifier: BSD-3-Clause
// Teams and collectives between processes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/pe_test.hpp"
#include "tests/support/random_collectives.hpp"
#include "windrow/one_sided.hpp"

namespace windrow {
namespace {

using test::the_job;

TEST(random_collectives, agree_with_a_sequential_computation) {
  for (std::uint64_t seed = 100; seed < 110; ++seed)
    test::run_random_collectives(the_job().world(), seed, 400);
}

TEST(barrier, orders_direct_writes) {
  auto& job = the_job();
  const auto cells = job.allocate<int>(1);
  auto cell = [&](pe_t pe) { return *global_ptr<int>(pe, cells.offset()); };
  for (int round = 0; round < 1000; ++round) {
    put(job, cell((job.pe() + round) % job.pes()), round + job.pe());
    job.barrier();
    for (pe_t pe = 0; pe < job.pes(); ++pe) ASSERT_EQ(get(job, cell((pe + round) % job.pes())), round + pe);
    job.barrier();
  }
  job.free(cells);
}

/// Too large for a team slot.
struct wide {
  std::array<long, 4000> values;
};
wide wide_of(long value) {
  wide w{};
  w.values[0] = value;
  return w;
}
wide add_first(wide a, const wide& b) {
  a.values[0] += b.values[0];
  return a;
}

long reduce_first(long value) {
  return the_job().world().reduce(wide_of(value), add_first).values[0];
}

// In a scan the last members alone come to the sum at which it throws.
TEST(operation_that_throws, leaves_a_scan_on_its_own_member) {
  auto& job = the_job();
  const auto add_up_to_2 = [](const wide& a, const wide& b) {
    auto sum = add_first(a, b);
    if (sum.values[0] > 2) throw std::range_error("more than 2");
    return sum;
  };
  for (int round = 0; round < 20; ++round) {
    if (job.pe() < 2)
      ASSERT_EQ(job.world().scan(wide_of(1), add_up_to_2).values[0], job.pe() + 1);
    else
      ASSERT_THROW(job.world().scan(wide_of(1), add_up_to_2), std::range_error);
    ASSERT_EQ(reduce_first(round), static_cast<long>(round) * job.pes());
  }
}

// Who is late sees what the others have shown, although they have gone on with what comes next.
TEST(operation_that_throws, leaves_a_reduction_on_all_members) {
  auto& job = the_job();
  bool is_late = job.pe() == 0;
  const auto add_up_to_1000 = [&](const wide& a, const wide& b) {
    if (std::exchange(is_late, false)) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    auto sum = add_first(a, b);
    if (sum.values[0] > 1000) throw std::range_error("more than 1000");
    return sum;
  };
  const auto reduce = [&] {
    return job.world().reduce(wide_of(job.pe() == job.pes() - 1 ? 1000 : 1), add_up_to_1000).values[0];
  };
  if (job.pes() == 1)
    EXPECT_EQ(reduce(), 1000);
  else
    EXPECT_THROW(reduce(), std::range_error);
  EXPECT_EQ(reduce_first(7), 7L * job.pes());
}

// Of many elements each member combines a share for all.
std::uint32_t in_order(std::uint32_t a, std::uint32_t b) {
  return a * 31 + b;
}
std::vector<std::uint32_t> numbers_of(pe_t pe, std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = static_cast<std::uint32_t>(pe + 1) * 7919 + static_cast<std::uint32_t>(i);
  return numbers;
}
std::vector<std::uint32_t> all_in_order(pe_t pes, std::size_t count) {
  auto result = numbers_of(0, count);
  for (pe_t pe = 1; pe < pes; ++pe)
    std::ranges::transform(result, numbers_of(pe, count), result.begin(), in_order);
  return result;
}

TEST(reductions, of_many_elements_combine_in_order) {
  auto& job = the_job();
  for (const std::size_t count : {0, 1, 100, 1500, 4096, 8191, 8192, 8193, 100'000}) {
    SCOPED_TRACE(count);
    const auto expected = all_in_order(job.pes(), count);
    auto mine = numbers_of(job.pe(), count);
    std::vector<std::uint32_t> result(count);
    job.world().reduce(mine, std::span(result), in_order);
    EXPECT_EQ(result, expected);
    job.world().reduce(mine, std::span(mine), in_order);
    EXPECT_EQ(mine, expected) << "in place";
  }
}

// In whichever share. What throws on one member alone throws there if it is called there, and the others have
// their result.
TEST(operation_that_throws, leaves_a_reduction_of_many_elements) {
  auto& job = the_job();
  if (job.pes() == 1) GTEST_SKIP() << "one member combines nothing";
  constexpr std::size_t count = 30'000;
  constexpr pe_t all_members = -1;
  const auto mine = numbers_of(job.pe(), count);
  const auto expected = all_in_order(job.pes(), count);
  for (const std::size_t place : {0, 1, 9000, 16'383, 29'999})
    for (pe_t thrower = all_members; thrower < job.pes(); ++thrower) {
      SCOPED_TRACE(fmt::format("PE {} throws at {}", thrower, place));
      const auto guilty = numbers_of(job.pes() - 1, count)[place];
      const bool may_throw = thrower == all_members || thrower == job.pe();
      bool throws = false;
      std::vector<std::uint32_t> result(count);
      try {
        job.world().reduce(mine, std::span(result), [&](std::uint32_t a, std::uint32_t b) {
          if (may_throw && b == guilty) throw std::range_error("guilty");
          return in_order(a, b);
        });
      } catch (const std::range_error&) {
        throws = true;
      }
      if (thrower == all_members)
        EXPECT_TRUE(throws);
      else if (throws)
        EXPECT_TRUE(may_throw);
      else
        EXPECT_EQ(result, expected);
      EXPECT_EQ(job.world().sum(1), job.pes());
    }
}

// What is read may be any contiguous range.
TEST(collectives, take_vectors) {
  auto& job = the_job();
  const auto pes = static_cast<std::size_t>(job.pes());
  const std::vector<int> mine{job.pe(), 1};
  std::vector<int> sum(2), all(2 * pes), turned(2 * pes);
  job.world().reduce(mine, std::span(sum), std::plus<>());
  EXPECT_EQ(sum, (std::vector{job.pes() * (job.pes() - 1) / 2, job.pes()}));
  job.world().allgather(mine, std::span(all));
  job.world().alltoall(all, std::span(turned));
  for (std::size_t pe = 0; pe < pes; ++pe) {
    EXPECT_EQ(all[2 * pe], static_cast<int>(pe));
    EXPECT_EQ(turned[2 * pe], job.pe());
  }
}

} // namespace
} // namespace windrow
