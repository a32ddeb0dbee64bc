// SPDX-License-Identifier: BSD-3-Clause
// Every kernel in every style on graphs that are awkward in different ways, against the sequential program.
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "apps/graph/erdos_renyi.hpp"
#include "apps/graph/rmat.hpp"
#include "apps/graph/shapes.hpp"
#include "apps/kernels/table.hpp"
#include "apps/runner/styles.hpp"
#include "tests/support/pe_test.hpp"
#include "windrow/error.hpp"

namespace windrow::apps {
namespace {

using test::the_job;

workload work_on(std::string name, graph::edge_list graph, std::uint64_t operations = 0) {
  return {.name = std::move(name),
          .graph = std::move(graph),
          .sequences = {},
          .seed = 5,
          .operations = operations};
}

std::vector<workload> workloads() {
  std::vector<workload> all;
  all.push_back(work_on("R-MAT", graph::rmat{8, 8, 3}.generate()));
  all.push_back(work_on("R-MAT, swept", graph::rmat{5, 4, 4}.generate(), 1000));
  all.push_back(work_on("R-MAT of many blocks", graph::rmat{11, 8, 6}.generate()));
  all.push_back(work_on("Erdős–Rényi", graph::erdos_renyi{200, 6, 9}.generate()));
  all.push_back(work_on("star", graph::star(60)));
  all.push_back(work_on("path", graph::path(20)));
  all.push_back(work_on("two parts and lone vertices", {9, {{1, 2}, {2, 3}, {3, 1}, {7, 6}, {6, 5}}}));
  all.push_back(work_on("no vertex", {}));
  all.push_back(work_on("one vertex", {1, {}}));
  all.push_back(work_on("self loop", {1, {{0, 0}}}));
  all.push_back(
      work_on("loops and repetitions", {4, {{0, 0}, {1, 2}, {1, 2}, {2, 1}, {3, 3}, {2, 0}, {0, 1}}}));
  return all;
}

void check(const kernel_entry& entry, const workload& w) {
  const auto expected = entry.sequential(w).checksum;
  const auto tested = entry.make(the_job(), w);
  for (const auto style : entry.styles) {
    for (int repetition = 0; repetition < 2; ++repetition) {
      tested->reset();
      tested->run(style);
      EXPECT_EQ(the_job().world().sum(tested->checksum()), expected)
          << entry.name << ", " << name_of(style) << ", on " << w.name << ", repetition " << repetition;
    }
  }
}

TEST(Kernels, EqualTheSequentialProgramInEveryStyle) {
  for (const auto& w : workloads()) {
    for (const auto& entry : kernels()) check(entry, w);
  }
}

// Styles in which code waits, on graphs of which more would wait than may: in styles_test.bounded.
void check_with_little_room(const char* kernel, const workload& w) {
  if (std::getenv("WINDROW_DEFER_LIMIT") == nullptr) GTEST_SKIP() << "there is room for all that waits";
  const auto& entry = *find_kernel(kernel);
  const auto expected = entry.sequential(w).checksum;
  const auto tested = entry.make(the_job(), w);
  for (const auto style : entry.styles) {
    if (style != kernel_style::deferred && style != kernel_style::annotated) continue;
    tested->reset();
    tested->run(style);
    EXPECT_EQ(the_job().world().sum(tested->checksum()), expected) << name_of(style);
  }
}

TEST(Kernels, CompareLongRows) {
  check_with_little_room("jaccard", work_on("long rows", graph::erdos_renyi{512, 64, 1}.generate()));
}

// Hundreds of rows are ready at once, each with a long column.
TEST(Kernels, SortWhatHasLongColumns) {
  constexpr graph::vertex rows = 1000, columns = 600;
  graph::edge_list graph{rows + columns, {}};
  for (graph::vertex u = 0; u < rows; ++u)
    for (graph::vertex v = rows; v < rows + columns; ++v) graph.edges.push_back({u, v});
  check_with_little_room("topological_sort", work_on("all of two sides", std::move(graph)));
}

// All runs find the same: what one leaves out must not be what another one has found.
TEST(Kernels, HaveNoResultOfARunBefore) {
  const auto w = work_on("R-MAT", graph::rmat{8, 8, 3}.generate());
  for (const auto& entry : kernels()) {
    const std::string name = entry.name;
    if (name == "sssp" || name == "bfs" || name == "components") continue; // each run begins afresh
    const auto tested = entry.make(the_job(), w);
    tested->reset();
    tested->run(entry.styles.front());
    tested->reset();
    EXPECT_NE(the_job().world().sum(tested->checksum()), entry.sequential(w).checksum) << name;
  }
}

TEST(Kernels, RefuseAStyleThatTheyDoNotHave) {
  const auto tested = find_kernel("histogram")->make(the_job(), work_on("one vertex", {1, {}}));
  EXPECT_THROW(tested->run(kernel_style::deferred), error);
}

TEST(Kernels, AreFoundByName) {
  for (const auto& entry : kernels()) EXPECT_EQ(find_kernel(entry.name), &entry);
  EXPECT_EQ(find_kernel("nonsense"), nullptr);
}

} // namespace
} // namespace windrow::apps
