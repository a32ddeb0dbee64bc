// SPDX-License-Identifier: BSD-3-Clause
#include "apps/runner/input.hpp"

#include <fmt/format.h>

#include <iostream>
#include <utility>

#include "apps/graph/read.hpp"
#include "apps/support/agree.hpp"
#include "windrow/error.hpp"

namespace windrow::apps {

namespace {

graph::edge_list make_graph(job& j, const plan& chosen) {
  if (!chosen.graph_file.path.empty()) return graph::read(j, chosen.graph_file);
  graph::edge_list made;
  all_or_none(j, [&] { made = chosen.generator.generate(); });
  return made;
}

graph::edge_list load_graph(job& j, const plan& chosen) {
  try {
    return make_graph(j, chosen);
  } catch (const error& e) { // the same one on every PE
    if (j.pe() == 0) std::cerr << fmt::format("kernels: {}: {}\n", chosen.graph_name(), e.what());
    leave(j, 1);
  }
}

} // namespace

workload load(job& j, const plan& chosen) {
  auto graph = load_graph(j, chosen);
  if (graph.has_rounded_weights && j.pe() == 0)
    std::cerr << fmt::format("kernels: {}: {}\n", chosen.graph_name(), graph::rounded_weights);
  return {.name = chosen.graph_name(),
          .graph = std::move(graph),
          .sequences = chosen.sequences,
          .seed = chosen.generator.seed,
          .operations = chosen.operations};
}

} // namespace windrow::apps
