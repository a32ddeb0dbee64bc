// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/graph/read.hpp"
#include "apps/support/kernel_run.hpp"
#include "tools/commands.hpp"
#include "tools/demo_table.hpp"
#include "tools/surroundings.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

constexpr auto about = "Run three kernels, blocking and aggregated, on two graphs, and compare";
constexpr auto explanation =
    "seconds: median of 5 runs, from barrier to barrier. M op/s per PE: million remote operations per\n"
    "second, namely increments (histogram), reads (index_gather), reads of rows and of their places\n"
    "(triangles). speed-up: over blocking. On one host aggregated reads are loads that overlap, and rows\n"
    "are copied at once in either style.\n";

struct demo_options {
  std::string graph_file;
  unsigned scale = 18;
  bool json = false;
};

struct kernel_start {
  std::string kernel;
  std::vector<std::string> graph;
  int pes;
  std::string style;
};

std::vector<kernel_start> plan(const demo_options& chosen, const std::string& real_graph) {
  const std::vector<std::vector<std::string>> graphs{
      {"--scale", std::to_string(chosen.scale), "--edges-per-vertex", "8"}, {"--graph", real_graph}};
  std::vector<kernel_start> starts;
  for (const auto& graph : graphs) {
    for (const auto* kernel : {"histogram", "index_gather", "triangles"}) {
      for (const int pes : {2, 4}) {
        for (const auto* style : {"blocking", "aggregated"}) starts.push_back({kernel, graph, pes, style});
      }
    }
  }
  return starts;
}

/// Tells what is going on in a line that the next one replaces, or in lines of their own where nobody
/// watches.
class progress {
 public:
  explicit progress(std::size_t steps) : steps_(steps) {}
  ~progress() {
    if (watched_) std::fputs("\r\033[K", stderr);
  }
  void step(const kernel_start& s) {
    fmt::print(stderr, "{}[{:>2}/{}] {} on {}, {} PEs, {}{}", watched_ ? "\r\033[K" : "", ++step_, steps_,
               s.kernel, s.graph[0] == "--scale" ? "R-MAT" : "the real graph", s.pes, s.style,
               watched_ ? " ..." : "\n");
  }

 private:
  const bool watched_ = isatty(STDERR_FILENO) != 0;
  std::size_t step_ = 0, steps_;
};

apps::result run(const surroundings& place, const kernel_start& s) {
  auto arguments = s.graph;
  arguments.insert(arguments.end(), {"--style", s.style, "--operations", "1000000"});
  const auto done = apps::run_kernel(place.windrow(), place.program(s.kernel), s.pes, arguments);
  if (!done.found)
    throw error(fmt::format("{} on {} PEs, {}, ended with exit code {} and without a result:\n{}", s.kernel,
                            s.pes, s.style, done.exit_code, done.said));
  return *done.found;
}

void print(const std::vector<apps::result>& results, bool all_right, bool as_json) {
  if (as_json)
    return fmt::print("{}\n", nlohmann::json{{"results", results}, {"all_right", all_right}}.dump(2));
  fmt::print("{}\n{}{}\n", demo_table(results), explanation, demo_verdict(results));
}

int run_demo(const demo_options& chosen) {
  const surroundings place;
  const auto real_graph = chosen.graph_file.empty() ? place.real_graph() : chosen.graph_file;
  graph::read(real_graph); // its mistakes are told once and at once, not by each kernel
  const auto starts = plan(chosen, real_graph);
  std::vector<apps::result> results;
  {
    progress watch(starts.size());
    for (const auto& s : starts) {
      watch.step(s);
      results.push_back(run(place, s));
    }
  }
  const bool all_right = std::ranges::all_of(results, &apps::result::is_right);
  print(results, all_right, chosen.json);
  return all_right ? 0 : 1;
}

} // namespace

void add_demo(CLI::App& app) {
  auto chosen = std::make_shared<demo_options>();
  auto* demo = app.add_subcommand("demo", about);
  demo->add_option("--graph", chosen->graph_file,
                   "SNAP edge list or Matrix Market file, plain or gzip (default: friends on Facebook)")
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
