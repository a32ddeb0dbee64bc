// SPDX-License-Identifier: BSD-3-Clause
#include "apps/neurons/simulation.hpp"
#include "tests/support/pe_test.hpp"

namespace windrow::apps::neurons {
namespace {

// The last group is a small one.
constexpr settings small{.net = {.neurons = 1500, .group = 32}, .steps = 12, .balance_every = 3};

TEST(neurons, groups_that_stay_do_what_one_program_does) {
  const auto wanted = run_sequential(small);
  EXPECT_GT(wanted.spikes, 500U);
  const auto r = run_static(test::the_job(), small);
  EXPECT_EQ(r.spikes, wanted.spikes);
  EXPECT_EQ(r.checksum, wanted.checksum);
}

// Rotating moves every group, in every step.
TEST(neurons, results_are_the_same_with_every_policy) {
  const auto wanted = run_sequential(small);
  for (const auto name : balance::policy_names()) {
    auto chosen = small;
    if (name == "rotate") chosen.balance_every = 1;
    const auto r = run_mobile(test::the_job(), chosen, balance::named_policy(name));
    EXPECT_EQ(r.spikes, wanted.spikes) << name;
    EXPECT_EQ(r.checksum, wanted.checksum) << name;
  }
}

} // namespace
} // namespace windrow::apps::neurons
