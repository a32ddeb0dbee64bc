// SPDX-License-Identifier: BSD-3-Clause
// Index gather: scattered reads.
#include <windrow/windrow.hpp>

#include <algorithm>
#include <vector>

#include "apps/graph/sequential.hpp"
#include "apps/support/input.hpp"
#include "apps/support/trial.hpp"

namespace apps = windrow::apps;
namespace graph = windrow::graph;

constexpr auto about =
    "Index gather: fetches, for each edge of a graph, the degree of the vertex that it ends at (what an "
    "ordering by\n"
    "degree needs). The degrees are spread over all PEs, and so are the edges; each edge is one remote read.";

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  const auto options = apps::parse_options(job, argc, argv, "index_gather", about);
  auto graph = apps::load_graph(job, options);
  const auto mine = apps::my_edge_targets(job, graph, options.operations);
  const auto degrees = graph::in_degrees(graph);
  const auto expected =
      job.pe() == 0 ? mine.sweeps * graph::position_checksum(graph::gather_targets(graph, degrees)) : 0;
  apps::trial trial(job, options, mine.indices.size(), expected);

  auto table = job.array<std::uint64_t>(graph.vertices);
  for (std::uint64_t k = 0; k < table.local().size(); ++k) table.local()[k] = degrees[table.global_index(k)];
  graph = {}; // from here on this PE has only its part
  std::vector<std::uint64_t> out(mine.indices.size());
  windrow::context ctx(job, options.style);
  while (trial.next()) {
    std::ranges::fill(out, 0);
    trial.start();
    std::size_t k = 0;
    for (const auto i : mine.indices) ctx.get(table[i], &out[k++]);
    ctx.quiet();
    trial.stop();
    trial.check(mine.checksum(out));
  }
  return trial.report();
}
