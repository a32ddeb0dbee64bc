// SPDX-License-Identifier: BSD-3-Clause
// The options by which users say which graph, the same for every program that takes one.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/graph/generate.hpp"
#include "apps/graph/read.hpp"

namespace windrow::apps {

/// A name must not be empty: a variable of the shell that is not set is no wish for something else.
inline std::string why_no_name(const std::string& name) {
  return name.empty() ? "the name of the file is empty" : "";
}

/// CLI11 takes -1 for the largest number, and so what is larger than that.
inline std::string why_no_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, seed);
  return failure == std::errc{} && rest == end
             ? ""
             : fmt::format("'{}' is not a whole number from 0 to 2^64 - 1", text);
}

inline void declare_format(CLI::App& app, graph::file_format& format) {
  const std::vector<std::string> names(graph::format_names.begin(), graph::format_names.end());
  const auto set = [&format, names](const std::string& name) {
    format = static_cast<graph::file_format>(std::ranges::find(names, name) - names.begin());
  };
  app.add_option_function<std::string>(
         "--format", set,
         fmt::format("of the file, one of {} (auto: its name and first line tell)", fmt::join(names, ", ")))
      ->check(CLI::IsMember(names))
      ->option_text("NAME");
}

inline void declare_graph_file(CLI::App& app, graph::graph_file& chosen) {
  app.add_option("--graph", chosen.path, "edge list, Matrix Market or METIS file, plain or gzip, xz, zstd")
      ->check(why_no_name)
      ->option_text("FILE");
  declare_format(app, chosen.format);
}

inline void declare_size(CLI::App& app, graph::generator& chosen) {
  app.add_option("--scale", chosen.scale, "of the generated graph: 2^SCALE vertices (16)")
      ->check(CLI::Range(0, 30))
      ->option_text("SCALE");
  app.add_option("--edges-per-vertex", chosen.edges_per_vertex, "of the generated graph, but for grids (16)")
      ->check(CLI::Range(0, 1024))
      ->option_text("N");
  app.add_option("--seed", chosen.seed, "of everything random (1)")->check(why_no_seed)->option_text("N");
}

/// One of the generators.
inline CLI::Validator is_generator() {
  return CLI::IsMember(
      std::vector<std::string>(graph::generator_names.begin(), graph::generator_names.end()));
}

inline void declare_generator(CLI::App& app, graph::generator& chosen) {
  app.add_option("--generate", chosen.name,
                 fmt::format("without --graph: one of {} (rmat)", fmt::join(graph::generator_names, ", ")))
      ->check(is_generator())
      ->option_text("NAME");
  declare_size(app, chosen);
}

} // namespace windrow::apps
