// SPDX-License-Identifier: BSD-3-Clause
// PEs as threads, for ThreadSanitizer.
#include <gtest/gtest.h>

#include <tuple>

#include "tests/mobile/random_multicasts.hpp"
#include "tests/mobile/random_objects.hpp"
#include "tests/tasks/with_workers.hpp"

namespace windrow::test {
namespace {

TEST(mobile_threads, random_programs_keep_every_message_in_order) {
  run_threads(3, [](job& j) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) run_random_objects(j, seed);
  });
}

TEST(mobile_threads, a_collection_outlives_the_end_of_its_job) {
  for (const auto where : {handlers::on_own_thread, handlers::on_all_workers})
    run_threads(3, [&](job& j) {
      struct number {
        std::uint64_t value = 0;
        void add(std::uint64_t more) { value += more; }
      };
      object_space space(j, where);
      collection<number> all(space, 10, [](std::uint64_t i) { return number{i}; });
      for (std::uint64_t i = 0; i < all.size(); ++i) all[i].template send<&number::add>(1);
      j.finalize();
      all.for_each_local([](std::uint64_t i, const number& n) { EXPECT_EQ(n.value, i + 3); });
    });
}

class mobile_threads_workers : public testing::TestWithParam<std::tuple<pe_t, int>> {};

TEST_P(mobile_threads_workers, random_programs_keep_every_message_in_order) {
  const auto [pes, workers] = GetParam();
  run_with_workers(pes, workers, [](job& j) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) run_random_objects(j, seed, handlers::on_all_workers);
  });
}

TEST_P(mobile_threads_workers, multicasts_with_common_objects_come_to_an_end) {
  const auto [pes, workers] = GetParam();
  run_with_workers(pes, workers, [](job& j) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) run_random_multicasts(j, seed, handlers::on_all_workers);
  });
}

INSTANTIATE_TEST_SUITE_P(mobile, mobile_threads_workers,
                         testing::Values(std::tuple(1, 3), std::tuple(2, 2), std::tuple(3, 1),
                                         std::tuple(2, 8)));

} // namespace
} // namespace windrow::test
