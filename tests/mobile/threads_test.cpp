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
