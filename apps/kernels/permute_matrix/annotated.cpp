// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/annotated.hpp"
#include "apps/kernels/permute_matrix/permute_matrix.hpp"

namespace windrow::apps {

sparse_matrix<> permuted_annotated(job& j, const sparse_matrix<>& m, const permutation& row_to,
                                   const permutation& column_to) {
  context sizing(j, aggregate);
  owned_array<std::uint64_t, cyclic_distribution> sizes(j, m.rows());
  for (std::uint64_t k = 0; k < m.local_rows(); ++k)
    sizing.put(sizes[row_to.local()[k]], m.local_row(k).size());
  sizing.barrier();

  sparse_matrix<> result(j, m.rows(), m.columns(), sizes.local());
  const rows_in_c from(j, m);
  const annotated_context ctx;
  permute_loop(ctx, from, row_to.local().data(), column_to.local().data(), extents_in_c(result),
               entries_in_c(j, result));
  j.barrier();
  return result;
}

} // namespace windrow::apps
