// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "apps/refinement/simulation.hpp"
#include "tests/support/pe_test.hpp"

namespace windrow::apps::refinement {
namespace {

constexpr domain coarse{.side = 4, .finest = 0.02, .growth = 0.3, .period = 5};
const settings small{.where = coarse, .steps = 4};

void expect_same(const outcome& r, const outcome& wanted, std::string_view name) {
  EXPECT_EQ(r.triangles, wanted.triangles) << name;
  EXPECT_EQ(r.checksums, wanted.checksums) << name;
}

// Before, coordinates of a single patch were too coarse for it, and refinement did not end.
TEST(refinement, is_as_fine_as_the_program_allows) {
  const domain finest{.side = 1, .finest = 1e-4, .growth = 1};
  const auto mesh = refine_alone(finest, 0);
  for (const auto& t : mesh) EXPECT_FALSE(finest.is_too_large(t, 0));
}

// Each edge has a triangle on each side, or one where the domain ends; together they cover it.
TEST(refinement, the_mesh_conforms_and_is_fine_enough) {
  const auto mesh = refine_alone(coarse, 1);
  std::map<std::pair<point, point>, int> sides;
  std::int64_t twice_area = 0;
  for (const auto& t : mesh) {
    EXPECT_FALSE(coarse.is_too_large(t, 1));
    const auto& [a, b, c] = t;
    for (const auto& e : {edge_between(a, b), edge_between(b, c), edge_between(c, a)}) ++sides[{e.a, e.b}];
    twice_area += std::abs(std::int64_t{b.x - a.x} * (c.y - a.y) - std::int64_t{b.y - a.y} * (c.x - a.x));
  }
  const auto last = static_cast<std::int32_t>(coarse.side) * patch_side;
  const auto on_border = [&](const point& p, const point& q) {
    return (p.x == q.x && (p.x == 0 || p.x == last)) || (p.y == q.y && (p.y == 0 || p.y == last));
  };
  for (const auto& [e, count] : sides) EXPECT_EQ(count, on_border(e.first, e.second) ? 1 : 2);
  EXPECT_EQ(twice_area, 2 * std::int64_t{last} * last);
  EXPECT_GT(mesh.size(), 500U);
}

TEST(refinement, patches_that_stay_make_the_same_mesh) {
  expect_same(run_static(test::the_job(), small), run_sequential(small), "static");
}

// Rotating moves every patch, in every step.
TEST(refinement, meshes_are_the_same_with_every_policy) {
  const auto wanted = run_sequential(small);
  for (const auto name : balance::policy_names())
    expect_same(run_mobile(test::the_job(), small, balance::named_policy(name)), wanted, name);
}

TEST(refinement, draws_what_it_has_done) {
  auto& j = test::the_job();
  auto chosen = small;
  chosen.picture = testing::TempDir() + "mesh." + std::to_string(j.pes()) + ".svg";
  const auto r = run_mobile(j, chosen, balance::refine{});
  if (j.pe() != 0) return;
  std::ifstream written(chosen.picture);
  const std::string text{std::istreambuf_iterator<char>(written), {}};
  std::size_t triangles = 0;
  for (std::size_t at = 0; (at = text.find("<polygon", at)) != text.npos; ++at) ++triangles;
  EXPECT_EQ(triangles, r.triangles.back());
  std::remove(chosen.picture.c_str());
}

} // namespace
} // namespace windrow::apps::refinement
