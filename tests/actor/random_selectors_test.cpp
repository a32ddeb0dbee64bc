// SPDX-License-Identifier: BSD-3-Clause
#include "tests/actor/random_selectors.hpp"

#include "tests/support/pe_test.hpp"

namespace windrow::test {
namespace {

TEST(selector, random_programs_match_a_sequential_expansion) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    run_random_selectors(the_job(), seed);
    if (HasFailure()) return;
  }
}

} // namespace
} // namespace windrow::test
