// SPDX-License-Identifier: BSD-3-Clause
// Matrices in files, read and written by all PEs at the same time: each takes its part of the file. The file
// must be visible to all PEs under the same name.
#pragma once

#include <string>

#include "apps/matrix/sparse_matrix.hpp"

namespace windrow::apps {

/// Reads a matrix in Matrix Market coordinate format (pattern, real, integer; general, symmetric,
/// skew-symmetric), of any shape; values are dropped, entries opposite each other of a symmetric matrix are
/// added. Not compressed, because only plain text can be read from the middle (`graph::read` reads the
/// compressed ones). Collective. What is wrong with the file is a windrow::error, the same on all PEs: file,
/// line, what was expected.
template <class Distribution = cyclic_distribution>
sparse_matrix<Distribution> read_matrix(job&, const std::string& path);

/// Writes a matrix as a pattern, rows of one PE after those of another, over what was in the file. Needs
/// memory for the text of this PE's part. Collective; a file that cannot be written is a windrow::error, the
/// same on all PEs.
template <class Distribution>
void write_matrix(job&, const sparse_matrix<Distribution>&, const std::string& path);

} // namespace windrow::apps
