// SPDX-License-Identifier: BSD-3-Clause
#include "apps/runner/plan.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "apps/runner/graph_options.hpp"
#include "apps/runner/styles.hpp"
#include "apps/support/exit_code.hpp"

namespace windrow::apps {

namespace {

constexpr auto about =
    "Runs kernels in several styles on one graph, in turn, checks every result against a sequential program\n"
    "and times them. The output is one JSON object on each line, for other programs; people use `windrow "
    "bench bale`.";

/// Names, still to be looked up.
struct chosen_names {
  std::vector<std::string> kernels, styles;
};

/// Every PE reads the file, and the sequential program reads it again.
std::string why_no_sequences(const std::string& file) {
  std::error_code unknown; // told when the file is opened
  if (std::filesystem::exists(file, unknown) && !std::filesystem::is_regular_file(file, unknown))
    return fmt::format("{} is no regular file: it is read several times, and a pipe can be read only once",
                       file);
  return why_no_name(file);
}

void declare_workload(CLI::App& app, plan& chosen) {
  declare_graph_file(app, chosen.graph_file);
  declare_generator(app, chosen.generator);
  app.add_option("--sequences", chosen.sequences, "FASTQ file for k-mer counting (default: generated reads)")
      ->check(why_no_sequences)
      ->option_text("FILE");
  app.add_option("--operations", chosen.operations,
                 "least of all PEs in a run: kernels that can repeat themselves do (0)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 36))
      ->option_text("N");
}

void declare_run(CLI::App& app, plan& chosen, chosen_names& names, std::vector<std::string> known) {
  app.add_option("--kernels", names.kernels, fmt::format("some of {} (all)", fmt::join(known, ", ")))
      ->delimiter(',')
      ->check(CLI::IsMember(known))
      ->option_text("NAME,…");
  app.add_option("--styles", names.styles, fmt::format("some of {} (all)", fmt::join(style_names(), ", ")))
      ->delimiter(',')
      ->check(CLI::IsMember(style_names()))
      ->option_text("NAME,…");
  app.add_option("--repeats", chosen.repeats, "timed turns, after one that is not (5)")
      ->check(CLI::Range(1, 1000))
      ->option_text("N");
}

bool selected(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

void look_up(const chosen_names& names, std::span<const kernel_entry> table, plan& chosen) {
  for (const auto& entry : table)
    if (selected(names.kernels, entry.name)) chosen.kernels.push_back(&entry);
  for (const auto style : all_styles)
    if (selected(names.styles, name_of(style))) chosen.styles.push_back(style);
  if (std::ranges::all_of(chosen.kernels, [&](const auto* k) { return chosen.styles_of(*k).empty(); }))
    throw CLI::ValidationError("--styles", "none of the chosen kernels has one of these styles");
}

} // namespace

std::vector<kernel_style> plan::styles_of(const kernel_entry& entry) const {
  std::vector<kernel_style> common;
  std::ranges::copy_if(styles, std::back_inserter(common), [&](kernel_style s) {
    return std::ranges::find(entry.styles, s) != entry.styles.end();
  });
  return common;
}

std::string plan::graph_name() const {
  if (graph_file.path.empty()) return generator.title();
  std::error_code unknown; // told when the file is opened
  if (std::filesystem::is_fifo(graph_file.path, unknown)) return "pipe";
  const auto name = std::filesystem::path(graph_file.path).filename().string();
  return name.substr(0, name.find('.', 1));
}

plan parse_plan(job& j, int argc, char** argv, std::span<const kernel_entry> table) {
  plan chosen;
  chosen_names names;
  std::vector<std::string> known;
  CLI::App app(about, "kernels");
  std::string list = "Kernels:\n";
  for (const auto& entry : table) {
    known.emplace_back(entry.name);
    list += fmt::format("  {:<20}{}\n", entry.name, entry.about);
  }
  app.footer(list);
  declare_workload(app, chosen);
  declare_run(app, chosen, names, known);
  try {
    app.parse(argc, argv);
    look_up(names, table, chosen);
  } catch (const CLI::ParseError& end) {
    leave(j, exit_code(app, end, j.pe() == 0));
  }
  return chosen;
}

void leave(job& j, int exit_code) {
  j.finalize();
  std::exit(exit_code);
}

} // namespace windrow::apps
