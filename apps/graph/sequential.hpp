// SPDX-License-Identifier: BSD-3-Clause
// What the kernels compute, by one plain loop on one PE each: what their results are compared with.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/graph/csr.hpp"
#include "apps/graph/edge_list.hpp"

namespace windrow::graph {

/// How many edges end at each vertex.
std::vector<std::uint64_t> in_degrees(const edge_list&);

/// For each edge, the value of the vertex that it ends at.
std::vector<std::uint64_t> gather_targets(const edge_list&, const std::vector<std::uint64_t>& values);

/// The sum of (i + 1) * values[i] modulo 2^64: a number that tells a right list from one with wrong or
/// exchanged values.
std::uint64_t position_checksum(const std::vector<std::uint64_t>& values);

/// Triangles of the undirected graph, by marking the neighbours of one vertex at a time.
std::uint64_t triangles(const edge_list&);
/// Triangles of a graph that `oriented_by_degree` gave.
std::uint64_t triangles_of_oriented(const csr&);

} // namespace windrow::graph
