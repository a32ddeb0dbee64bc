// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "apps/graph/edge_list.hpp"
#include "windrow/job.hpp"

namespace windrow::graph {

enum class file_format : std::uint8_t {
  by_name_and_content, ///< METIS if the name ends in .graph or .metis; a matrix if it ends in .mtx
                       ///< or the first line says so
  edge_list,
  matrix_market,
  metis,
};

/// What users call them, in this order.
inline constexpr std::array<std::string_view, 4> format_names{"auto", "edges", "matrix-market", "metis"};

struct graph_file {
  std::string path;
  file_format format = file_format::by_name_and_content;
};

/// Reads a graph from a file or pipe, plain or compressed by gzip, xz or zstd (the content tells):
///
/// - an edge list as SNAP, KONECT, Network Repository and GAP publish them: two vertex ids in a line, then
/// perhaps
///   a weight, then perhaps a time, separated by blanks or commas; as many in every line as in the first.
///   Lines that begin with '#' or '%' are comments, but not with the banner of a matrix. Ids are any integers
///   below 2^64; vertices are those that occur, numbered in the order of their ids.
/// - a square matrix in Matrix Market coordinate format (pattern, real, integer; general, symmetric,
///   skew-symmetric): entry (i, j) is an edge from i to j, and in a symmetric matrix one from j to i too,
///   which the file must not have as well. Each row is a vertex. Values are weights.
/// - a METIS graph: the neighbours of a vertex in each line. Each edge is one in both directions. Weights of
/// edges
///   are weights; sizes and weights of vertices are left out.
///
/// Edges stay in the order of the file, self loops and repetitions included. Anything else, a file without a
/// byte included, is a windrow::error with the file, the line and what was expected. Throws std::bad_alloc or
/// std::length_error for a graph that memory does not hold.
edge_list read(const graph_file&);

/// The whole graph on every PE: the same as `read`, but a file that is not compressed is read by all PEs,
/// each a part; a compressed file or a pipe by PE 0 alone. Collective; errors are those of all PEs. Every
/// host must see the same file, unless it is a pipe.
edge_list read(job&, const graph_file&);

} // namespace windrow::graph
