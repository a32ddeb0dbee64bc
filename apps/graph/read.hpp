// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "apps/graph/edge_list.hpp"

namespace windrow::graph {

/// Reads a graph from a file in one of two formats, told apart by the first line, plain or gzip:
///
/// - an edge list as SNAP publishes them: two vertex ids in a line, separated by blanks, then at most one
///   number, the weight of the edge (or a time); lines that begin with '#' are comments. Ids are any integers
///   below 2^64.
/// - a square matrix in Matrix Market coordinate format (pattern, real, integer; general, symmetric): entry
///   (i, j) is an edge from i to j, and in a symmetric matrix one from j to i too. Values are weights.
///
/// Vertices are those that occur in an edge, numbered in the order of their ids. Edges stay in the order of
/// the file, self loops and repetitions included. Weights are kept if every edge has one. Anything else is a
/// windrow::error with the file, the line and what was expected.
edge_list read(const std::string& path);

} // namespace windrow::graph
