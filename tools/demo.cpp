// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/graph/read.hpp"
#include "apps/runner/graph_options.hpp"
#include "tools/commands.hpp"
#include "tools/kernel_jobs.hpp"
#include "tools/results_table.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

constexpr auto about = "Run three kernels in three styles on two graphs, check and compare";

struct demo_options {
  std::string graph_file;
  unsigned scale = 18;
  bool json = false;
};

/// Tells what is wrong with a graph of the user's at once, before anything is measured.
void check_graph(const std::string& file) {
  if (std::filesystem::exists(file) && !std::filesystem::is_regular_file(file))
    throw error(fmt::format(
        "{} is no regular file: the demo reads the graph several times, and a pipe can be read only "
        "once",
        file));
  graph::read({file});
}

std::vector<apps::result> run_all(const demo_options& chosen) {
  const surroundings place;
  const auto real_graph = chosen.graph_file.empty() ? place.real_graph() : chosen.graph_file;
  check_graph(real_graph);
  const std::vector<std::vector<std::string>> graphs{
      {"--scale", std::to_string(chosen.scale), "--edges-per-vertex", "8"}, {"--graph", real_graph}};
  progress watch;
  std::vector<apps::result> results;
  for (auto arguments : graphs) {
    arguments.insert(arguments.end(), {"--kernels", "histogram,index_gather,triangles", "--styles",
                                       "blocking,aggregated,mailbox", "--operations", "2000000"});
    for (const std::string pes : {"2", "4"}) {
      const auto where = fmt::format(" on {} PEs", pes);
      watch.announce(fmt::format("{} {}{}", arguments[0].substr(2), arguments[1], where));
      auto done = run_kernels(place, pes, arguments, watch, where);
      results.insert(results.end(), done.results.begin(), done.results.end());
    }
  }
  return results;
}

void print(const std::vector<apps::result>& results, bool all_right, bool as_json) {
  if (as_json)
    return fmt::print("{}\n", nlohmann::json{{"results", results}, {"all_right", all_right}}.dump(2));
  fmt::print("{}\n{}\n{}\n", results_table(results), results_legend(), verdict(results));
}

int run_demo(const demo_options& chosen) {
  const auto results = run_all(chosen);
  const bool all_right = std::ranges::all_of(results, &apps::result::is_right);
  print(results, all_right, chosen.json);
  return all_right ? 0 : 1;
}

} // namespace

void add_demo(CLI::App& app) {
  auto chosen = std::make_shared<demo_options>();
  auto* demo = app.add_subcommand("demo", about);
  demo->add_option(
          "--graph", chosen->graph_file,
          "edge list, Matrix Market or METIS file, plain or gzip, xz, zstd (default: friends on Facebook)")
      ->check(apps::why_no_name)
      ->option_text("FILE");
  demo->add_option("--scale", chosen->scale,
                   "of the generated R-MAT graph: 2^SCALE vertices, 8 edges each (18)")
      ->check(CLI::Range(0, 24))
      ->option_text("SCALE");
  demo->add_flag("--json", chosen->json, "print the results as JSON");
  demo->callback([chosen] {
    if (const int code = run_demo(*chosen)) throw exit_code{code};
  });
}

} // namespace windrow::tools
