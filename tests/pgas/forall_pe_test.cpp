// SPDX-License-Identifier: BSD-3-Clause
// forall in a job: the triad of each layout, and a loop that goes by its index alone.
#include "tests/support/pe_test.hpp"
#include "windrow/windrow.hpp"

namespace windrow {
namespace {

using test::the_job;

constexpr std::int64_t size = 1003;

template <class Distribution>
void triad(Distribution by) {
  auto& job = the_job();
  const auto a = job.array<double>(size, by), b = job.array<double>(size, by);
  const auto c = job.array<std::int32_t>(size, by);
  for (auto [i, y, z] : forall({0, size}, b, c))
    y = 0.5 * static_cast<double>(i), z = static_cast<std::int32_t>(size - i);
  job.barrier();
  for (auto [i, x, y, z] : forall({1, size, 3}, a, b, c)) x = y + 2 * z;
  // From the last element down, every second one.
  for (auto [i, x] : forall({0, size / 2}, {-2, size - 1}, a)) x -= 1;
  job.barrier();
  for (std::int64_t i = 0; i < size; ++i) {
    const auto sum = i % 3 == 1 ? 0.5 * static_cast<double>(i) + 2 * static_cast<double>(size - i) : 0;
    const auto less = i % 2 == 0 && i >= 2 ? 1 : 0;
    ASSERT_EQ(get(job, a[static_cast<std::uint64_t>(i)]), sum - less) << i;
  }
  job.barrier();
  job.free(a), job.free(b), job.free(c);
}

TEST(forall, triads) {
  triad(block);
  triad(cyclic);
  triad(block_cyclic<16>);
}

TEST(forall, up_to_a_size) {
  auto& job = the_job();
  const auto a = job.array<std::int64_t>(size);
  const std::size_t half = size / 2;
  for (auto [i, x] : forall({0, a.size()}, a)) x = i;
  for (auto [i, x] : forall({half, a.size(), 2u}, a)) x = -i;
  std::int64_t rounds = 0, sum = 0;
  for ([[maybe_unused]] const auto i : forall(job, {0, a.size()})) ++rounds;
  for (const auto x : a.local()) sum += x;
  EXPECT_EQ(job.world().sum(rounds), size);
  EXPECT_EQ(job.world().sum(sum), 502'503 - (501 + 1001) * 251);
  job.free(a);
}

TEST(forall, by_index) {
  auto& job = the_job();
  std::int64_t rounds = 0, sum = 0;
  for (const auto i : forall(job, {-5, 995, 5}, {3, 1})) {
    ASSERT_EQ(((3 * i + 1) % job.pes() + job.pes()) % job.pes(), job.pe());
    ++rounds, sum += i;
  }
  EXPECT_EQ(job.world().sum(rounds), 200);
  EXPECT_EQ(job.world().sum(sum), 98'500);
}

} // namespace
} // namespace windrow
