// SPDX-License-Identifier: BSD-3-Clause
// windrow graph: what graph files hold, in other formats too, and graphs to try things with.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "apps/graph/facts.hpp"
#include "apps/graph/read.hpp"
#include "apps/graph/write.hpp"
#include "apps/runner/graph_options.hpp"
#include "apps/support/json.hpp"
#include "apps/support/whole_file.hpp"
#include "base/fatal.hpp"
#include "tools/commands.hpp"
#include "tools/describe_graph.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

/// What `work` makes of a graph that is kept in memory, for which the head of a file may name any size.
template <class Work>
auto within_memory(const std::string& file, const Work& work) {
  const auto refuse = [&] { return error(file + ": not enough memory for its vertices and edges"); };
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw refuse();
  } catch (const std::length_error&) { // more than a vector may ever have
    throw refuse();
  }
}

json facts_as_json(const std::string& file, const graph::facts& f) {
  return {
      {"file", file},
      {"vertices", f.vertices},
      {"edges", f.edges},
      {"self_loops", f.self_loops},
      {"undirected_edges", f.simple_edges},
      {"weights", f.has_weights},
      {"rounded_weights", f.has_rounded_weights},
      {"degrees", {{"least", f.least_degree}, {"median", f.median_degree}, {"greatest", f.greatest_degree}}},
      {"isolated_vertices", f.isolated},
      {"components", f.components},
      {"largest_component", f.largest_component},
      {"triangles", f.triangles},
      {"degree_histogram", f.degree_histogram}};
}

// ---- info

struct info_options {
  std::vector<std::string> files;
  graph::file_format format{};
  bool as_json = false;
};

/// Reads and tells of one file; false if that was not possible, which is told too.
bool inform(const std::string& file, const info_options& chosen, json& all) {
  try {
    const auto f = within_memory(
        file, [&] { return graph::facts_of(graph::read(graph::graph_file{file, chosen.format})); });
    if (!chosen.as_json) fmt::print("{}{}\n{}", all.empty() ? "" : "\n", file, describe(f));
    all.push_back(facts_as_json(file, f));
    return true;
  } catch (const error& problem) {
    base::say(problem.what());
    all.push_back({{"file", file}, {"error", problem.what()}});
    return false;
  }
}

int run_info(const info_options& chosen) {
  auto all = json::array();
  bool fine = true;
  for (const auto& file : chosen.files) fine = inform(file, chosen, all) && fine;
  if (chosen.as_json) fmt::print("{}\n", all.dump(2, ' ', false, json::error_handler_t::replace));
  return fine ? 0 : 1;
}

void add_info_of_graph(CLI::App& group) {
  auto chosen = std::make_shared<info_options>();
  auto* command =
      group.add_subcommand("info", "Show vertices, edges, degrees, components and triangles of graph files");
  command
      ->add_option("FILE", chosen->files, "edge lists, Matrix Market or METIS files, plain or gzip, xz, zstd")
      ->required();
  apps::declare_format(*command, chosen->format);
  command->add_flag("--json", chosen->as_json, "print a JSON array, for programs");
  command->callback([chosen] {
    if (const int code = run_info(*chosen)) throw exit_code{code};
  });
}

// ---- convert and generate

void tell(const std::string& path, const graph::edge_list& graph, const graph::left_out& lost) {
  base::say(fmt::format("{} has {} vertices", path, graph.vertices - lost.isolated));
  const auto say_if = [](bool is_so, const std::string& what) {
    if (is_so) base::say("left out, because this format cannot hold it: " + what);
  };
  say_if(lost.isolated != 0, fmt::format("{} vertices without an edge", lost.isolated));
  say_if(lost.self_loops != 0, fmt::format("{} self loops", lost.self_loops));
  say_if(lost.repeated_edges != 0, fmt::format("{} repeated edges", lost.repeated_edges));
  say_if(lost.directions, "directions of edges");
  say_if(!lost.weights.empty(), fmt::format("weights of edges, {}", lost.weights));
  if (graph.has_rounded_weights && lost.weights.empty())
    base::say(fmt::format("{}: {}", path, graph::rounded_weights));
}

void check_output(const std::string& path) {
  graph::format_to_write(path);
  apps::check_can_be_written(path);
}

void add_convert(CLI::App& group) {
  auto from = std::make_shared<graph::graph_file>();
  auto to = std::make_shared<std::string>();
  auto* command =
      group.add_subcommand("convert", "Write a graph in another format, chosen by the name of OUTPUT");
  command
      ->add_option("INPUT", from->path, "an edge list, Matrix Market or METIS file, plain or gzip, xz, zstd")
      ->required();
  command
      ->add_option("OUTPUT", *to,
                   "ends in .mtx (Matrix Market), .graph (METIS) or .el, .txt, .edges (edge list)")
      ->required();
  apps::declare_format(*command, from->format);
  command->callback([from, to] {
    check_output(*to); // a mistake is told before hours of reading
    within_memory(from->path, [&] {
      const auto graph = graph::read(*from);
      tell(*to, graph, graph::write(graph, *to));
    });
  });
}

void add_generate(CLI::App& group) {
  auto chosen = std::make_shared<graph::generator>();
  auto to = std::make_shared<std::string>();
  auto* command =
      group.add_subcommand("generate", "Write a generated graph, the same for the same options everywhere");
  command->add_option("NAME", chosen->name, fmt::format("one of {}", fmt::join(graph::generator_names, ", ")))
      ->check(apps::is_generator())
      ->required();
  command
      ->add_option("OUTPUT", *to,
                   "ends in .mtx (Matrix Market), .graph (METIS) or .el, .txt, .edges (edge list)")
      ->required();
  apps::declare_size(*command, *chosen);
  command->callback([chosen, to] {
    check_output(*to);
    within_memory(*to, [&] {
      const auto graph = chosen->generate();
      tell(*to, graph, graph::write(graph, *to));
    });
  });
}

} // namespace

void add_graph(CLI::App& app) {
  auto* group = app.add_subcommand("graph", "Look at graph files, convert them, generate graphs");
  group->require_subcommand(1);
  add_info_of_graph(*group);
  add_convert(*group);
  add_generate(*group);
}

} // namespace windrow::tools
