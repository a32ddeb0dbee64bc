// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "apps/delaunay/simulation.hpp"
#include "tests/support/pe_test.hpp"

namespace windrow::apps::delaunay {
namespace {

const settings small{.where = {.leaves = 5, .levels = 3, .finest = 0.01, .growth = 0.3}};

TEST(delaunay, geometry_is_exact) {
  const auto t = make_triangle({8, 0}, {0, 8}, {0, 0});
  EXPECT_EQ(t, make_triangle({0, 0}, {8, 0}, {0, 8}));
  EXPECT_EQ(circumcentre(t), (point{4, 4}));
  EXPECT_DOUBLE_EQ(radius_squared(t), 32);
  EXPECT_TRUE(is_in_circle(t, {7, 7}));
  EXPECT_FALSE(is_in_circle(t, {8, 8})); // on it
  EXPECT_FALSE(is_in_circle(t, {9, 8}));
  EXPECT_TRUE(encroaches({4, 3}, {{0, 0}, {8, 0}}));
  EXPECT_FALSE(encroaches({4, 4}, {{0, 0}, {8, 0}})); // on it
}

TEST(delaunay, leaves_of_a_colour_have_no_neighbour_in_common) {
  const domain d{.leaves = 7};
  for (std::uint64_t i = 0; i < d.count(); ++i)
    for (const auto n : d.around(i, 2)) EXPECT_NE(d.colour(i), d.colour(n));
}

TEST(delaunay, meshes_have_no_faults) {
  auto mesh = run_sequential(small).mesh;
  EXPECT_GT(mesh.size(), 1000U);
  for (const auto* fault : faults(small.where, mesh)) ADD_FAILURE() << fault;
  mesh.pop_back();
  EXPECT_EQ(faults(small.where, mesh).size(), 2U); // a gap
}

// With sizes of a few units of length, roundings decide where points are, and refinement need not end.
TEST(delaunay, the_least_size_is_one_that_can_be_had) {
  settings finest{.where = {.leaves = 1, .levels = 2, .growth = 1}};
  finest.where.finest = finest.where.least_size();
  const auto mesh = run_sequential(finest).mesh;
  EXPECT_GT(mesh.size(), 100U);
  for (const auto* fault : faults(finest.where, mesh)) ADD_FAILURE() << fault;
}

TEST(delaunay, leaves_that_stay_make_the_same_mesh) {
  const auto wanted = run_sequential(small);
  const auto r = run_static(test::the_job(), small);
  EXPECT_EQ(r.checksum, wanted.checksum);
  EXPECT_EQ(r.triangles, wanted.triangles);
  EXPECT_EQ(r.rounds, wanted.rounds);
}

// Whoever has which leaf, and on however many workers leaves are refined side by side.
TEST(delaunay, leaves_that_move_make_it_with_every_policy) {
  const auto wanted = run_sequential(small);
  for (const auto where : {handlers::on_own_thread, handlers::on_all_workers})
    for (const auto name : balance::policy_names()) {
      auto chosen = small;
      chosen.runs = where;
      const auto r = run_mobile(test::the_job(), chosen, balance::named_policy(name));
      EXPECT_EQ(r.checksum, wanted.checksum) << name;
      EXPECT_EQ(r.triangles, wanted.triangles) << name;
      EXPECT_EQ(r.rounds, wanted.rounds) << name;
    }
}

// Tasks that split triangles at a time get in each other's way, and out of it.
TEST(delaunay, optimistic_meshes_have_no_faults) {
  auto& j = test::the_job();
  auto chosen = small;
  chosen.optimistic = true;
  const auto expect_right = [&](const outcome& r) {
    if (j.pe() != 0) return;
    EXPECT_EQ(r.mesh.size(), r.triangles);
    for (const auto* fault : faults(small.where, r.mesh)) ADD_FAILURE() << fault;
  };
  expect_right(run_static(j, chosen));
  for (const auto where : {handlers::on_own_thread, handlers::on_all_workers}) {
    chosen.runs = where;
    expect_right(run_mobile(j, chosen, balance::rotate{}));
  }
}

} // namespace
} // namespace windrow::apps::delaunay
