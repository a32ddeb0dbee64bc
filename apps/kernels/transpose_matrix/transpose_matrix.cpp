// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/transpose_matrix/transpose_matrix.hpp"

#include <utility>

#include "apps/matrix/build.hpp"

namespace windrow::apps {

const kernel_entry transpose_matrix_entry{
    .name = "transpose_matrix",
    .about =
        "makes rows of the columns of a matrix: two remote counts and one write, or one message, for each "
        "entry",
    .styles = all_styles,
    .make = make_kernel<transpose_matrix>,
    .sequential = sequential_transpose_matrix,
};

transpose_matrix::transpose_matrix(job& j, const workload& w) : job_(j), matrix_(matrix_of(j, w.graph)) {}

empty_transpose make_room(job& j, const sparse_matrix<>& m, context& ctx) {
  owned_array<std::uint64_t, cyclic_distribution> sizes(j, m.columns());
  for_each_entry(m, [&](std::uint64_t, std::uint64_t column) { ctx.inc(sizes[column]); });
  ctx.barrier();

  empty_transpose result{{j, m.columns(), m.rows(), sizes.local()}, std::move(sizes)};
  for (std::uint64_t k = 0; k < result.rows.local_rows(); ++k)
    result.next.local()[k] = result.rows.local_extent(k).first;
  j.barrier();
  return result;
}

sparse_matrix<> transposed(job& j, const sparse_matrix<>& m, kernel_style s) {
  switch (s) {
    case kernel_style::blocking:
      return transposed_blocking(j, m);
    case kernel_style::aggregated:
      return transposed_aggregated(j, m);
    case kernel_style::mailbox:
      break;
    case kernel_style::deferred:
      return transposed_deferred(j, m);
    case kernel_style::annotated:
      return transposed_annotated(j, m);
  }
  return transposed_mailbox(j, m);
}

} // namespace windrow::apps
