// SPDX-License-Identifier: BSD-3-Clause
// The lines of a file in Matrix Market coordinate format (Boisvert, Pozo and Remington, NISTIR 5935, 1996).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apps/graph/edge_list.hpp"

namespace windrow::graph {

struct matrix_format {
  bool has_values = false;
  bool has_integers = false; ///< such values, and all of them are integers
  bool is_symmetric = false; ///< only the entries on and below the diagonal are in the file
  bool is_skew_symmetric =
      false; ///< such a matrix, with the other sign above the diagonal, and nothing on it
};

struct matrix_size {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;
};

/// Whether the first line of a file, or the first that is not empty, says that it is a matrix, of whatever
/// format.
bool has_matrix_banner(std::string_view line);
/// The format, if it is one that can be read: pattern, real or integer; general, symmetric or skew-symmetric.
std::optional<matrix_format> parse_matrix_banner(std::string_view line);
std::optional<matrix_size> parse_matrix_size(std::string_view line, const matrix_format&);
/// Row and column, counted from 0, and the value, if the format has one.
struct matrix_entry : edge {
  double value;
  bool is_rounded = false; ///< the value in the file is an integer that no double equals
};
std::optional<matrix_entry> parse_matrix_entry(std::string_view line, const matrix_format&,
                                               const matrix_size&);

// What a line should have been, for messages.
inline constexpr std::string_view expected_matrix_banner =
    "\"%%MatrixMarket matrix coordinate\", then pattern, real or integer, then general, symmetric or "
    "skew-symmetric";
std::string expected_matrix_size(const matrix_format&);
std::string expected_matrix_entry(const matrix_format&, const matrix_size&);

} // namespace windrow::graph
