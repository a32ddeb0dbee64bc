// SPDX-License-Identifier: BSD-3-Clause
#include "apps/particles/simulation.hpp"
#include "tests/support/pe_test.hpp"

namespace windrow::apps::particles {
namespace {

constexpr settings small{.cells{8}, .particles = 1500, .steps = 12, .balance_every = 3};

TEST(particles, results_are_those_of_one_program_alone) {
  const auto wanted = run_sequential(small);
  EXPECT_EQ(wanted.particles, small.particles);
  const auto r = run_static(test::the_job(), small);
  EXPECT_EQ(r.checksum, wanted.checksum);
  EXPECT_EQ(r.particles, small.particles);
}

// It does not matter who has which cell; rotating moves every one of them, again and again.
TEST(particles, results_are_the_same_with_every_policy) {
  const auto wanted = run_sequential(small);
  for (const auto name : balance::policy_names()) {
    auto chosen = small;
    if (name == "rotate") chosen.balance_every = 1;
    const auto r = run_mobile(test::the_job(), chosen, balance::named_policy(name));
    EXPECT_EQ(r.checksum, wanted.checksum) << name;
    EXPECT_EQ(r.particles, small.particles) << name;
  }
}

} // namespace
} // namespace windrow::apps::particles
