// SPDX-License-Identifier: BSD-3-Clause
// Graphs as METIS and KaHIP read them (Karypis, "METIS: a software package ...", version 5.1, section 4.1): a
// head, then for each vertex a line with its neighbours, empty if there are none. Lines that begin with '%'
// are comments.
#pragma once

#include "apps/graph/file_part.hpp"
#include "apps/graph/text_file.hpp"

namespace windrow::graph {

struct metis_head {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;       ///< undirected: each is in the lists of both its ends
  bool has_edge_weights = false; ///< behind each neighbour
  unsigned skipped = 0;          ///< numbers at the beginning of each line: size and weights of the vertex
};

metis_head read_metis_head(text_file&);

/// Reads on to the end. The first list is that of vertex 0: of a part of a file, add how many are before it.
file_part read_metis_lines(text_file&, const metis_head&);

/// Throws windrow::error unless the whole file, `path`, has as many lists and edges as its head says, and
/// each edge in the lists of both its ends.
void check_metis(const std::string& path, const metis_head&, const file_part& whole);

} // namespace windrow::graph
