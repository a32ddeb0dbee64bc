// SPDX-License-Identifier: BSD-3-Clause
// Every kernel in every style on PEs that are threads, with tasks on two workers of each: what
// ThreadSanitizer looks at.
#include <gtest/gtest.h>

#include <cstdlib>

#include "apps/graph/rmat.hpp"
#include "apps/graph/shapes.hpp"
#include "apps/kernels/table.hpp"

namespace windrow::apps {
namespace {

void check_styles(job& j, const workload& w) {
  for (const auto& entry : kernels()) {
    const auto expected = entry.sequential(w).checksum;
    const auto tested = entry.make(j, w);
    for (const auto style : entry.styles) {
      if (style == kernel_style::annotated) continue; // OpenSHMEM's PEs are processes
      tested->reset();
      tested->run(style);
      EXPECT_EQ(j.world().sum(tested->checksum()), expected)
          << entry.name << " in style " << static_cast<int>(style) << " on " << w.name;
    }
  }
}

workload work_on(std::string name, graph::edge_list graph) {
  return {.name = std::move(name), .graph = std::move(graph), .sequences = {}, .seed = 5, .operations = 0};
}

TEST(KernelsThreads, EqualTheSequentialProgramInEveryStyle) {
  ::setenv("WINDROW_WORKERS", "2", 1);
  const workload inputs[] = {work_on("R-MAT", graph::rmat{7, 8, 3}.generate()),
                             work_on("path", graph::path(15))};
  for (const auto& w : inputs) run_threads(3, [&](job& j) { check_styles(j, w); });
}

} // namespace
} // namespace windrow::apps
