// SPDX-License-Identifier: BSD-3-Clause
#include "tests/aggregation/random_operations.hpp"

#include <gtest/gtest.h>

#include "base/options.hpp"
#include "tests/support/pe_test.hpp"

namespace windrow::test {
namespace {

TEST(random_operations, equal_a_sequential_computation) {
  const auto seeds = base::integer_option("WINDROW_TEST_SEEDS", 1000, 1, 1'000'000'000);
  const auto first = base::integer_option("WINDROW_TEST_FIRST_SEED", 1, 0, 1'000'000'000);
  for (long seed = first; seed < first + seeds && !HasFailure(); ++seed)
    run_random_operations(the_job(), static_cast<std::uint64_t>(seed), 2, seed % 50 == 0 ? 20'000 : 600);
}

} // namespace
} // namespace windrow::test
