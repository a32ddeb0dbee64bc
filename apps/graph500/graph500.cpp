// SPDX-License-Identifier: BSD-3-Clause
// The first two kernels of the Graph500 benchmark: construction of the graph, and 64 breadth-first searches,
// each of which is timed on its own and validated.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "apps/graph/kronecker.hpp"
#include "apps/graph500/statistics.hpp"
#include "apps/kernels/bfs/bfs.hpp"
#include "apps/kernels/support.hpp"
#include "apps/runner/styles.hpp"
#include "apps/support/command_line.hpp"
#include "windrow/error.hpp"

namespace apps = windrow::apps;
namespace graph = windrow::graph;

namespace {

struct options {
  graph::kronecker graph;
  apps::kernel_style style = apps::kernel_style::mailbox;
};

/// Ends the program, on all PEs, if these are no options or only a question for help.
options parse(windrow::job& job, int argc, char** argv) {
  options chosen;
  std::vector<std::string> names;
  names.reserve(apps::cpp_styles.size());
  for (const auto one : apps::cpp_styles) names.emplace_back(apps::name_of(one));
  std::string style(apps::name_of(chosen.style));
  apps::command_line line(
      "Graph500, kernels 1 and 2: makes a Kronecker graph and searches it breadth-first from 64\n"
      "vertices. Every search is validated; rates are in traversed edges per second (TEPS).",
      "graph500");
  line.add("--scale", &chosen.graph.scale, "log2 of the number of vertices").in(0, 30);
  line.add("--edge-factor", &chosen.graph.edge_factor, "edges for each vertex").in(1, 1024);
  line.add("--seed", &chosen.graph.seed, "of the graph and the search keys");
  line.add("--style", &style, "of the searches").one_of(names);
  if (const int code = line.parse(argc, argv, job.pe() == 0); code >= 0) {
    job.finalize();
    std::exit(code);
  }
  chosen.style = *std::ranges::find(apps::cpp_styles, style, apps::name_of);
  return chosen;
}

struct results {
  std::vector<double> seconds, edges, rates;
};

results search_all(windrow::job& job, apps::bfs& searches, apps::kernel_style style) {
  results all;
  for (const auto root : searches.roots()) {
    job.barrier();
    const auto seconds = job.world().max(apps::seconds_of([&] { searches.search(root, style); }));
    if (const auto broken = searches.fault(); !broken.empty())
      throw windrow::error("graph500: " + broken + "; this is a bug of the program");
    const auto edges = static_cast<double>(searches.edges_reached());
    all.seconds.push_back(seconds);
    all.edges.push_back(edges);
    all.rates.push_back(edges / seconds);
  }
  return all;
}

void report(const options& chosen, const results& all, double construction_seconds) {
  std::cout << fmt::format("SCALE: {}\nedgefactor: {}\nNBFS: {}\nconstruction_time: {:.6g}\n",
                           chosen.graph.scale, chosen.graph.edge_factor, all.seconds.size(),
                           construction_seconds);
  if (all.seconds.empty()) return;
  std::cout << apps::lines_of(apps::statistics_of(all.seconds), "bfs_", "time", false)
            << apps::lines_of(apps::statistics_of(all.edges), "", "nedge", false)
            << apps::lines_of(apps::statistics_of(all.rates), "bfs_", "TEPS", true) << std::flush;
}

} // namespace

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  const auto chosen = parse(job, argc, argv);
  apps::workload work{.name = "Kronecker",
                      .graph = chosen.graph.generate(), // not timed: it stands for reading a file
                      .sequences = {},
                      .seed = chosen.graph.seed,
                      .operations = 0};
  std::unique_ptr<apps::bfs> searches;
  const auto construction =
      job.world().max(apps::seconds_of([&] { searches = std::make_unique<apps::bfs>(job, work); }));
  work = {};
  const auto all = search_all(job, *searches, chosen.style);
  if (job.pe() == 0) report(chosen, all, construction);
}
