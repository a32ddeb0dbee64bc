// SPDX-License-Identifier: BSD-3-Clause
#include "apps/support/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iostream>

#include "apps/graph/read.hpp"
#include "windrow/error.hpp"

namespace windrow::apps {

graph::edge_list load_graph(job& j, const options& chosen) {
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
  if (speaker == j.pe()) std::cerr << fmt::format("{}: {}\n", chosen.kernel, problem);
  leave(j, 1);
}

edge_targets my_edge_targets(const job& j, const graph::edge_list& graph, std::uint64_t operations) {
  const auto pe = static_cast<std::uint64_t>(j.pe()), pes = static_cast<std::uint64_t>(j.pes());
  const auto edges = graph.edges.size();
  edge_targets mine;
  mine.first = edges * pe / pes;
  mine.edges = edges * (pe + 1) / pes - mine.first;
  const auto fewest = edges / pes;
  if (fewest > 0) mine.sweeps = std::max<std::uint64_t>(1, (operations + fewest - 1) / fewest);
  mine.indices.reserve(mine.sweeps * mine.edges);
  for (std::uint64_t k = 0; k < mine.sweeps * mine.edges; ++k) {
    mine.indices.push_back(graph.edges[mine.first + k % mine.edges].to);
  }
  return mine;
}

std::uint64_t edge_targets::checksum(const std::vector<std::uint64_t>& values) const {
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; k < values.size(); ++k) sum += (first + k % edges + 1) * values[k];
  return sum;
}

} // namespace windrow::apps
