// SPDX-License-Identifier: BSD-3-Clause
// windrow bench latency-sweep: the kernels with PEs further and further apart.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/options.hpp"
#include "tools/chart.hpp"
#include "tools/commands.hpp"
#include "tools/kernel_jobs.hpp"
#include "tools/results_file.hpp"
#include "tools/results_table.hpp"
#include "tools/sweep_table.hpp"
#include "windrow/version.hpp"

namespace windrow::tools {

namespace {

struct sweep_options {
  std::string pes = "2";
  std::vector<std::string> delays{"0us", "5us", "50us", "500us"};
  std::string scale = "11", edges_per_vertex = "8", repeats = "1";
  // An epoch costs a few delays, whatever happens in it. Where there is little to do, that is all it costs,
  // from some delay on the speed-up is the number of operations, and it does not rise any further. So there
  // is much to do, which the blocking style takes minutes for.
  std::string operations = "32768";
  std::string kernels;
  std::string json_file, chart_file;
};

constexpr auto sweep_legend =
    "At a one-way delay between PEs (WINDROW_DELAY, the same for every style): the time of the blocking\n"
    "style, and the speed-up of the others over it, by the best of the timed runs. messages: round trips\n"
    "of direct operations and blocks of aggregated ones, in one run of all PEs.\n";

std::vector<std::string> arguments_of(const sweep_options& chosen) {
  std::vector<std::string> arguments{
      "--scale",      chosen.scale,      "--edges-per-vertex", chosen.edges_per_vertex,
      "--operations", chosen.operations, "--repeats",          chosen.repeats};
  if (!chosen.kernels.empty()) arguments.insert(arguments.end(), {"--kernels", chosen.kernels});
  return arguments;
}

std::vector<sweep_step> measure(const sweep_options& chosen) {
  const surroundings place;
  progress watch;
  std::vector<sweep_step> steps;
  for (const auto& delay : chosen.delays) {
    watch.announce(fmt::format("delay {}", delay));
    auto done = run_kernels(place, chosen.pes, arguments_of(chosen), watch, " at " + delay,
                            {"WINDROW_DELAY=" + delay});
    steps.push_back({delay, std::move(done.results)});
  }
  return steps;
}

json file_content(const std::vector<sweep_step>& steps) {
  json content{{"benchmark", "latency-sweep"},    {"schema", 1},
               {"windrow", WINDROW_VERSION},      {"all_right", same_results(steps)},
               {"not_rising", not_rising(steps)}, {"steps", json::array()}};
  for (const auto& step : steps)
    content["steps"].push_back({{"delay", step.delay}, {"results", step.results}});
  return content;
}

/// A line for each kernel: its aggregated style.
chart_table chart_of(const std::vector<sweep_step>& steps) {
  chart_table table;
  table.title = fmt::format("{}, {} PEs: aggregated over blocking", steps.front().results.front().graph,
                            steps.front().results.front().pes);
  table.x_label = "one-way delay";
  table.y_label = "speed-up over the blocking style";
  for (const auto& r : steps.front().results)
    if (r.style == "aggregated") table.columns.push_back(r.kernel);
  for (const auto& step : steps) {
    table.rows.push_back(step.delay);
    table.values.emplace_back();
    for (const auto& r : step.results)
      if (r.style == "aggregated") table.values.back().push_back(best_speed_up(step.results, r));
  }
  return table;
}

std::string conclusion(const std::vector<sweep_step>& steps) {
  if (!same_results(steps)) {
    std::string text;
    for (const auto& step : steps) text += fmt::format("{}: {}\n", step.delay, verdict(step.results));
    return text;
  }
  const auto exceptions = not_rising(steps);
  const std::string same = "All results are right and the same at every delay.\n";
  if (exceptions.empty()) return same + "Every speed-up rises with the delay.\n";
  return fmt::format("{}The speed-up does not rise with every delay for:\n  {}\n", same,
                     fmt::join(exceptions, "\n  "));
}

std::string check_delay(const std::string& text) {
  return base::parse_duration(text) ? "" : fmt::format("'{}' is not a duration such as 50us or 0.5ms", text);
}

void run_sweep(const sweep_options& chosen) {
  if (!chosen.chart_file.empty()) require_chart(chosen.chart_file);
  require_results_file(chosen.json_file);
  require_results_file(chosen.chart_file);
  const auto steps = measure(chosen);
  fmt::print("{}\n{}\n{}", sweep_table(steps), sweep_legend, conclusion(steps));
  if (!chosen.json_file.empty()) write_json(chosen.json_file, file_content(steps));
  if (!chosen.chart_file.empty()) draw_chart(chosen.chart_file, chart_kind::lines, chart_of(steps));
  if (!same_results(steps)) throw exit_code{1};
}

} // namespace

void add_bench_sweep(CLI::App& bench) {
  auto chosen = std::make_shared<sweep_options>();
  auto* sweep = bench.add_subcommand("latency-sweep", "The same kernels with PEs further and further apart");
  sweep->add_option("-n", chosen->pes, "Number of PEs (2)")->option_text("N");
  sweep->add_option("--delays", chosen->delays, "One-way delays (0us,5us,50us,500us)")
      ->delimiter(',')
      ->check(check_delay)
      ->option_text("TIME,…");
  sweep->add_option("--kernels", chosen->kernels, "Some of the kernels of windrow bench bale (all)")
      ->option_text("NAME,…");
  sweep->add_option("--scale", chosen->scale, "R-MAT graph of 2^SCALE vertices (11)")->option_text("SCALE");
  sweep->add_option("--edges-per-vertex", chosen->edges_per_vertex, "of that graph (8)")->option_text("N");
  sweep
      ->add_option("--operations", chosen->operations,
                   "least in a run, for kernels that can repeat themselves (32768)")
      ->option_text("N");
  sweep->add_option("--repeats", chosen->repeats, "timed turns, after one that is not (1)")->option_text("N");
  sweep->add_option("--json", chosen->json_file, "Write the results to a file")->option_text("FILE");
  sweep->add_option("--chart", chosen->chart_file, "Draw the speed-ups; needs gnuplot")
      ->option_text("FILE.svg|FILE.png");
  sweep->prefix_command(false);
  sweep->callback([chosen] { run_sweep(*chosen); });
}

} // namespace windrow::tools
