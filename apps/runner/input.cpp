// SPDX-License-Identifier: BSD-3-Clause
#include "apps/runner/input.hpp"

#include <fmt/format.h>

#include <exception>
#include <iostream>

#include "apps/graph/read.hpp"
#include "windrow/error.hpp"

namespace windrow::apps {

namespace {

graph::edge_list load_graph(job& j, const plan& chosen) {
  graph::edge_list loaded;
  std::string problem;
  try {
    loaded = chosen.graph_file.empty() ? chosen.rmat.generate() : graph::read(chosen.graph_file);
  } catch (const std::bad_alloc&) {
    problem =
        fmt::format("not enough memory for {}; choose a smaller graph or fewer PEs", chosen.graph_name());
  } catch (const error& e) {
    problem = e.what();
  }
  // All PEs end, or none does: the first one with a problem speaks.
  const auto speaker = j.world().min(problem.empty() ? j.pes() : j.pe());
  if (speaker == j.pes()) return loaded;
  if (speaker == j.pe()) std::cerr << fmt::format("kernels: {}\n", problem);
  leave(j, 1);
}

} // namespace

workload load(job& j, const plan& chosen) {
  return {.name = chosen.graph_name(),
          .graph = load_graph(j, chosen),
          .sequences = chosen.sequences,
          .seed = chosen.rmat.seed,
          .operations = chosen.operations};
}

} // namespace windrow::apps
