// SPDX-License-Identifier: BSD-3-Clause
// What the ways to count triangles have in common. The vertices of the undirected graph are numbered by
// degree, and row u holds the neighbours of u with larger numbers, in ascending order. Then u < v < w is a
// triangle if v and w are in row u and w is in row v, and no row is long, not even that of a hub.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/kernels/kernel.hpp"
#include "apps/matrix/sparse_matrix.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

/// The upper triangle of the adjacency matrix of a graph. Collective.
sparse_matrix<> upper_triangle(job&, const graph::edge_list&);

/// Pairs (v, w) with v < w in one of this PE's rows: each is a triangle if w is in row v.
std::uint64_t pairs_of(const sparse_matrix<>& upper);

/// An edge (u, v) whose row u is this PE's, and whose row v may be anywhere.
struct outgoing_edge {
  std::span<const std::uint64_t> after_v; ///< the rest of row u
  std::uint64_t v;
  sparse_matrix<>::extent row_of_v;
};

/// Those of this PE that can be in a triangle, without `row_of_v`.
std::vector<outgoing_edge> outgoing_edges(const sparse_matrix<>& upper);

/// Takes edges from the front whose rows of v fill a chunk of 512 KiB, or one edge if its row is longer.
std::span<const outgoing_edge> take_chunk(std::span<const outgoing_edge>& edges);

/// Fetches the rows of v of a chunk of edges, one behind the other.
void fetch_rows(context&, const sparse_matrix<>& upper, std::span<const outgoing_edge> chunk,
                std::vector<std::uint64_t>& fetched);

/// Elements of both ascending rows.
std::uint64_t common(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

/// Triangles whose first edge is one of the chunk's, from what `fetch_rows` fetched for it.
std::uint64_t triangles_of(std::span<const outgoing_edge> chunk, std::span<const std::uint64_t> fetched);

/// "Is w in row v?", for the owner of row v.
struct probe {
  std::uint64_t row; ///< the number of v among its owner's rows
  std::uint64_t w;
};

/// How many of these probes are answered with yes. Those of one row in ascending order, one after another,
/// cost one walk through that row; any order is right.
std::uint64_t found_by(std::span<const probe>, const sparse_matrix<>& upper);

sequential_answer sequential_triangles(const workload&);

} // namespace windrow::apps
