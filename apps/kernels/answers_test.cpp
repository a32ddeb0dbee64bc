// SPDX-License-Identifier: BSD-3-Clause
// What the kernels find, beyond being equal to the sequential programs: known answers, properties that must
// hold, and what is said about input that has no answer.
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "apps/graph/erdos_renyi.hpp"
#include "apps/graph/read.hpp"
#include "apps/graph/rmat.hpp"
#include "apps/kernels/permute_matrix/permute_matrix.hpp"
#include "apps/kernels/random_permutation/random_permutation.hpp"
#include "apps/kernels/table.hpp"
#include "apps/kernels/topological_sort/topological_sort.hpp"
#include "apps/kernels/transpose_matrix/transpose_matrix.hpp"
#include "apps/matrix/build.hpp"
#include "apps/matrix/compare.hpp"
#include "tests/support/pe_test.hpp"
#include "windrow/error.hpp"

namespace windrow::apps {
namespace {

using test::the_job;

TEST(Triangles, OfARealGraph) {
  workload w;
  w.graph = graph::read({WINDROW_REAL_GRAPH});
  for (const auto* name : {"triangles", "triangles_chunked", "triangles_escaping"}) {
    const auto* const entry = find_kernel(name);
    const auto counting = entry->make(the_job(), w);
    for (const auto style : entry->styles) {
      counting->reset();
      counting->run(style);
      EXPECT_EQ(the_job().world().sum(counting->checksum()), 1'612'010u) << name;
    }
  }
}

TEST(RandomPermutation, AllOrdersAreEquallyLikely) {
  if (the_job().pe() != 0) return;
  std::map<std::vector<std::uint64_t>, int> seen;
  for (std::uint64_t seed = 0; seed < 12'000; ++seed) ++seen[sequential_permutation({5, seed})];
  EXPECT_EQ(seen.size(), 120u);
  double chi_squared = 0; // of 119 degrees of freedom: mean 119, deviation 15.4
  for (const auto& [order, count] : seen) chi_squared += (count - 100.) * (count - 100.) / 100.;
  EXPECT_LT(chi_squared, 119 + 4 * 15.4);
}

TEST(RandomPermutation, IsTheSameOnAnyNumberOfPesInAnyStyle) {
  for (const std::uint64_t size : {0, 1, 2, 3000}) {
    const auto expected = sequential_permutation({size, 7});
    for (const auto style : cpp_styles) {
      const auto found = random_permutation(the_job(), size, 7, style);
      for (std::uint64_t k = 0; k < found.local().size(); ++k)
        EXPECT_EQ(found.local()[k], expected[found.global_index(k)]);
    }
  }
}

TEST(PermuteMatrix, MovesEveryEntry) {
  const std::uint64_t n = 100;
  const auto graph = graph::erdos_renyi{n, 5, 3}.generate();
  const auto rows = sequential_permutation({n, 1}), columns = sequential_permutation({n, 2});
  graph::edge_list moved{n, {}};
  for (const auto& e : graph.edges) moved.edges.push_back({rows[e.from], columns[e.to]});
  const auto row_to = random_permutation(the_job(), n, 1), column_to = random_permutation(the_job(), n, 2);
  const auto matrix = matrix_of(the_job(), graph), expected = matrix_of(the_job(), moved);
  for (const auto style : cpp_styles)
    EXPECT_TRUE(equal(the_job(), permuted(the_job(), matrix, row_to, column_to, style), expected));
}

TEST(TransposeMatrix, TwiceIsTheMatrixOfAnyShape) {
  const auto graph = graph::rmat{6, 8, 5}.generate();
  const auto matrix = collect_matrix(the_job(), 64, 200, [&](auto send) {
    if (the_job().pe() != 0) return;
    for (const auto& e : graph.edges) send(e.from, 3 * e.to);
  });
  for (const auto style : cpp_styles) {
    const auto once = transposed(the_job(), matrix, style);
    EXPECT_EQ(once.rows(), 200u);
    EXPECT_EQ(once.columns(), 64u);
    EXPECT_TRUE(equal(the_job(), transposed(the_job(), once, style), matrix));
  }
}

TEST(TopologicalSort, MakesAPermutedTriangleTriangular) {
  workload w;
  w.graph = graph::rmat{7, 4, 1}.generate();
  w.seed = 11;
  topological_sort sort(the_job(), permuted_triangle(the_job(), w));
  for (const auto style : cpp_styles) {
    sort.reset();
    sort.run(style);
    const auto all = the_job().world().allgather(sort.row_positions().local().size());
    EXPECT_EQ(std::accumulate(all.begin(), all.end(), std::size_t{0}), 128u);
    const auto below_all = [](std::uint64_t position) { return position < 128; };
    EXPECT_TRUE(std::ranges::all_of(sort.row_positions().local(), below_all));
    EXPECT_TRUE(std::ranges::all_of(sort.column_positions().local(), below_all));
  }
}

std::string complaint_about(sparse_matrix<> matrix, kernel_style style) {
  try {
    topological_sort sort(the_job(), std::move(matrix));
    sort.run(style);
  } catch (const error& e) {
    return e.what();
  }
  return "none";
}

TEST(TopologicalSort, SaysOnEveryPeThatThereIsNoOrder) {
  const graph::edge_list cyclic{4, {{0, 0}, {1, 1}, {1, 2}, {2, 2}, {2, 1}, {3, 3}, {3, 1}}};
  const graph::edge_list empty_row{3, {{0, 0}, {2, 2}}};
  for (const auto style : cpp_styles) {
    EXPECT_EQ(complaint_about(matrix_of(the_job(), cyclic), style),
              "the matrix is no permuted triangular one with a full diagonal: 3 of its 4 rows are empty or "
              "wait for "
              "each other in cycles");
    EXPECT_EQ(complaint_about(matrix_of(the_job(), empty_row), style),
              "the matrix is no permuted triangular one with a full diagonal: 1 of its 3 rows are empty or "
              "wait for "
              "each other in cycles");
    EXPECT_EQ(complaint_about(collect_matrix(the_job(), 3, 4, [](auto) {}), style),
              "a matrix of 3 rows and 4 columns cannot be sorted topologically: it must be square, with at "
              "most 2^32 "
              "rows");
  }
}

} // namespace
} // namespace windrow::apps
