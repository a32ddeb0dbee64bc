// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/graph/rows.hpp"
#include "apps/matrix/sparse_matrix.hpp"
#include "windrow/job.hpp"

namespace windrow::apps {

/// The columns of a matrix where its rows are: each PE has the entries of its rows by column, and who owns a
/// column in `columns`, the transpose, knows which PEs have a part of it. So a message about a column goes to
/// those, once.
class column_parts {
 public:
  /// The entries of a column in the rows of one PE: `size` of that PE's list, from `first` on.
  struct part {
    pe_t pe;
    std::uint32_t first, size;
  };

  /// Collective.
  column_parts(job&, const sparse_matrix<>& matrix, const sparse_matrix<>& columns);

  /// The parts of column `place` of those that this PE owns.
  std::span<const part> of(std::uint64_t place) const { return parts_[place]; }
  /// The rows in a part that this PE has, by their numbers among its own.
  std::span<const std::uint32_t> rows(std::uint32_t first, std::uint32_t size) const {
    return std::span(rows_).subspan(first, size);
  }

 private:
  std::vector<std::uint32_t> rows_;
  graph::rows<part> parts_;
};

} // namespace windrow::apps
