// SPDX-License-Identifier: BSD-3-Clause
// windrow bench bale: the table of the bale kernels in the styles of the publications.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "tools/chart.hpp"
#include "tools/commands.hpp"
#include "tools/kernel_jobs.hpp"
#include "tools/results_file.hpp"
#include "tools/results_table.hpp"
#include "windrow/version.hpp"

namespace windrow::tools {

namespace {

struct bale_options {
  std::string pes = "2";
  std::string json_file, chart_file;
};

/// Each once, in the order in which they first come.
std::vector<std::string> styles_in(const std::vector<apps::result>& results) {
  std::vector<std::string> found;
  for (const auto& r : results)
    if (std::ranges::find(found, r.style) == found.end()) found.push_back(r.style);
  return found;
}

chart_table chart_of(const std::vector<apps::result>& results) {
  chart_table table;
  const auto& first = results.front();
  table.title = fmt::format("{}, {} PEs", first.graph, first.pes);
  table.y_label = "speed-up over the blocking style";
  const auto styles = styles_in(results);
  table.columns = styles;
  table.columns.emplace_back("sequential program");
  for (const auto& r : results) {
    if (table.rows.empty() || table.rows.back() != r.kernel) {
      table.rows.push_back(r.kernel);
      table.values.emplace_back();
    }
    auto& row = table.values.back();
    row.resize(table.columns.size()); // 0: the kernel does not have the style
    row[static_cast<std::size_t>(std::ranges::find(styles, r.style) - styles.begin())] = speed_up(results, r);
    const auto blocking = speed_up(results, r) * r.median_seconds();
    row.back() = r.sequential_seconds > 0 ? blocking / r.sequential_seconds : 0;
  }
  return table;
}

json file_content(const apps::runner_outcome& done, bool all_right) {
  auto content = done.start;
  content.erase("event");
  content.update({{"benchmark", "bale"},
                  {"schema", 1},
                  {"windrow", WINDROW_VERSION},
                  {"all_right", all_right},
                  {"results", done.results}});
  return content;
}

void print(const apps::runner_outcome& done) {
  const auto& energy = done.start.at("energy");
  fmt::print(
      "{}\n{}\n{}\n{}\n", results_table(done.results), results_legend(),
      energy_table(done.results, energy.at("counted").get<bool>(), energy.at("source").get<std::string>()),
      verdict(done.results));
}

void run_bale(const bale_options& chosen, const std::vector<std::string>& arguments) {
  if (!chosen.chart_file.empty()) require_chart(chosen.chart_file);
  require_results_file(chosen.json_file);
  require_results_file(chosen.chart_file);
  const surroundings place;
  const auto done = [&] {
    progress watch;
    return run_kernels(place, chosen.pes, arguments, watch);
  }();
  const bool all_right = std::ranges::all_of(done.results, &apps::result::is_right);
  print(done);
  if (!chosen.json_file.empty()) write_json(chosen.json_file, file_content(done, all_right));
  if (!chosen.chart_file.empty()) draw_chart(chosen.chart_file, chart_kind::bars, chart_of(done.results));
  if (!all_right || done.exit_code != 0) throw exit_code{1};
}

} // namespace

void add_bench_bale(CLI::App& bench) {
  auto chosen = std::make_shared<bale_options>();
  auto* bale = bench.add_subcommand("bale", "Irregular kernels in every style, beside sequential programs");
  bale->add_option("-n", chosen->pes, "Number of PEs (2)")->option_text("N");
  bale->add_option("--json", chosen->json_file, "Write the results to a file")->option_text("FILE");
  bale->add_option("--chart", chosen->chart_file, "Draw the speed-ups; needs gnuplot")
      ->option_text("FILE.svg|FILE.png");
  bale->prefix_command(false);
  bale->allow_extras();
  bale->footer(
      "Other options choose kernels, styles and their input: --kernels, --styles, --repeats, --graph,\n"
      "--scale, --edges-per-vertex, --seed, --sequences, --operations; the program\n"
      "libexec/windrow/kernels --help explains them. Example:\n"
      "  windrow bench bale -n 4 --graph roads.txt.gz --kernels histogram,triangles --chart bale.svg");
  bale->callback([bale, chosen] { run_bale(*chosen, bale->remaining()); });
}

} // namespace windrow::tools
