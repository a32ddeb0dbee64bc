// SPDX-License-Identifier: BSD-3-Clause
// windrow bench predict: the kernels on machines that are not here, by simulation.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/runner/start.hpp"
#include "tools/chart.hpp"
#include "tools/commands.hpp"
#include "tools/predict_table.hpp"
#include "tools/progress.hpp"
#include "tools/results_file.hpp"
#include "tools/surroundings.hpp"
#include "windrow/error.hpp"
#include "windrow/version.hpp"

namespace windrow::tools {

namespace {

struct predict_options {
  std::vector<std::string> pes{"1", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024"};
  std::string model = "cloud", pes_per_host;
  std::string kernels = "histogram,index_gather", styles;
  std::string operations = "16384", blocking_operations = "256";
  std::string json_file, chart_file;

  /// As WINDROW_SIM has it.
  std::string whole_model() const {
    return pes_per_host.empty() ? model : model + ",pes_per_host=" + pes_per_host;
  }
};

constexpr auto predict_legend =
    "Weak scaling: the same number of operations for each PE, on places spread evenly. Speeds are by\n"
    "the simulated clock, from barrier to barrier, of the slowest PE; the blocking style runs fewer\n"
    "operations. Messages (collectives included), bytes and memory (the PE's own data included) are\n"
    "those of the first of aggregated, mailbox, blocking and deferred that was run. All of the deferred\n"
    "style are in the file of --json.\n";

std::vector<bench::point> simulate(const predict_options& chosen, const std::string& pes, progress& watch) {
  const surroundings place;
  std::vector<std::string> arguments{"--pes",
                                     pes,
                                     "--kernels",
                                     chosen.kernels,
                                     "--operations",
                                     chosen.operations,
                                     "--blocking-operations",
                                     chosen.blocking_operations};
  if (!chosen.styles.empty()) arguments.insert(arguments.end(), {"--styles", chosen.styles});
  std::vector<bench::point> points;
  watch.announce(fmt::format("{} PEs", pes));
  auto done = apps::run_to_end(
      {place.windrow(), place.program("simulate"), "1", arguments, {"WINDROW_SIM=" + chosen.whole_model()}},
      [&](const json& event) { points.push_back(event.get<bench::point>()); });
  const bool wrong = std::ranges::any_of(points, [](const auto& p) { return !p.right; });
  if (done.exit_code == 0 || wrong) return points;
  while (done.said.ends_with('\n')) done.said.pop_back();
  throw error(
      fmt::format("the simulation of {} PEs ended with exit code {}:\n{}", pes, done.exit_code, done.said));
}

json file_content(const predict_options& chosen, const std::vector<bench::point>& points) {
  json content{{"benchmark", "predict"},
               {"schema", 1},
               {"windrow", WINDROW_VERSION},
               {"model", chosen.whole_model()},
               {"all_right", std::ranges::all_of(points, &bench::point::right)},
               {"points", points},
               {"published", json::array()}};
  const auto* const source = published_for(chosen.model);
  if (source == nullptr) return content;
  content["source"] = source->about;
  for (const auto& r : source->runs)
    content["published"].push_back({{"kernel", r.kernel},
                                    {"pes", r.pes},
                                    {"blocking_seconds", r.blocking_seconds},
                                    {"selector_seconds", r.selector_seconds}});
  return content;
}

void run_predict(const predict_options& chosen) {
  if (!chosen.chart_file.empty()) require_chart(chosen.chart_file);
  require_results_file(chosen.json_file);
  require_results_file(chosen.chart_file);
  std::vector<bench::point> points;
  {
    progress watch;
    for (const auto& pes : chosen.pes) {
      const auto more = simulate(chosen, pes, watch);
      points.insert(points.end(), more.begin(), more.end());
    }
  }
  const auto* const published = published_for(chosen.model);
  const bool right = std::ranges::all_of(points, &bench::point::right);
  fmt::print("Predicted for the model {}\n\n{}{}{}\n{}\n", chosen.whole_model(),
             predict_table(points, published), predict_legend,
             published == nullptr ? "" : fmt::format("{}\n", published->about),
             right ? fmt::format("All {} results equal those of the sequential programs.", points.size())
                   : "Some results are WRONG.");
  if (!chosen.json_file.empty()) write_json(chosen.json_file, file_content(chosen, points));
  if (!chosen.chart_file.empty())
    draw_chart(chosen.chart_file, chart_kind::lines, predict_chart(points, published, chosen.whole_model()));
  if (!right) throw exit_code{1};
}

} // namespace

void add_bench_predict(CLI::App& bench) {
  auto chosen = std::make_shared<predict_options>();
  auto* predict = bench.add_subcommand("predict", "The kernels on machines that are not here, by simulation");
  predict->add_option("--pes", chosen->pes, "Numbers of PEs (1,2,4,…,1024)")
      ->delimiter(',')
      ->check(check_pes)
      ->option_text("N,…");
  predict->add_option("--model", chosen->model, "shared-memory, hdr, slingshot11, cloud, or a file (cloud)")
      ->option_text("MODEL");
  predict->add_option("--pes-per-host", chosen->pes_per_host, "instead of the model's")->option_text("N");
  predict
      ->add_option("--kernels", chosen->kernels,
                   "some of those of windrow bench bale (histogram,index_gather)")
      ->option_text("NAME,…");
  predict->add_option("--styles", chosen->styles, "some of blocking,aggregated,mailbox,deferred (all)")
      ->option_text("NAME,…");
  predict->add_option("--operations", chosen->operations, "of each PE (16384)")->option_text("N");
  predict
      ->add_option("--blocking-operations", chosen->blocking_operations,
                   "of each PE in the blocking style (256)")
      ->option_text("N");
  predict->add_option("--json", chosen->json_file, "Write the results to a file")->option_text("FILE");
  predict->add_option("--chart", chosen->chart_file, "Draw the speed-ups; needs gnuplot")
      ->option_text("FILE.svg|FILE.png");
  predict->prefix_command(false);
  predict->callback([chosen] { run_predict(*chosen); });
}

} // namespace windrow::tools
