// SPDX-License-Identifier: BSD-3-Clause
#include "apps/support/options.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>

namespace windrow::apps {

namespace {

constexpr auto footer =
    "Every PE reads the whole graph and keeps its part of the edges; PE 0 counts sequentially too and "
    "compares.\n"
    "Start it on several PEs with: windrow run -n 4 PROGRAM …";

void declare_graph(CLI::App& app, options& chosen) {
  app.add_option("--graph", chosen.graph_file, "SNAP edge list or Matrix Market file, plain or gzip")
      ->option_text("FILE");
  app.add_option("--scale", chosen.rmat.scale, "without --graph: an R-MAT graph of 2^SCALE vertices (16)")
      ->check(CLI::Range(0, 30))
      ->option_text("SCALE");
  app.add_option("--edges-per-vertex", chosen.rmat.edges_per_vertex, "of the R-MAT graph (16)")
      ->check(CLI::Range(0, 1024))
      ->option_text("N");
  app.add_option("--seed", chosen.rmat.seed, "of the R-MAT graph (1)")->option_text("N");
}

void declare_run(CLI::App& app, options& chosen) {
  static const std::map<std::string, windrow::style> styles{{"blocking", blocking},
                                                            {"aggregated", aggregate}};
  app.add_option("--style", chosen.style, "blocking or aggregated (aggregated)")
      ->transform(CLI::CheckedTransformer(styles))
      ->option_text("STYLE");
  app.add_option("--repeats", chosen.repeats, "timed runs, of which the median counts (5)")
      ->check(CLI::Range(1, 1000))
      ->option_text("N");
  app.add_option("--operations", chosen.operations,
                 "least of each PE in a run: sweep the edges that often (0)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 32))
      ->option_text("N");
  app.add_flag("--json", chosen.json, "print the result as one line of JSON");
}

} // namespace

std::string options::graph_name() const {
  if (graph_file.empty()) return "R-MAT scale " + std::to_string(rmat.scale);
  const auto name = std::filesystem::path(graph_file).filename().string();
  return name.substr(0, name.find('.', 1));
}

options parse_options(job& j, int argc, char** argv, const std::string& kernel, const std::string& about) {
  options chosen;
  chosen.kernel = kernel;
  CLI::App app(about, kernel);
  app.footer(footer);
  declare_graph(app, chosen);
  declare_run(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& end) {
    std::ostringstream said, complained;
    const int code = app.exit(end, said, complained);
    if (j.pe() == 0) {
      std::cout << said.str();
      std::cerr << complained.str();
    }
    leave(j, code);
  }
  return chosen;
}

void leave(job& j, int exit_code) {
  j.finalize();
  std::exit(exit_code);
}

} // namespace windrow::apps
