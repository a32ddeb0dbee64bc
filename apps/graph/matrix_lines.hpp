// SPDX-License-Identifier: BSD-3-Clause
// Square matrices in Matrix Market coordinate format (matrix_market.hpp), taken as graphs.
#pragma once

#include "apps/graph/file_part.hpp"
#include "apps/graph/matrix_market.hpp"
#include "apps/graph/text_file.hpp"

namespace windrow::graph {

struct matrix_head {
  matrix_format format;
  matrix_size size;
};

matrix_head read_matrix_head(text_file&);

/// Reads on to the end. Entry (i, j) is an edge from i to j, and in a symmetric matrix one from j to i too.
file_part read_matrix_lines(text_file&, const matrix_head&);

/// Throws windrow::error unless the whole file, `path`, has as many entries as its head says.
void check_matrix(const std::string& path, const matrix_head&, const file_part& whole);

} // namespace windrow::graph
