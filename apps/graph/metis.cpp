// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/metis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <tuple>
#include <vector>

#include "apps/graph/fields.hpp"
#include "apps/graph/random.hpp"
#include "windrow/error.hpp"

namespace windrow::graph {

namespace {

constexpr auto expected_head =
    "the head of a METIS file: vertices, edges, and perhaps a format (up to three digits 0 or 1) and the "
    "number of "
    "weights of each vertex";

bool is_comment(std::string_view line) {
  return line.starts_with('%');
}

/// The three flags of the format: sizes of vertices, weights of vertices, weights of edges.
struct flags {
  bool sizes, weights, edge_weights;
};

std::optional<flags> parse_flags(std::uint64_t digits) {
  const auto sizes = digits / 100, weights = digits / 10 % 10, edges = digits % 10;
  if (sizes > 1 || weights > 1 || edges > 1) return std::nullopt;
  return flags{sizes == 1, weights == 1, edges == 1};
}

std::optional<metis_head> parse_head(std::string_view line) {
  fields rest(line);
  const auto size = take_edge(rest);
  const auto digits = rest.at_end() ? 0 : rest.take<std::uint64_t>();
  const auto has = digits ? parse_flags(*digits) : std::nullopt;
  const auto constraints = rest.at_end() ? std::optional(1u) : rest.take<unsigned>();
  if (!size || !has || !constraints || *constraints > 1000 || !rest.at_end()) return std::nullopt;
  return metis_head{size->from, size->to, has->edge_weights, has->sizes + (has->weights ? *constraints : 0)};
}

bool skip_vertex(fields& line, const metis_head& head) {
  for (unsigned k = 0; k < head.skipped; ++k)
    if (!line.take<double>()) return false;
  return true;
}

/// Adds the neighbours of vertex `from`; false if the line is malformed.
bool take_neighbours(std::string_view line, vertex from, const metis_head& head, file_part& part) {
  fields rest(line);
  if (rest.at_end()) return true; // also where weights of the vertex belong: files end in empty lines
  if (!skip_vertex(rest, head)) return false;
  while (!rest.at_end()) {
    const auto to = rest.take<vertex>();
    if (!to || *to < 1 || *to > head.vertices) return false;
    part.edges.push_back({from, *to - 1});
    if (!head.has_edge_weights) continue;
    const auto weight = take_weight(rest, part.has_rounded_weights);
    if (!weight) return false;
    part.weights.push_back(*weight);
  }
  return true;
}

std::string expected_line(const metis_head& head) {
  const auto before =
      head.skipped == 0 ? std::string() : fmt::format("{} numbers of the vertex, then ", head.skipped);
  return fmt::format("{}neighbours from 1 to {}{}", before, head.vertices,
                     head.has_edge_weights ? ", each with a weight" : "");
}

/// A number for the edges that go up or down, each seen from its smaller end, in any order.
std::uint64_t fingerprint(const std::vector<edge>& edges, bool up) {
  std::uint64_t sum = 0;
  for (const auto& e : edges)
    if ((e.from < e.to) == up) sum += mix(std::min(e.from, e.to), std::max(e.from, e.to), 1);
  return sum;
}

/// The first edge that is in the list of one of its ends only.
edge one_sided_edge(std::vector<edge> edges) {
  auto reversed = edges;
  for (auto& e : reversed) std::swap(e.from, e.to);
  std::ranges::sort(edges);
  std::ranges::sort(reversed);
  return *std::ranges::mismatch(edges, reversed).in1;
}

/// The same with the weights of these edges, so that it also tells whether both ends give the same; -0 is 0.
std::uint64_t fingerprint_of_weights(const file_part& whole, bool up) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < whole.weights.size(); ++k)
    if (const auto& e = whole.edges[k]; (e.from < e.to) == up)
      sum += mix(std::min(e.from, e.to), std::max(e.from, e.to),
                 std::bit_cast<std::uint64_t>(whole.weights[k] + 0.0));
  return sum;
}

/// The first edge that has a weight in the list of one of its ends only.
edge unequally_weighted_edge(const file_part& whole) {
  std::vector<std::tuple<vertex, vertex, double>> forth, back;
  for (std::size_t k = 0; k < whole.edges.size(); ++k) {
    const auto& e = whole.edges[k];
    forth.emplace_back(e.from, e.to, whole.weights[k]);
    back.emplace_back(e.to, e.from, whole.weights[k]);
  }
  std::ranges::sort(forth);
  std::ranges::sort(back);
  const auto& [from, to, weight] = *std::ranges::mismatch(forth, back).in1;
  return {from, to};
}

} // namespace

metis_head read_metis_head(text_file& file) {
  file.allow_long_lines();
  auto line = file.next_line();
  while (line && is_comment(*line)) line = file.next_line();
  const auto head = line ? parse_head(*line) : std::nullopt;
  if (!head) file.fail(expected_head);
  return *head;
}

file_part read_metis_lines(text_file& file, const metis_head& head) {
  file_part part;
  while (const auto line = file.next_line()) {
    if (is_comment(*line)) continue;
    if (!take_neighbours(*line, part.lines, head, part)) file.fail(expected_line(head));
    ++part.lines;
    if (!is_empty_or_comment(*line, "")) part.filled_lines = part.lines;
  }
  return part;
}

void check_metis(const std::string& path, const metis_head& head, const file_part& whole) {
  const auto& edges = whole.edges;
  if (whole.lines < head.vertices || whole.filled_lines > head.vertices) // files may end in empty lines
    throw error(
        fmt::format("{}: expected {} lines of neighbours, one for each vertex, as its head says, found {}",
                    path, head.vertices, std::max(whole.filled_lines, std::min(whole.lines, head.vertices))));
  const auto loop = std::ranges::find_if(edges, [](const edge& e) { return e.from == e.to; });
  if (loop != edges.end())
    throw error(fmt::format("{}: vertex {} is its own neighbour, which METIS files do not allow", path,
                            loop->from + 1));
  if (fingerprint(edges, true) != fingerprint(edges, false)) {
    const auto e = one_sided_edge(edges);
    throw error(
        fmt::format("{}: of the vertices {} and {} one names the other as a neighbour more often than it is "
                    "named by it: an edge must be in the lists of both its ends",
                    path, e.from + 1, e.to + 1));
  }
  if (fingerprint_of_weights(whole, true) != fingerprint_of_weights(whole, false)) {
    const auto e = unequally_weighted_edge(whole);
    throw error(fmt::format(
        "{}: the edge between the vertices {} and {} has another weight in the list of one than in "
        "that of the other",
        path, e.from + 1, e.to + 1));
  }
  if (edges.size() / 2 != head.edges) // twice that of the head may be beyond what can be counted
    throw error(
        fmt::format("{}: expected {} edges, as its head says, found {}", path, head.edges, edges.size() / 2));
}

} // namespace windrow::graph
