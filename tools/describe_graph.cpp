// SPDX-License-Identifier: BSD-3-Clause
#include "tools/describe_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace windrow::tools {

namespace {

constexpr std::size_t bar_length = 50;

/// The degrees of bar `k`: 0, 1, 2-3, 4-7 ...
std::string range(std::size_t k) {
  if (k < 2) return std::to_string(k);
  const auto first = std::uint64_t{1} << (k - 1);
  return fmt::format("{}-{}", grouped(first), grouped(2 * first - 1));
}

std::string bar(std::uint64_t count, std::uint64_t most) {
  const auto length = count == 0 ? 0 : std::max<std::uint64_t>(1, count * bar_length / most);
  return std::string(length, '#');
}

std::string_view weights(const graph::facts& f) {
  if (f.has_rounded_weights) return " with weights, some rounded (integers beyond 2^53)";
  return f.has_weights ? " with weights" : "";
}

std::string histogram(const std::vector<std::uint64_t>& counts) {
  if (counts.empty()) return "";
  const auto most = *std::ranges::max_element(counts);
  std::string lines = fmt::format("\n  {:>19} {:>13}\n", "degree", "vertices");
  const auto first = static_cast<std::size_t>(
      std::ranges::find_if(counts, [](auto count) { return count != 0; }) - counts.begin());
  for (auto k = first; k < counts.size(); ++k) {
    auto line = fmt::format("  {:>19} {:>13}  {}", range(k), grouped(counts[k]), bar(counts[k], most));
    lines += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return lines;
}

} // namespace

std::string grouped(std::uint64_t number) {
  auto digits = std::to_string(number);
  for (auto at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string describe(const graph::facts& f) {
  const auto line = [](std::string_view name, const std::string& value) {
    return fmt::format("  {:<12}{}\n", name, value);
  };
  auto text =
      line("vertices", fmt::format("{}, {} without an edge", grouped(f.vertices), grouped(f.isolated)));
  text +=
      line("edges", fmt::format("{}{}, {} self loops", grouped(f.edges), weights(f), grouped(f.self_loops)));
  text += line("undirected", fmt::format("{} without self loops and repetitions", grouped(f.simple_edges)));
  text += line("degrees", fmt::format("{} to {}, median {}", grouped(f.least_degree),
                                      grouped(f.greatest_degree), grouped(f.median_degree)));
  text += line("components", fmt::format("{}, the largest of {} vertices", grouped(f.components),
                                         grouped(f.largest_component)));
  text += line("triangles", grouped(f.triangles));
  return text + histogram(f.degree_histogram);
}

} // namespace windrow::tools
