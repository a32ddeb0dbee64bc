// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string_view>

#include "apps/tetrahedra/simulation.hpp"
#include "tests/support/pe_test.hpp"

namespace windrow::apps::tetrahedra {
namespace {

const settings small{.where = {.depth = 2, .finest = 0.06, .growth = 0.6, .period = 5}, .steps = 3};

void expect_same(const outcome& r, const outcome& wanted, std::string_view name) {
  EXPECT_EQ(r.tetrahedra, wanted.tetrahedra) << name;
  EXPECT_EQ(r.checksums, wanted.checksums) << name;
}

std::int64_t six_volumes(const tetrahedron& t) {
  std::array<std::array<std::int64_t, 3>, 3> d{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t a = 0; a < 3; ++a) d[i][a] = std::int64_t{t.at[i + 1][a]} - t.at[0][a];
  return std::abs(d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                  d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                  d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]));
}

bool is_on_surface(const std::array<point, 3>& face) {
  for (std::size_t a = 0; a < 3; ++a)
    for (const auto at : {0, whole_side})
      if (std::ranges::all_of(face, [&](const point& p) { return p[a] == at; })) return true;
  return false;
}

// Each face has a tetrahedron on each side, or one where the cube ends; together they fill it.
TEST(tetrahedra, the_mesh_conforms_and_is_fine_enough) {
  const auto mesh = refine_alone(small.where, 1);
  std::map<std::array<point, 3>, int> faces;
  std::int64_t volume = 0;
  for (const auto& t : mesh) {
    EXPECT_FALSE(small.where.is_too_large(t, 1));
    volume += six_volumes(t);
    for (std::size_t left_out = 0; left_out < 4; ++left_out) {
      std::array<point, 3> face{};
      for (std::size_t i = 0; i < 3; ++i) face[i] = t.at[i < left_out ? i : i + 1];
      std::ranges::sort(face);
      ++faces[face];
    }
  }
  for (const auto& [face, count] : faces) EXPECT_EQ(count, is_on_surface(face) ? 1 : 2);
  EXPECT_EQ(volume, 6 * std::int64_t{whole_side} * whole_side * whole_side);
  EXPECT_GT(mesh.size(), 1000U);
}

// Three bisections of a cell's tetrahedra give those of the eight cells in it.
TEST(tetrahedra, cells_are_what_larger_ones_become) {
  auto all = tetrahedra_of({{0, 0, 0}, whole_side});
  for (int i = 0; i < 3; ++i) {
    std::vector<tetrahedron> next;
    for (const auto& t : all)
      for (const auto& half : t.halves()) next.push_back(half);
    all = std::move(next);
  }
  std::vector<tetrahedron> wanted;
  const auto half = whole_side / 2;
  for (std::int32_t i = 0; i < 8; ++i)
    for (const auto& t : tetrahedra_of({{half * (i & 1), half * (i >> 1 & 1), half * (i >> 2)}, half}))
      wanted.push_back(t);
  EXPECT_EQ(all.size(), wanted.size());
  EXPECT_EQ(checksum(all), checksum(wanted));
}

TEST(tetrahedra, the_octree_has_cells_of_two_sizes) {
  const octree cells(sizes{});
  const auto& leaves = cells.leaves();
  const auto [least, most] = std::ranges::minmax(leaves, {}, &cell::side);
  EXPECT_EQ(2 * least.side, most.side);
  EXPECT_EQ(cells.leaves_at({1, 1, 1}).size(), 1U);
  EXPECT_TRUE(cells.is_corner({whole_side / 2, whole_side / 2, whole_side / 2}));
  EXPECT_FALSE(cells.is_corner({1, 0, 0}));
}

TEST(tetrahedra, parts_that_stay_make_the_same_mesh) {
  expect_same(run_static(test::the_job(), small), run_sequential(small), "static");
}

// Rotating moves every part, in every step.
TEST(tetrahedra, meshes_are_the_same_with_every_policy) {
  const auto wanted = run_sequential(small);
  for (const auto name : balance::policy_names())
    expect_same(run_mobile(test::the_job(), small, balance::named_policy(name)), wanted, name);
}

} // namespace
} // namespace windrow::apps::tetrahedra
