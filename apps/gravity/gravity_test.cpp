// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <string>

#include "apps/gravity/simulation.hpp"
#include "tests/support/pe_test.hpp"

namespace windrow::apps::gravity {
namespace {

const settings small{.of = {.cells = {3}, .bodies = 400}, .steps = 6, .balance_every = 2};

std::vector<body> first_bodies(const setting& s) {
  std::vector<body> all;
  all.reserve(s.bodies);
  for (std::uint64_t i = 0; i < s.bodies; ++i) all.push_back(first_state(i, s.bodies));
  return all;
}

vec3 attraction(std::span<const node> nodes, double opening, const vec3& at) {
  vec3 result{};
  attract(nodes, opening, at, result);
  return result;
}

TEST(gravity, two_bodies_attract_each_other_by_the_law) {
  const std::vector<body> two{{0, {0, 0, 0}, {}}, {1, {0.5, 0, 0}, {}}};
  const auto a = attraction(make_tree(two, 0.5), 0, two[0].at);
  EXPECT_NEAR(a[0], 2.0, 1e-4); // 0.5 / 0.5², a little softened
  EXPECT_EQ(a[1], 0);
  EXPECT_EQ(a[2], 0);
}

TEST(gravity, the_tree_is_as_good_as_its_opening) {
  const setting s{.bodies = 2000};
  const auto all = first_bodies(s);
  const auto error = [&](double opening) {
    auto chosen = s;
    chosen.opening = opening;
    return error_of_tree(chosen, all, 20);
  };
  EXPECT_EQ(error(0), 0);
  EXPECT_LT(error(0.3), 5e-3);
  EXPECT_LT(error(0.5), 2e-2);
  EXPECT_LT(error(0.3), error(0.9));
}

TEST(gravity, a_body_alone_is_not_attracted) {
  const setting s{.bodies = 1};
  EXPECT_EQ(error_of_tree(s, first_bodies(s), 1), 0);
}

// A body for which a part is made finds the same sum in it as in the whole, to the last bit.
TEST(gravity, essential_parts_are_as_good_as_the_whole) {
  const setting s{.bodies = 500};
  auto all = first_bodies(s);
  const auto middle = std::ranges::partition(all, [](const body& b) { return b.at[0] < 0.5; }).begin();
  const std::vector<body> here(all.begin(), middle), there(middle, all.end());
  const auto whole = make_tree(here, s.mass());
  const auto part = essential(whole, bounds_of(there), s.opening);
  EXPECT_LT(part.size(), whole.size());
  for (const auto& b : there)
    EXPECT_EQ(attraction(part, s.opening, b.at), attraction(whole, s.opening, b.at)) << b.number;
}

// Their sum is small beside those of kinetic and potential energy, and stays what it is.
TEST(gravity, energy_is_conserved) {
  if (test::the_job().pe() != 0) return;
  auto s = small;
  const auto energy_after = [&](std::uint64_t steps) {
    s.steps = steps;
    std::vector<body> all;
    run_sequential(s, &all);
    double sum = 0;
    for (const auto& b : all) {
      for (std::size_t a = 0; a < 3; ++a) sum += s.of.mass() * b.velocity[a] * b.velocity[a] / 2;
      for (const auto& other : all)
        if (b.number < other.number)
          sum -= s.of.mass() * s.of.mass() /
                 std::hypot(b.at[0] - other.at[0], b.at[1] - other.at[1], b.at[2] - other.at[2]);
    }
    return sum;
  };
  EXPECT_NEAR(energy_after(30), energy_after(0), 0.05);
}

TEST(gravity, boxes_that_stay_do_what_one_program_does) {
  const auto wanted = run_sequential(small);
  EXPECT_EQ(wanted.bodies, small.of.bodies);
  const auto r = run_static(test::the_job(), small);
  EXPECT_EQ(r.checksum, wanted.checksum);
  EXPECT_EQ(r.bodies, small.of.bodies);
}

// Rotating moves every box, in every step.
TEST(gravity, boxes_that_move_do_so_with_every_policy) {
  const auto wanted = run_sequential(small);
  for (const auto where : {handlers::on_own_thread, handlers::on_all_workers})
    for (const auto name : balance::policy_names()) {
      auto chosen = small;
      chosen.runs = where;
      if (name == "rotate") chosen.balance_every = 1;
      const auto r = run_mobile(test::the_job(), chosen, balance::named_policy(name));
      EXPECT_EQ(r.checksum, wanted.checksum) << name;
      EXPECT_EQ(r.bodies, small.of.bodies) << name;
    }
}

} // namespace
} // namespace windrow::apps::gravity
