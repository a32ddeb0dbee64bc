// SPDX-License-Identifier: BSD-3-Clause
// Teams and collectives between processes.
#include <array>
#include <chrono>
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
