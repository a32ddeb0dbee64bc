// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "apps/graph/csr.hpp"
#include "apps/graph/edge_list.hpp"
#include "apps/graph/erdos_renyi.hpp"
#include "apps/graph/kronecker.hpp"
#include "apps/graph/rmat.hpp"
#include "apps/graph/sequential.hpp"
#include "apps/graph/shapes.hpp"

namespace windrow::graph {
namespace {

using edges = std::vector<edge>;

edge_list complete(vertex vertices) {
  edge_list graph{vertices, {}};
  for (vertex u = 0; u < vertices; ++u) {
    for (vertex v = 0; v < u; ++v) graph.edges.push_back({u, v});
  }
  return graph;
}

edge_list random_graph(unsigned seed) {
  std::mt19937_64 random(seed);
  edge_list graph{1 + random() % 30, edges(random() % 200)};
  for (auto& e : graph.edges) e = {random() % graph.vertices, random() % graph.vertices};
  return graph;
}

std::uint64_t triangles_by_definition(const edge_list& graph) {
  const auto n = graph.vertices;
  std::vector<bool> linked(n * n);
  for (const auto& e : graph.edges) linked[e.from * n + e.to] = linked[e.to * n + e.from] = true;
  std::uint64_t count = 0;
  for (vertex u = 0; u < n; ++u) {
    for (vertex v = 0; v < u; ++v) {
      for (vertex w = 0; w < v; ++w) count += linked[u * n + v] && linked[v * n + w] && linked[u * n + w];
    }
  }
  return count;
}

TEST(EdgeList, RenumberedLeavesOutWhatDoesNotOccur) {
  const auto graph = renumbered({{3, 1}, {1, 3}, {0, 3}}); // few numbers are left out: by a table
  EXPECT_EQ(graph.vertices, 3u);
  EXPECT_EQ(graph.edges, (std::vector<edge>{{2, 1}, {1, 2}, {0, 2}}));
  EXPECT_EQ(renumbered({}).vertices, 0u);
}

TEST(EdgeList, RenumberedKeepsTheOrderOfIds) {
  const auto graph = renumbered({{100, 5}, {5, 1ull << 40}});
  EXPECT_EQ(graph.vertices, 3u);
  EXPECT_EQ(graph.edges, (edges{{1, 0}, {0, 2}}));
}

TEST(EdgeList, SimpleUndirectedDropsLoopsAndRepetitions) {
  const auto simple = simple_undirected({4, {{2, 1}, {1, 2}, {3, 3}, {0, 1}, {2, 1}}});
  EXPECT_EQ(simple.vertices, 4u);
  EXPECT_EQ(simple.edges, (edges{{0, 1}, {1, 2}}));
}

TEST(EdgeList, OrientedFromTheSmallerDegree) {
  const auto star = oriented_by_degree({4, {{0, 1}, {0, 2}, {0, 3}}});
  EXPECT_EQ(star.edges, (edges{{1, 0}, {2, 0}, {3, 0}}));
  EXPECT_EQ(oriented_by_degree({2, {{0, 1}}}).edges, (edges{{0, 1}}));
}

TEST(EdgeList, NumberedByDegreeIsTheSameGraph) {
  EXPECT_EQ(numbered_by_degree(star(4)).edges, (edges{{0, 3}, {1, 3}, {2, 3}}));
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const auto simple = simple_undirected(random_graph(seed));
    const auto numbered = numbered_by_degree(simple);
    EXPECT_EQ(triangles(numbered), triangles(simple)) << "seed " << seed;
    std::vector<std::uint64_t> degree(numbered.vertices);
    for (const auto& e : numbered.edges) {
      EXPECT_LT(e.from, e.to);
      ++degree[e.from];
      ++degree[e.to];
    }
    EXPECT_TRUE(std::ranges::is_sorted(degree)) << "seed " << seed;
  }
}

TEST(Csr, RowsAreSortedAndKeepRepetitions) {
  const csr graph({3, {{2, 1}, {0, 2}, {0, 0}, {0, 2}}});
  EXPECT_EQ(graph.vertices(), 3u);
  EXPECT_EQ(graph.edges(), 4u);
  EXPECT_TRUE(std::ranges::equal(graph.row(0), std::vector<vertex>{0, 2, 2}));
  EXPECT_TRUE(graph.row(1).empty());
  EXPECT_TRUE(std::ranges::equal(graph.row(2), std::vector<vertex>{1}));
  EXPECT_EQ(csr({}).vertices(), 0u);
}

TEST(Csr, HoldsExactlyTheEdges) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    auto graph = random_graph(seed);
    edges held;
    const csr rows(graph);
    for (vertex v = 0; v < rows.vertices(); ++v) {
      for (const auto to : rows.row(v)) held.push_back({v, to});
    }
    std::ranges::sort(graph.edges);
    EXPECT_EQ(held, graph.edges) << "seed " << seed;
  }
}

TEST(Sequential, Triangles) {
  EXPECT_EQ(triangles({}), 0u);
  EXPECT_EQ(triangles({1, {{0, 0}}}), 0u);
  EXPECT_EQ(triangles({3, {{0, 1}, {1, 2}, {2, 0}, {0, 2}, {1, 1}}}), 1u);
  EXPECT_EQ(triangles(complete(20)), 20u * 19 * 18 / 6);
}

TEST(Sequential, TrianglesEqualTheDefinition) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const auto graph = random_graph(seed);
    EXPECT_EQ(triangles(graph), triangles_by_definition(graph)) << "seed " << seed;
  }
}

TEST(Sequential, InDegreesAndGather) {
  const edge_list graph{3, {{0, 1}, {2, 1}, {1, 1}, {1, 0}}};
  EXPECT_EQ(in_degrees(graph), (std::vector<std::uint64_t>{1, 3, 0}));
  EXPECT_EQ(gather_targets(graph, {10, 20, 30}), (std::vector<std::uint64_t>{20, 20, 20, 10}));
}

TEST(Sequential, ChecksumTellsExchangedValues) {
  EXPECT_EQ(position_checksum({5, 7}), 5u + 14u);
  EXPECT_NE(position_checksum({5, 7}), position_checksum({7, 5}));
}

TEST(Rmat, IsTheSameEverywhereAndForEver) {
  const rmat graph{10, 16, 42};
  EXPECT_EQ(graph.generate().edges.size(), 16'384u);
  EXPECT_EQ(graph.generate().edges[1234], graph[1234]);
  EXPECT_EQ(graph[0], (edge{810, 974}));
  EXPECT_NE(graph.generate().edges, (rmat{10, 16, 43}.generate().edges));
}

TEST(Rmat, HasHubsAndSmallVertices) {
  const auto graph = rmat{12, 16, 1}.generate();
  EXPECT_EQ(graph.vertices, 4096u);
  const auto degrees = in_degrees(graph);
  EXPECT_GT(std::ranges::max(degrees), 50u * 16) << "the mean is 16";
  EXPECT_GT(std::ranges::count_if(degrees, [](auto d) { return d < 8; }), 2048);
}

TEST(Rmat, QuadrantsHaveTheirShares) {
  // With two vertices an edge is one draw: the four pairs are the four quadrants, in the order of the
  // shuffle.
  const rmat graph{1, 500'000, 7};
  std::vector<double> share(4);
  for (const auto& e : graph.generate().edges) share[2 * e.from + e.to] += 1e-6;
  std::ranges::sort(share);
  EXPECT_NEAR(share[0], .05, .002);
  EXPECT_NEAR(share[1], .19, .002);
  EXPECT_NEAR(share[2], .19, .002);
  EXPECT_NEAR(share[3], .57, .002);
}

TEST(Rmat, ShuffleLosesNoVertex) {
  // Enough edges that every vertex of a small graph has one.
  for (unsigned scale = 0; scale <= 6; ++scale) {
    const auto graph = rmat{scale, 20'000, 3}.generate();
    EXPECT_EQ(renumbered(graph.edges).vertices, graph.vertices) << "scale " << scale;
  }
}

TEST(ErdosRenyi, IsTheSameEverywhereAndForEver) {
  const erdos_renyi graph{1000, 16, 42};
  EXPECT_EQ(graph.generate().edges.size(), 16'000u);
  EXPECT_EQ(graph.generate().edges[1234], graph[1234]);
  EXPECT_NE(graph.generate().edges, (erdos_renyi{1000, 16, 43}.generate().edges));
  EXPECT_TRUE((erdos_renyi{0, 16, 1}.generate().edges.empty()));
}

TEST(ErdosRenyi, HasNoHubs) {
  const auto graph = erdos_renyi{4096, 100, 1}.generate();
  auto degrees = in_degrees(graph);
  EXPECT_LT(std::ranges::max(degrees), 160u) << "the mean is 100, the deviation 10";
  EXPECT_GT(std::ranges::min(degrees), 40u);
}

TEST(Shapes, StarAndPath) {
  EXPECT_EQ(star(3).edges, (edges{{0, 1}, {0, 2}}));
  EXPECT_EQ(path(3).edges, (edges{{0, 1}, {1, 2}}));
  for (const vertex n : {0, 1}) {
    EXPECT_EQ(std::pair(star(n).vertices, star(n).edges.size()), std::pair(n, std::size_t{0}));
    EXPECT_EQ(std::pair(path(n).vertices, path(n).edges.size()), std::pair(n, std::size_t{0}));
  }
}

TEST(Kronecker, QuadrantsHaveTheSharesOfTheInitiator) {
  // With two vertices an edge is one draw, and the permutation leaves the vertices or exchanges them.
  const kronecker generator{1, 500'000, 7, {.4, .3, .2, .1}};
  std::vector<double> share(4);
  for (const auto& e : generator.generate().edges) share[2 * e.from + e.to] += 1e-6;
  if (share[0] < share[3]) std::ranges::reverse(share);
  const std::vector<double> expected{.4, .3, .2, .1};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(share[k], expected[k], .002);
}

TEST(Kronecker, IsTheGraphOfTheBenchmark) {
  const kronecker generator{.scale = 12, .edge_factor = 16, .seed = 1};
  const auto graph = generator.generate();
  EXPECT_EQ(graph.vertices, 4096u);
  EXPECT_EQ(graph.edges.size(), 65'536u);
  EXPECT_EQ(graph.edges, generator.generate().edges);
  EXPECT_NE(graph.edges, (kronecker{.scale = 12, .edge_factor = 16, .seed = 2}.generate().edges));
  EXPECT_GT(std::ranges::max(in_degrees(graph)), 50u * 16) << "the mean is 16";
}

TEST(RandomPermutation, HasEveryNumberOnce) {
  for (const std::uint64_t size : {0, 1, 2, 1000}) {
    auto permutation = random_permutation(size, 3);
    EXPECT_TRUE(size < 1000 || !std::ranges::is_sorted(permutation));
    std::ranges::sort(permutation);
    for (vertex v = 0; v < size; ++v) EXPECT_EQ(permutation[v], v);
  }
}

TEST(SearchKeys, AreDifferentVerticesWithNeighbours) {
  const edge_list graph{6, {{1, 2}, {3, 3}, {4, 2}}};
  auto few = search_keys(graph, 64, 1);
  std::ranges::sort(few);
  EXPECT_EQ(few, (std::vector<vertex>{1, 2, 4}));
  EXPECT_EQ(search_keys(graph, 2, 1).size(), 2u);
  EXPECT_TRUE(search_keys({}, 64, 1).empty());
  EXPECT_TRUE(search_keys({1, {{0, 0}}}, 64, 1).empty());
}

} // namespace
} // namespace windrow::graph
