// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

#include "apps/support/owned_array.hpp"
#include "windrow/job.hpp"

namespace windrow::apps {

/// A place in a matrix where something is.
struct entry {
  std::uint64_t row;
  std::uint64_t column;
  friend auto operator<=>(const entry&, const entry&) = default;
};

/// A number that looks random, for checksums over entries in any order.
std::uint64_t hash(const entry&);

/// Where the rows of a matrix are, without the rows: what `owner` and `local_index` need.
template <class Distribution>
array<std::byte, Distribution> row_layout(const job& j, std::uint64_t rows) {
  return {rows, j.pes(), global_ptr<std::byte>(j.pe(), 0), nullptr};
}

/// A sparse matrix in compressed rows, in symmetric memory: its pattern, without values. Rows are spread over
/// the PEs in blocks or (by default) round robin. To fetch a row of another PE, fetch its extent, then what
/// the extent says.
///
/// Construction, assignment and destruction are collective; a moved-from matrix may only be assigned to or
/// destroyed. What one PE writes to its rows others may read after a barrier.
template <class Distribution = cyclic_distribution>
class sparse_matrix {
 public:
  /// Where a row is among the entries of its owner. Eight bytes, so that fetching one is a single small read.
  struct alignas(8) extent {
    std::uint32_t first;
    std::uint32_t size;
  };

  sparse_matrix() = default;
  /// Room for `sizes[k]` entries, all in column 0, in row k of this PE's. Throws windrow::error on every PE
  /// if one would hold more than 2^32 - 1 entries.
  sparse_matrix(job&, std::uint64_t rows, std::uint64_t columns, std::span<const std::uint64_t> sizes);
  /// From the entries of this PE's own rows, in any order; each row keeps the order of its entries.
  sparse_matrix(job&, std::uint64_t rows, std::uint64_t columns, std::span<const entry> own);

  std::uint64_t rows() const { return extents_.size(); }
  std::uint64_t columns() const { return columns_; }

  /// The PE that has a row.
  pe_t owner(std::uint64_t row) const { return extents_.owner(row); }
  /// The number of a row among its owner's.
  std::uint64_t local_index(std::uint64_t row) const { return extents_.local_index(row); }

  global_ref<extent> extent_of(std::uint64_t row) const { return extents_[row]; }
  global_ptr<std::uint64_t> row(std::uint64_t row, const extent& at) const {
    return place(owner(row), at.first);
  }
  /// Place `k` of the entries of a PE.
  global_ptr<std::uint64_t> place(pe_t owner, std::uint64_t k) const {
    return entries_.storage().on(owner) + static_cast<std::int64_t>(k);
  }

  // This PE's rows, numbered 0 … local_rows() - 1.

  std::uint64_t local_rows() const { return extents_.local().size(); }
  std::uint64_t local_entries() const { return local_entries_; }
  std::uint64_t global_row(std::uint64_t k) const { return extents_.global_index(k); }
  const extent& local_extent(std::uint64_t k) const { return extents_.local()[k]; }
  /// The columns of the entries of row k. May be written.
  std::span<std::uint64_t> local_row(std::uint64_t k) const {
    const auto& at = extents_.local()[k];
    return entries_.local().subspan(at.first, at.size);
  }

  /// Brings the entries of each row in ascending order. Collective.
  void sort_rows();

 private:
  void reserve(job&, std::span<const std::uint64_t> sizes);

  job* job_ = nullptr;
  std::uint64_t columns_ = 0;
  std::uint64_t local_entries_ = 0;
  owned_array<extent, Distribution> extents_;
  owned_array<std::uint64_t> entries_; ///< as many for each PE as the fullest has
};

/// Calls `visit(row, column)` for each entry of this PE's rows.
template <class Distribution, class Visit>
void for_each_entry(const sparse_matrix<Distribution>& m, Visit visit) {
  for (std::uint64_t k = 0; k < m.local_rows(); ++k) {
    const auto row = m.global_row(k);
    for (const auto column : m.local_row(k)) visit(row, column);
  }
}

/// The sum of the hashes of this PE's entries: its part of a number that tells different matrices apart.
template <class Distribution>
std::uint64_t checksum(const sparse_matrix<Distribution>& m) {
  std::uint64_t sum = 0;
  for_each_entry(m, [&](std::uint64_t row, std::uint64_t column) { sum += hash({row, column}); });
  return sum;
}

extern template class sparse_matrix<cyclic_distribution>;
extern template class sparse_matrix<block_distribution>;

} // namespace windrow::apps
