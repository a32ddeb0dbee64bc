// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "apps/graph/read.hpp"

namespace windrow::graph {

/// What a format could not hold.
struct left_out {
  std::uint64_t self_loops = 0;
  std::uint64_t repeated_edges = 0; ///< of those between the same vertices, beyond one in each direction
  bool directions = false;          ///< some edges are there more often in one direction than in the other
  std::string_view weights;         ///< why none are written, to be put after "weights of edges, "; or empty
  std::uint64_t isolated = 0;       ///< vertices without an edge, which an edge list cannot name
};

/// The format that the name of a file to be written asks for: .mtx is a Matrix Market matrix, .graph and
/// .metis are METIS, .el, .wel, .txt, .edges, .tsv and .snap edge lists. Throws windrow::error for other
/// names, and for those of compressed files.
file_format format_to_write(const std::string& path);

/// Writes a graph, vertex 0 as number 0 in an edge list and as number 1 in the other formats. A METIS file
/// has the undirected graph without self loops and repetitions, with weights if all are whole numbers above 0
/// and those of all edges between the same vertices are the same; what that leaves out is returned. Throws
/// windrow::error if the file cannot be written; what was there is there then, and until all is written.
left_out write(const edge_list&, const std::string& path);

} // namespace windrow::graph
