// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

namespace windrow::graph {

/// Vertices are numbered 0 … vertices - 1.
using vertex = std::uint64_t;

struct edge {
  vertex from;
  vertex to;
  friend auto operator<=>(const edge&, const edge&) = default;
};

/// A directed graph as its edges, in the order of their source. Self loops and repeated edges are edges like
/// any other.
struct edge_list {
  vertex vertices = 0;
  std::vector<edge> edges;
  std::vector<double> weights = {}; ///< of each edge, or empty: none has one
  /// Some weights were integers beyond 2^53 in the file, and are the nearest that there is.
  bool has_rounded_weights = false;
};

/// What to tell users of such a graph.
inline constexpr std::string_view rounded_weights =
    "some weights are integers beyond 2^53, and are rounded to the next that a double holds";

/// Numbers the vertices that occur in `edges` 0, 1, 2 … in the order of the numbers they had, whatever those
/// were.
edge_list renumbered(std::vector<edge> edges);

/// The undirected graph without self loops and repetitions: each edge once, from the smaller vertex to the
/// larger, sorted. The vertices keep their numbers.
edge_list simple_undirected(const edge_list&);

/// The edges of a simple undirected graph, each directed from the end with the smaller degree to the other
/// (from the smaller number if equal). No vertex of m edges then has more than sqrt(2 m) outgoing ones, so
/// that pairs of neighbours are few even around hubs.
edge_list oriented_by_degree(edge_list simple);

/// The same graph with its vertices numbered in the order of their degrees (of their old numbers if equal),
/// so that this direction is from the smaller number to the larger: an upper triangular matrix.
edge_list numbered_by_degree(edge_list simple);

} // namespace windrow::graph
