// SPDX-License-Identifier: BSD-3-Clause
// Permute matrix: rows and columns get new numbers.
#pragma once

#include "apps/kernels/kernel.hpp"
#include "apps/kernels/support.hpp"
#include "apps/matrix/sparse_matrix.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

/// Where each row or column goes.
using permutation = array<std::uint64_t, cyclic_distribution>;

/// The matrix that has entry (row_to[i], column_to[j]) for each entry (i, j) of `m`. The order in its rows is
/// any. Collective.
sparse_matrix<> permuted(job&, const sparse_matrix<>& m, const permutation& row_to,
                         const permutation& column_to, kernel_style = kernel_style::mailbox);

// `permuted` in each style.
sparse_matrix<> permuted_one_sided(job&, const sparse_matrix<>&, const permutation& row_to,
                                   const permutation& column_to, windrow::style);
sparse_matrix<> permuted_mailbox(job&, const sparse_matrix<>&, const permutation& row_to,
                                 const permutation& column_to);
sparse_matrix<> permuted_deferred(job&, const sparse_matrix<>&, const permutation& row_to,
                                  const permutation& column_to);
sparse_matrix<> permuted_annotated(job&, const sparse_matrix<>&, const permutation& row_to,
                                   const permutation& column_to);

class permute_matrix final : public kernel {
 public:
  permute_matrix(job&, const workload&);
  void reset() override { result_ = {}; }
  void run(kernel_style s) override { result_ = permuted(job_, matrix_, row_to_, column_to_, s); }
  std::uint64_t checksum() override { return apps::checksum(result_); }
  std::uint64_t operations() const override { return matrix_.local_entries(); }

 private:
  job& job_;
  sparse_matrix<> matrix_;
  owned_array<std::uint64_t, cyclic_distribution> row_to_, column_to_;
  sparse_matrix<> result_;
};

sequential_answer sequential_permute_matrix(const workload&);

extern const kernel_entry permute_matrix_entry;

} // namespace windrow::apps
