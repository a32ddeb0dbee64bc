// SPDX-License-Identifier: BSD-3-Clause
// Transpose matrix: columns become rows.
#pragma once

#include "apps/kernels/kernel.hpp"
#include "apps/kernels/support.hpp"
#include "apps/matrix/sparse_matrix.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

/// The matrix that has entry (j, i) for each entry (i, j) of `m`. The order in its rows is any. Collective.
sparse_matrix<> transposed(job&, const sparse_matrix<>& m, kernel_style = kernel_style::mailbox);

// `transposed` in each style.
sparse_matrix<> transposed_blocking(job&, const sparse_matrix<>&);
sparse_matrix<> transposed_aggregated(job&, const sparse_matrix<>&);
sparse_matrix<> transposed_mailbox(job&, const sparse_matrix<>&);
sparse_matrix<> transposed_deferred(job&, const sparse_matrix<>&);
sparse_matrix<> transposed_annotated(job&, const sparse_matrix<>&);

/// The transpose without its entries, and the first free place of each of its rows.
struct empty_transpose {
  sparse_matrix<> rows;
  owned_array<std::uint64_t, cyclic_distribution> next;
};
/// Where one-sided styles begin: counts the entries of each column by increments of `ctx`. Collective.
empty_transpose make_room(job&, const sparse_matrix<>& m, context& ctx);

class transpose_matrix final : public kernel {
 public:
  transpose_matrix(job&, const workload&);
  void reset() override { result_ = {}; }
  void run(kernel_style s) override { result_ = transposed(job_, matrix_, s); }
  std::uint64_t checksum() override { return apps::checksum(result_); }
  std::uint64_t operations() const override { return matrix_.local_entries(); }

 private:
  job& job_;
  sparse_matrix<> matrix_;
  sparse_matrix<> result_;
};

sequential_answer sequential_transpose_matrix(const workload&);

extern const kernel_entry transpose_matrix_entry;

} // namespace windrow::apps
