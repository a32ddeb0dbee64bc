// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/permute_matrix/permute_matrix.hpp"

#include "apps/kernels/random_permutation/random_permutation.hpp"
#include "apps/matrix/build.hpp"

namespace windrow::apps {

const kernel_entry permute_matrix_entry{
    .name = "permute_matrix",
    .about =
        "gives the rows and columns of a matrix new numbers: one remote read and one write for each entry",
    .styles = all_styles,
    .make = make_kernel<permute_matrix>,
    .sequential = sequential_permute_matrix,
};

permute_matrix::permute_matrix(job& j, const workload& w)
    : job_(j),
      matrix_(matrix_of(j, w.graph)),
      row_to_(random_permutation(j, w.graph.vertices, w.seed)),
      column_to_(random_permutation(j, w.graph.vertices, w.seed + 1)) {}

sparse_matrix<> permuted(job& j, const sparse_matrix<>& m, const permutation& row_to,
                         const permutation& column_to, kernel_style s) {
  switch (s) {
    case kernel_style::blocking:
      return permuted_one_sided(j, m, row_to, column_to, blocking);
    case kernel_style::aggregated:
      return permuted_one_sided(j, m, row_to, column_to, aggregate);
    case kernel_style::mailbox:
      break;
    case kernel_style::deferred:
      return permuted_deferred(j, m, row_to, column_to);
    case kernel_style::annotated:
      return permuted_annotated(j, m, row_to, column_to);
  }
  return permuted_mailbox(j, m, row_to, column_to);
}

} // namespace windrow::apps
