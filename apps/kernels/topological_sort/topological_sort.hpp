// SPDX-License-Identifier: BSD-3-Clause
// Topological sort: work that appears while other work is done.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "apps/kernels/kernel.hpp"
#include "apps/kernels/topological_sort/column_parts.hpp"
#include "apps/matrix/sparse_matrix.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

class row_fetcher;

/// The upper triangle of a graph's undirected adjacency matrix with a full diagonal, rows and columns
/// permuted at random. Collective.
sparse_matrix<> permuted_triangle(job&, const workload&);

/// Finds orders of the rows and columns of a square matrix in which it is upper triangular with a full
/// diagonal. From the end: a row with one entry left comes last, its column with it; taking that column out
/// of all rows may leave others with one entry. A row knows how many entries it has left, and the sum of
/// their columns, which in the end is the one column. Both are in one word, so that one atomic operation
/// changes them.
class topological_sort : public kernel {
 public:
  /// Of a matrix with at most 2^32 rows and no entry twice. Collective. Throws windrow::error on all PEs if
  /// it is not square or too large.
  topological_sort(job&, sparse_matrix<> matrix);
  topological_sort(job& j, const workload& w) : topological_sort(j, permuted_triangle(j, w)) {}
  void reset() override;
  /// Throws windrow::error on all PEs if there is no such order: the rows and columns that are left have a
  /// cycle.
  void run(kernel_style) override;
  std::uint64_t checksum() override;
  std::uint64_t operations() const override { return matrix_.local_entries(); }

  /// The place of each row and column in the order.
  const array<std::uint64_t, cyclic_distribution>& row_positions() const { return row_position_; }
  const array<std::uint64_t, cyclic_distribution>& column_positions() const { return column_position_; }

 protected:
  /// A row with one entry left, and the column of that.
  struct last_entry {
    std::uint64_t row;
    std::uint64_t column;
  };
  /// What is left of a row: 2^32 for each entry, plus the column of the entry.
  using row_state = std::uint64_t;
  static constexpr row_state of_entry(std::uint64_t column) { return (row_state{1} << 32) + column; }
  static constexpr bool has_one_entry(row_state s) { return s >> 32 == 1; }
  static constexpr std::uint64_t column_of(row_state s) { return s - (row_state{1} << 32); }

  // Values that are waited for take memory, as many as the columns have entries.
  static constexpr std::size_t columns_at_a_time = 1 << 12;

  /// One of this PE's rows, with the column of its last entry.
  struct timed_entry {
    std::uint64_t row_place; ///< among this PE's
    std::uint64_t column;
    std::uint32_t time; ///< later than that of every row whose column it had an entry in
  };
  static constexpr std::uint32_t narrow(std::uint64_t number) { return static_cast<std::uint32_t>(number); }

  /// This PE's rows that are ready from the start. To be asked for before any PE takes out a column.
  std::vector<last_entry> ready_rows() const;
  job& job_;
  sparse_matrix<> matrix_;
  sparse_matrix<> columns_; ///< the transpose: the rows that each column is in
  column_parts parts_;      ///< mailbox: the same, where the rows are
  owned_array<row_state, cyclic_distribution> left_;
  owned_array<std::uint64_t, cyclic_distribution> row_position_, column_position_;
  owned_array<std::uint64_t> placed_;  ///< one number: how many rows have a position
  owned_array<std::uint64_t> at_time_; ///< mailbox: how many rows got ready then, later how many before then

  /// Gives rows their positions: earlier ones come later. `order` has this PE's, their times not falling.
  /// Collective.
  void place_in_order(const std::vector<timed_entry>& order);

 private:
  void run_blocking() override;
  void run_aggregated() override;
  void run_mailbox() override;
  void run_deferred() override;
  void run_annotated() override;

  // deferred

  /// One of this PE's rows has one entry left.
  void is_ready(const row_state& left);
  /// Now, or when fewer are under way.
  void begin(last_entry);
  /// Gives a ready row its position and takes its column out.
  void place(last_entry);
  /// Of these rows, which are all that have it.
  void take_out(std::uint64_t column, std::span<const std::uint64_t> rows);

  owned_array<local_ptr<topological_sort>> here_; ///< each PE's own, for what runs there
  context* ctx_ = nullptr;
  row_fetcher* fetcher_ = nullptr;  ///< of columns
  std::vector<last_entry> waiting_; ///< ready rows that are not under way yet
  std::size_t under_way_ = 0;
};

sequential_answer sequential_topological_sort(const workload&);

extern const kernel_entry topological_sort_entry;

} // namespace windrow::apps
