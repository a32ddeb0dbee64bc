// SPDX-License-Identifier: BSD-3-Clause
// The search trees: right ones are found, wrong ones are told from right ones.
#include "apps/kernels/bfs/bfs.hpp"

#include <set>
#include <string>

#include "apps/graph/edge_list.hpp"
#include "apps/graph/kronecker.hpp"
#include "apps/kernels/bfs/validate.hpp"
#include "tests/support/pe_test.hpp"

namespace windrow::apps {
namespace {

using test::the_job;
constexpr auto none = bfs::none;
using values = std::vector<std::uint64_t>;

/// A square 0-1-2-3, a tail 3-4, and two vertices apart, 5-6.
const graph::edge_list square{7, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {3, 4}, {5, 6}}};

std::string verdict(const values& parent, const values& level) {
  const ownership all(0, 1, square.vertices);
  return broken_rule(all, my_neighbours(all, graph::simple_undirected(square)), 0, parent, level);
}

bool breaks(int rule, const values& parent, const values& level) {
  const auto told = verdict(parent, level);
  return told.find("(rule " + std::to_string(rule) + ")") != std::string::npos;
}

TEST(SearchTree, RightOnesAreRight) {
  EXPECT_EQ(verdict({0, 0, 1, 0, 3, none, none}, {0, 1, 2, 1, 2, none, none}), "");
  EXPECT_EQ(verdict({0, 0, 3, 0, 3, none, none}, {0, 1, 2, 1, 2, none, none}), "");
}

TEST(SearchTree, Rule1NoCyclesAndOneRoot) {
  EXPECT_TRUE(breaks(1, {0, 2, 1, 0, 3, none, none}, {0, 1, 2, 1, 2, none, none})) << "1 and 2 in a circle";
  EXPECT_TRUE(breaks(1, {0, 1, 1, 0, 3, none, none}, {0, 1, 2, 1, 2, none, none})) << "1 is a second root";
  EXPECT_TRUE(breaks(1, {1, 0, 1, 0, 3, none, none}, {0, 1, 2, 1, 2, none, none})) << "the root has a parent";
  EXPECT_TRUE(breaks(1, {0, 0, 1, 0, 77, none, none}, {0, 1, 2, 1, 2, none, none})) << "no such parent";
  EXPECT_TRUE(breaks(1, {0, 0, 1, 0, 3, none, none}, {0, 1, 2, 1, none, none, none})) << "4 has no level";
  EXPECT_TRUE(breaks(1, {0, 0, 1, 0, 5, none, none}, {0, 1, 2, 1, 2, none, none})) << "a parent outside";
}

TEST(SearchTree, Rule2ParentsAreALevelAbove) {
  EXPECT_TRUE(breaks(2, {0, 0, 1, 2, 3, none, none}, {0, 1, 2, 1, 2, none, none})) << "2 is not above 3";
  EXPECT_TRUE(breaks(2, {0, 0, 1, 0, 3, none, none}, {1, 1, 2, 1, 2, none, none})) << "the root is on 1";
}

TEST(SearchTree, Rule3NeighboursAreALevelApartAtMost) {
  EXPECT_TRUE(breaks(3, {0, 0, 1, 2, 3, none, none}, {0, 1, 2, 3, 4, none, none}))
      << "0 and 3 are neighbours";
}

TEST(SearchTree, Rule4AllOfTheComponent) {
  EXPECT_TRUE(breaks(4, {0, 0, 1, 0, none, none, none}, {0, 1, 2, 1, none, none, none})) << "4 is missing";
}

TEST(SearchTree, Rule5ParentsAreNeighbours) {
  EXPECT_TRUE(breaks(5, {0, 0, 1, 0, 1, none, none}, {0, 1, 2, 1, 2, none, none}))
      << "1 and 4 are not linked";
}

TEST(Bfs, FindsTheComponentOfItsRootInEveryStyle) {
  const workload w{.name = "square", .graph = square, .sequences = {}, .seed = 1, .operations = 0};
  bfs tested(the_job(), w);
  EXPECT_EQ(std::set(tested.roots().begin(), tested.roots().end()).size(), 7u);
  for (const auto style : cpp_styles) {
    tested.search(0, style);
    EXPECT_EQ(tested.fault(), "");
    EXPECT_EQ(tested.edges_reached(), 5u);
    tested.search(6, style);
    EXPECT_EQ(tested.fault(), "");
    EXPECT_EQ(tested.edges_reached(), 1u);
  }
}

/// Vertices that are all linked to each other, and a path that begins at the last of them.
graph::edge_list clique_with_tail(graph::vertex clique, graph::vertex vertices) {
  graph::edge_list graph{vertices, {}};
  for (graph::vertex v = 1; v < clique; ++v) {
    for (graph::vertex u = 0; u < v; ++u) graph.edges.push_back({u, v});
  }
  for (graph::vertex v = clique; v < vertices; ++v) graph.edges.push_back({v - 1, v});
  return graph;
}

// The tail leads to the clique by narrow levels and away from it, the clique is wide.
TEST(Bfs, LevelsMayBeNarrowThenWideThenNarrow) {
  const workload w{.name = "clique with a tail",
                   .graph = clique_with_tail(60, 200),
                   .sequences = {},
                   .seed = 1,
                   .operations = 0};
  bfs tested(the_job(), w);
  for (const auto style : cpp_styles) {
    for (const graph::vertex root : {0, 59, 130, 199}) {
      tested.search(root, style);
      EXPECT_EQ(tested.fault(), "");
      EXPECT_EQ(tested.edges_reached(), w.graph.edges.size());
    }
  }
}

TEST(Bfs, TreesOfAKroneckerGraphAreRightInEveryStyle) {
  workload w{.name = "Kronecker", .graph = {}, .sequences = {}, .seed = 2, .operations = 0};
  w.graph = graph::kronecker{.scale = 9, .edge_factor = 16, .seed = 2}.generate();
  bfs tested(the_job(), w);
  ASSERT_EQ(tested.roots().size(), bfs::searches);
  for (const auto style : cpp_styles) {
    for (std::size_t k = 0; k < 4; ++k) {
      tested.search(tested.roots()[k], style);
      EXPECT_EQ(tested.fault(), "");
    }
  }
}

} // namespace
} // namespace windrow::apps
