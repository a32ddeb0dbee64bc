// SPDX-License-Identifier: BSD-3-Clause
#include "tests/deferral/random_deferral.hpp"
#include "tests/support/pe_test.hpp"

namespace windrow::test {
namespace {

void run(std::initializer_list<style> styles, std::uint64_t seeds, std::uint32_t roots) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    run_random_deferral(the_job(), seed, {styles.begin(), styles.size()}, roots);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(random_deferral, aggregated) {
  run({aggregate}, 8, 300);
}
TEST(random_deferral, aggregated_and_much) {
  run({aggregate}, 1, 8000);
}
TEST(random_deferral, blocking) {
  run({blocking}, 4, 300);
}
TEST(random_deferral, mixed_styles) {
  run({aggregate, blocking, aggregate, nonblocking}, 8, 300);
}

} // namespace
} // namespace windrow::test
