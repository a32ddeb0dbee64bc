// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <string>

#include "apps/elastic/simulation.hpp"
#include "tests/support/pe_test.hpp"

namespace windrow::apps::elastic {
namespace {

constexpr grid small{.blocks = 3, .side = 4};

/// The error at some time on a grid of so many points.
double error_on(std::int64_t points, scenario which, std::uint64_t steps) {
  return run_sequential(
             {.what = make_problem(which), .points = {.blocks = 1, .side = points}, .steps = steps})
      .error;
}

// Half the distance of points and half the step: a sixteenth of the error.
TEST(elastic, the_scheme_is_of_fourth_order) {
  if (test::the_job().pe() != 0) return;
  for (const auto which : {scenario::p_wave, scenario::s_wave, scenario::ripples}) {
    const auto coarse = error_on(12, which, 6), fine = error_on(24, which, 12);
    EXPECT_LT(fine, 1e-2) << name_of(which);
    EXPECT_GT(std::log2(coarse / fine), 3.7) << name_of(which);
  }
}

// The same sums at each point, however the grid is cut.
TEST(elastic, blocks_do_not_matter_while_all_are_awake) {
  if (test::the_job().pe() != 0) return;
  const auto checksum = [](std::int64_t blocks) {
    const grid g{.blocks = blocks, .side = 12 / blocks, .quiet = 0};
    return run_sequential({.what = make_problem(scenario::ripples), .points = g, .steps = 3}).checksum;
  };
  EXPECT_EQ(checksum(1), checksum(2));
  EXPECT_EQ(checksum(1), checksum(3));
}

// What sleeping blocks leave out is as small as what does not wake them.
TEST(elastic, blocks_that_sleep_change_little) {
  if (test::the_job().pe() != 0) return;
  settings s{
      .what = make_problem(scenario::source), .points = {.blocks = 5, .side = 4, .quiet = 0}, .steps = 10};
  const auto all = run_sequential(s);
  s.points.quiet = 1e-7;
  const auto some = run_sequential(s);
  EXPECT_EQ(all.awake, s.points.count());
  EXPECT_LT(some.awake, s.points.count());
  EXPECT_GT(some.error, 1e-3); // something has happened
  EXPECT_NEAR(some.error, all.error, 1e-6);
}

class versions : public testing::TestWithParam<scenario> {};
INSTANTIATE_TEST_SUITE_P(elastic, versions, testing::Values(scenario::ripples, scenario::source),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST_P(versions, blocks_that_stay_do_what_one_program_does) {
  const settings s{.what = make_problem(GetParam()), .points = small, .steps = 5};
  const auto wanted = run_sequential(s);
  const auto r = run_static(test::the_job(), s);
  EXPECT_EQ(r.checksum, wanted.checksum);
  EXPECT_EQ(r.error, wanted.error);
  EXPECT_EQ(r.awake, wanted.awake);
}

// Rotating moves every block, after every step; with one block, or two in a row, neighbours are few.
TEST_P(versions, blocks_that_move_do_so_with_every_policy) {
  settings s{.what = make_problem(GetParam()), .points = small, .steps = 5, .balance_every = 2};
  const auto wanted = run_sequential(s);
  for (const auto where : {handlers::on_own_thread, handlers::on_all_workers})
    for (const auto name : balance::policy_names()) {
      s.where = where;
      s.balance_every = name == "rotate" ? 1 : 2;
      const auto r = run_mobile(test::the_job(), s, balance::named_policy(name));
      EXPECT_EQ(r.checksum, wanted.checksum) << name;
      EXPECT_EQ(r.error, wanted.error) << name;
      EXPECT_EQ(r.awake, wanted.awake) << name;
    }
}

TEST(elastic, a_block_may_be_its_own_neighbour) {
  for (const std::int64_t blocks : {1, 2}) {
    const settings s{
        .what = make_problem(scenario::ripples), .points = {.blocks = blocks, .side = 4}, .steps = 3};
    EXPECT_EQ(run_mobile(test::the_job(), s, balance::rotate{}).checksum, run_sequential(s).checksum);
  }
}

} // namespace
} // namespace windrow::apps::elastic
