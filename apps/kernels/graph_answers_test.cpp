// SPDX-License-Identifier: BSD-3-Clause
// What the kernels beyond bale find where everybody can see what is right, and what they say about input that
// is wrong. (That all styles agree with the sequential programs is in styles_test.cpp.)
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string>

#include "apps/graph/kronecker.hpp"
#include "apps/graph/random.hpp"
#include "apps/kernels/components/components.hpp"
#include "apps/kernels/influence/influence.hpp"
#include "apps/kernels/jaccard/jaccard.hpp"
#include "apps/kernels/pagerank/pagerank.hpp"
#include "apps/kernels/sssp/sssp.hpp"
#include "apps/matrix/build.hpp"
#include "tests/support/pe_test.hpp"
#include "windrow/error.hpp"

namespace windrow::apps {
namespace {

using test::the_job;
using values = std::vector<std::uint64_t>;

workload work_on(graph::edge_list graph) {
  return {.name = "the test", .graph = std::move(graph), .sequences = {}, .seed = 1, .operations = 0};
}

/// Expects this checksum of the sequential program and of all styles.
void expect(const kernel_entry& entry, const workload& w, std::uint64_t checksum) {
  EXPECT_EQ(entry.sequential(w).checksum, checksum) << entry.name;
  const auto tested = entry.make(the_job(), w);
  for (const auto style : entry.styles) {
    tested->reset();
    tested->run(style);
    EXPECT_EQ(the_job().world().sum(tested->checksum()), checksum)
        << entry.name << ", style " << static_cast<int>(style);
  }
}

std::uint64_t by_position(const values& list) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < list.size(); ++k) sum += (k + 1) * list[k];
  return sum;
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const error& problem) {
    return problem.what();
  }
  return "no error";
}

// ---- shortest paths

std::uint64_t distances(const std::vector<double>& list) {
  values bits;
  for (const auto distance : list) bits.push_back(std::bit_cast<std::uint64_t>(distance));
  return by_position(bits);
}

TEST(Sssp, TakesTheLongerWayIfItIsShorter) {
  // 1 has most edges. Straight to 0 it is 10; over 2 and 3 it is 7, along light and heavy edges.
  auto w = work_on({5, {{1, 0}, {1, 2}, {1, 3}, {2, 3}, {3, 0}, {0, 1}}});
  w.graph.weights = {10, 1, 9, 0.5, 5.5, 0};
  expect(sssp_entry, w, distances({7, 0, 1, 1.5, INFINITY}));
}

TEST(Sssp, WeightsOfZeroAndRepeatedEdges) {
  auto w = work_on({3, {{0, 1}, {0, 1}, {1, 2}, {0, 0}}});
  w.graph.weights = {4, 3, 0, 0};
  expect(sssp_entry, w, distances({0, 3, 3}));
  w.graph.weights = {0, 0, 0, 0};
  expect(sssp_entry, w, distances({0, 0, 0}));
}

TEST(Sssp, SaysWhichWeightIsNegative) {
  auto w = work_on({3, {{0, 1}, {1, 2}}});
  for (const double weight : {-2.0, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    w.graph.weights = {1, weight};
    const auto told = error_of([&] { sssp_entry.make(the_job(), w); });
    EXPECT_EQ(told.find("edge 2 of the test (from vertex 1 to 2, numbered from 0) has the weight "), 0u)
        << told;
    EXPECT_EQ(error_of([&] { sssp_entry.sequential(w); }), told);
  }
}

// ---- PageRank

TEST(Pagerank, AllAreEqualInACircle) {
  const rank_arithmetic of(4);
  // Rounding down loses less than a share in an iteration, and the first one changes almost nothing.
  const auto rank = (15 * of.shares + 85 * of.shares) / 100;
  expect(pagerank_entry, work_on({4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}}),
         by_position({rank, rank, rank, rank}));
}

TEST(Pagerank, OfAStarIsAboutTheFixedPoint) {
  // Four vertices link to vertex 0, which links to nothing and so gives 1/5 of its rank to each. Solved by
  // hand, in parts of the mean: x = a + 0.85 (4 y + x / 5), y = a + 0.85 x / 5, a = 0.15.
  const auto w = work_on({5, {{1, 0}, {2, 0}, {3, 0}, {4, 0}}});
  pagerank tested(the_job(), w);
  tested.reset();
  tested.run(kernel_style::mailbox);
  const auto sum = static_cast<double>(the_job().world().sum(tested.checksum()));
  const double a = 0.15, x = a * (1 + 3.4) / (1 - 0.17 - 3.4 * 0.17), y = a + 0.17 * x;
  EXPECT_NEAR(sum / static_cast<double>(rank_arithmetic(5).shares), x + (2 + 3 + 4 + 5) * y, 2e-3);
}

// ---- components

TEST(Components, AreNamedByTheirSmallestVertex) {
  expect(components_entry, work_on({7, {{5, 3}, {6, 5}, {1, 1}, {4, 2}, {2, 4}}}),
         by_position({1, 2, 3, 4, 3, 4, 4}));
}

TEST(Components, OfALongPathWhoseNumbersAreMixed) {
  const std::uint64_t n = 1009;
  graph::edge_list path{n, {}};
  for (std::uint64_t k = 0; k + 1 < n; ++k) path.edges.push_back({k * 700 % n, (k + 1) * 700 % n});
  expect(components_entry, work_on(std::move(path)), by_position(values(n, 1)));
}

// ---- Jaccard

TEST(Jaccard, SetsOfNeighboursKnowTheirOwn) {
  graph::edge_list graph{500, {}};
  graph::random_stream random(8);
  for (int k = 0; k < 3000; ++k)
    graph.edges.push_back({random.below(20) * random.below(20), random.below(500)});
  auto mine = matrix_of(the_job(), graph::simple_undirected(graph));
  mine.sort_rows();
  const neighbour_sets sets(mine);
  const values all = graph::random_permutation(500, 1);
  for (std::uint64_t k = 0; k < mine.local_rows(); ++k) {
    EXPECT_EQ(sets.count(k, all), mine.local_row(k).size());
    EXPECT_EQ(sets.count(k, mine.local_row(0)), std::ranges::count_if(mine.local_row(0), [&](auto v) {
                return std::ranges::binary_search(mine.local_row(k), v);
              }));
  }
}

TEST(Jaccard, OfATriangleWithATail) {
  // 0, 1, 2 are a triangle, 3 hangs on 2. Neighbours: {1,2} {0,2} {0,1,3} {2}.
  const std::uint64_t one = std::uint64_t{1} << 32;
  const auto sum = similarity{0, 1, one / 3}.checksum() + similarity{0, 2, one / 4}.checksum() +
                   similarity{1, 2, one / 4}.checksum() + similarity{3, 2, 0}.checksum();
  expect(jaccard_entry, work_on({4, {{0, 1}, {1, 2}, {2, 0}, {3, 2}, {2, 3}, {1, 1}}}), sum);
}

// ---- influence

/// Whom cascade i reaches, by the definition.
void cascade(unsigned i, graph::vertex v, const workload& w, values& reached) {
  const auto bit = cascade_set{1} << i;
  if ((reached[v] & bit) != 0) return;
  reached[v] |= bit;
  for (const auto& e : w.graph.edges) {
    if (e.from == v && (cascades_along(e.from, e.to, w.seed) & bit) != 0) cascade(i, e.to, w, reached);
  }
}

TEST(Influence, IsThatOfEachCascadeOnItsOwn) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    workload w = work_on({40, {}});
    w.seed = seed;
    graph::random_stream random(seed);
    for (int k = 0; k < 400; ++k) w.graph.edges.push_back({random.below(40), random.below(40)});
    values reached(40);
    for (unsigned i = 0; i < cascades; ++i) cascade(i, cascade_source(i, w), w, reached);
    expect(influence_entry, w, by_position(reached));
  }
}

TEST(Influence, GoesAlongAnEdgeOnceInEight) {
  int bits = 0;
  for (graph::vertex v = 0; v < 10'000; ++v) bits += std::popcount(cascades_along(v, v + 1, 7));
  EXPECT_NEAR(bits, 80'000, 1500);
}

} // namespace
} // namespace windrow::apps
