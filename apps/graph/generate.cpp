// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/generate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/graph/communities.hpp"
#include "apps/graph/erdos_renyi.hpp"
#include "apps/graph/kronecker.hpp"
#include "apps/graph/rmat.hpp"
#include "apps/graph/shapes.hpp"
#include "windrow/error.hpp"

namespace windrow::graph {

namespace {

struct known_generator {
  std::string_view title;
  edge_list (*generate)(const generator&);
};

std::uint64_t vertices(const generator& g) {
  return std::uint64_t{1} << g.scale;
}

// In the order of `generator_names`.
constexpr std::array<known_generator, generator_names.size()> known{{
    {"R-MAT", [](const generator& g) { return rmat{g.scale, g.edges_per_vertex, g.seed}.generate(); }},
    {"Kronecker",
     [](const generator& g) { return kronecker{g.scale, g.edges_per_vertex, g.seed}.generate(); }},
    {"Erdos-Renyi",
     [](const generator& g) { return erdos_renyi{vertices(g), g.edges_per_vertex, g.seed}.generate(); }},
    {"grid",
     [](const generator& g) {
       return grid(vertices(g) >> (g.scale / 2), vertices(g) >> ((g.scale + 1) / 2));
     }},
    {"communities",
     [](const generator& g) { return communities{vertices(g), g.edges_per_vertex, g.seed}.generate(); }},
}};

const known_generator& look_up(std::string_view name) {
  const auto found = std::ranges::find(generator_names, name);
  if (found == generator_names.end())
    throw error(
        fmt::format("there is no generator '{}'; there are {}", name, fmt::join(generator_names, ", ")));
  return known.at(static_cast<std::size_t>(found - generator_names.begin()));
}

} // namespace

std::string generator::title() const {
  return fmt::format("{} scale {}", look_up(name).title, scale);
}

edge_list generator::generate() const {
  return look_up(name).generate(*this);
}

} // namespace windrow::graph
