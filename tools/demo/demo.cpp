// SPDX-License-Identifier: BSD-3-Clause
// windrow demo: what Windrow does, in one minute.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/graph/facts.hpp"
#include "apps/graph/generate.hpp"
#include "apps/graph/read.hpp"
#include "apps/runner/graph_options.hpp"
#include "apps/support/json.hpp"
#include "apps/support/whole_file.hpp"
#include "base/fatal.hpp"
#include "os/cpu.hpp"
#include "tools/commands.hpp"
#include "tools/demo/directive.hpp"
#include "tools/demo/picture.hpp"
#include "tools/demo/table.hpp"
#include "tools/describe_graph.hpp"
#include "tools/kernel_jobs.hpp"
#include "tools/results_file.hpp"
#include "tools/results_table.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

constexpr auto about =
    "Show three kernels in three styles on this host and between imitated ones, and the directive";

/// `./windrow` makes the plug-in between the two parts.
enum class demo_part : std::uint8_t { all, kernels, directive };

struct demo_options {
  std::string graph_file;
  unsigned scale = 16;
  std::string picture_file = "windrow-demo.svg";
  bool as_json = false;
  demo_part part = demo_part::all;
};

constexpr unsigned edges_per_vertex = 8;

void print(const demo_options& chosen, const std::string& text) {
  if (!chosen.as_json) std::cout << text << std::flush;
}

void heading_of(const demo_options& chosen, const std::string& text) {
  print(chosen, fmt::format("\n{}\n{}\n", text, std::string(text.size(), '-')));
}

// ---- The graphs

/// Tells what is wrong with a graph of the user's at once, before anything is measured.
void check_graph(const std::string& file) {
  std::error_code unknown; // told when the file is opened
  if (std::filesystem::exists(file, unknown) && !std::filesystem::is_regular_file(file, unknown))
    throw error(fmt::format(
        "{} is no regular file: the demo reads the graph several times, and a pipe can be read only once",
        file));
}

void show_graph(const demo_options& chosen, const std::string& title, const graph::edge_list& graph) {
  print(chosen, fmt::format("{}\n{}\n", title, describe(graph::facts_of(graph))));
}

void show_graphs(const demo_options& chosen, const std::string& file) {
  check_graph(file);
  const auto given = graph::read({file});
  heading_of(chosen, "The graphs");
  show_graph(chosen, std::filesystem::path(file).filename().string(), given);
  const graph::generator generated{.scale = chosen.scale, .edges_per_vertex = edges_per_vertex};
  show_graph(chosen, generated.title() + ": generated, a few large hubs and many small vertices",
             generated.generate());
}

// ---- The kernels

std::vector<std::string> usual_arguments() {
  return {"--kernels", "histogram,index_gather,triangles", "--styles", "blocking,aggregated,mailbox"};
}

std::vector<std::string> generated_arguments(unsigned scale) {
  return {"--scale", std::to_string(scale), "--edges-per-vertex", std::to_string(edges_per_vertex)};
}

demo_place run_place(std::string title, const std::string& label, int pes, std::vector<std::string> input,
                     const std::vector<std::string>& environment) {
  const surroundings place;
  const auto usual = usual_arguments();
  input.insert(input.end(), usual.begin(), usual.end());
  progress watch;
  return {std::move(title), label,
          run_kernels(place, std::to_string(pes), input, watch, ", " + label, environment).results};
}

void show_place(const demo_options& chosen, const demo_place& place, bool is_near) {
  heading_of(chosen, place.title);
  print(chosen, demo_table(place.results));
  print(chosen,
        fmt::format("{}\nChecksums and counts: {}.\n", verdict(place.results), answers(place.results)));
  if (is_near) print(chosen, reasons(place.results));
}

/// As much work as blocking operations, each of which takes two delays, do in less than two seconds.
struct distance {
  unsigned delay_us;
  const char* operations;
  unsigned scale; ///< of the generated graph, at most
};
constexpr std::array distances{distance{5, "250000", 12}, distance{50, "30000", 11}};

std::vector<demo_place> show_kernels(const demo_options& chosen, const std::string& file) {
  std::vector<demo_place> places;
  const auto pes = std::clamp(os::usable_cpus(), 2, 8);
  const auto here = [&](const std::string& title, std::vector<std::string> input) {
    input.insert(input.end(), {"--operations", "2000000", "--repeats", "3"});
    places.push_back(run_place(fmt::format("On this host, {} PEs: {}", pes, title), "this host, " + title,
                               pes, input, {}));
    show_place(chosen, places.back(), true);
  };
  here(graph::generator{.scale = chosen.scale}.title(), generated_arguments(chosen.scale));
  const auto name = std::filesystem::path(file).filename().string();
  here(name.substr(0, name.find('.', 1)), {"--graph", file});
  for (const auto& [delay, operations, scale] : distances) {
    const graph::generator smaller{.scale = std::min(chosen.scale, scale)};
    auto input = generated_arguments(smaller.scale);
    input.insert(input.end(), {"--operations", operations, "--repeats", "1"});
    places.push_back(run_place(
        fmt::format("Between two imitated hosts, {} us apart, a PE on each: {}", delay, smaller.title()),
        fmt::format("{} us apart, {}", delay, smaller.title()), 2, input,
        {fmt::format("WINDROW_DELAY={}us", delay)}));
    show_place(chosen, places.back(), false);
  }
  print(chosen, "WINDROW_DELAY imitates the latency of a network, not its bandwidth.\n");
  return places;
}

// ---- The picture

bar_picture picture_of(const std::vector<demo_place>& places) {
  bar_picture picture{
      "Speed compared with blocking operations", "logarithmic; bars below 1 are slower", {}, {}, {}};
  for (const auto& place : places) {
    picture.rows.push_back(place.label);
    std::vector<double> values;
    for (const auto& r : place.results) {
      if (r.style == "blocking") continue;
      if (picture.rows.size() == 1) picture.columns.push_back(r.kernel + ", " + r.style);
      values.push_back(std::max(speed_up(place.results, r), 0.01));
    }
    picture.values.push_back(values);
  }
  return picture;
}

void draw(const demo_options& chosen, const std::vector<demo_place>& places) {
  apps::whole_file file(chosen.picture_file);
  file.write(as_svg(picture_of(places)));
  file.finish();
  print(chosen, fmt::format("\nA picture of these speed-ups: {}\n",
                            std::filesystem::absolute(chosen.picture_file).string()));
}

// ---- The directive and the end

bool is_slower_here(const std::vector<directive_run>& runs) {
  return !runs.empty() && runs.front().plain_seconds < runs.front().deferred_seconds;
}

bool show_directive(const demo_options& chosen) {
  heading_of(chosen, "A plain C loop and one directive");
  print(chosen, directive_loop() + '\n');
  if (const auto reason = why_no_directive(); !reason.empty()) {
    print(chosen, "It is not compiled here:\n" + reason + "\n");
    return true;
  }
  const auto runs = run_directive();
  print(chosen, directive_table(runs));
  print(chosen,
        "The same file both times: windrow cc -O2, where each fetch waits for its answer, and windrow cc "
        "-fdefer -O2.\n");
  if (is_slower_here(runs))
    print(chosen,
          "Slower on this host: a fetch is one instruction here, and deferring it saves no more than cache "
          "misses.\n");
  return std::ranges::all_of(runs, &directive_run::is_right);
}

void conclude(const demo_options& chosen) {
  heading_of(chosen, "What to conclude");
  print(chosen,
        "Write the plain loop: on one host aggregation pays where scattered updates miss the caches, and "
        "between hosts,\n"
        "where every blocking operation waits for an answer, it is what makes such a loop possible at all.\n"
        "Try next: `windrow demo --graph FILE` with a graph of your own, the programs in examples/, and "
        "docs/tutorials.\n");
}

// What cannot be written is told before minutes of measuring.
void check_picture(const demo_options& chosen) {
  try {
    apps::check_can_be_written(chosen.picture_file);
  } catch (const error& problem) {
    throw error(fmt::format("{}; --picture names another file", problem.what()));
  }
}

int run_demo(const demo_options& chosen) {
  if (chosen.part != demo_part::directive) check_picture(chosen);
  std::vector<demo_place> places;
  bool all_right = true;
  if (chosen.part != demo_part::directive) {
    const auto file = chosen.graph_file.empty() ? surroundings().real_graph() : chosen.graph_file;
    show_graphs(chosen, file);
    places = show_kernels(chosen, file);
    for (const auto& place : places)
      all_right = all_right && std::ranges::all_of(place.results, &apps::result::is_right);
    if (!chosen.as_json) draw(chosen, places);
  }
  if (chosen.part != demo_part::kernels) {
    all_right = show_directive(chosen) && all_right;
    conclude(chosen);
  }
  if (chosen.as_json) {
    json content{{"places", json::array()}, {"all_right", all_right}};
    for (const auto& place : places)
      content["places"].push_back({{"title", place.title}, {"results", place.results}});
    std::cout << json_text(content) << std::flush;
    if (chosen.part != demo_part::directive)
      draw(chosen, places); // whatever becomes of it, results are there
  }
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
                   "of the generated R-MAT graph: 2^SCALE vertices, 8 edges each (16)")
      ->check(CLI::Range(0, 24))
      ->option_text("SCALE");
  demo->add_option("--picture", chosen->picture_file, "SVG file to write (windrow-demo.svg)")
      ->check(apps::why_no_name)
      ->option_text("FILE");
  demo->add_flag("--json", chosen->as_json, "print the results as JSON");
  demo->add_flag_callback(
      "--only-kernels", [chosen] { chosen->part = demo_part::kernels; }, "leave the directive out");
  demo->add_flag_callback(
      "--only-directive", [chosen] { chosen->part = demo_part::directive; }, "show nothing else");
  demo->callback([chosen] {
    if (const int code = run_demo(*chosen)) throw exit_code{code};
  });
}

} // namespace windrow::tools
