// SPDX-License-Identifier: BSD-3-Clause
// Histogram: scattered updates.
#include <windrow/windrow.hpp>

#include <algorithm>

#include "apps/graph/sequential.hpp"
#include "apps/support/input.hpp"
#include "apps/support/trial.hpp"

namespace apps = windrow::apps;
namespace graph = windrow::graph;

constexpr auto about =
    "Histogram: counts how many edges end at each vertex of a graph. The counters are spread over all PEs, "
    "and so are\n"
    "the edges; each edge is one remote increment, of the counter of the vertex that it ends at.";

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  const auto options = apps::parse_options(job, argc, argv, "histogram", about);
  auto graph = apps::load_graph(job, options);
  const auto mine = apps::my_edge_targets(job, graph, options.operations);
  const auto expected = job.pe() == 0 ? mine.sweeps * graph::position_checksum(graph::in_degrees(graph)) : 0;
  apps::trial trial(job, options, mine.indices.size(), expected);

  auto table = job.array<std::uint64_t>(graph.vertices);
  graph = {}; // from here on this PE has only its part
  windrow::context ctx(job, options.style);
  while (trial.next()) {
    std::ranges::fill(table.local(), 0);
    trial.start();
    for (const auto i : mine.indices) ctx.add(table[i], 1);
    ctx.quiet();
    trial.stop();

    std::uint64_t checksum = 0;
    for (std::uint64_t k = 0; k < table.local().size(); ++k)
      checksum += (table.global_index(k) + 1) * table.local()[k];
    trial.check(checksum);
  }
  return trial.report();
}
