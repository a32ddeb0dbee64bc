// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "apps/kernels/permute_matrix/permute_matrix.hpp"
#include "windrow/deferred.hpp"

namespace windrow::apps {

sparse_matrix<> permuted_deferred(job& j, const sparse_matrix<>& m, const permutation& row_to,
                                  const permutation& column_to) {
  context ctx(j, aggregate);
  owned_array<std::uint64_t, cyclic_distribution> sizes(j, m.rows());
  for (std::uint64_t k = 0; k < m.local_rows(); ++k) ctx.put(sizes[row_to.local()[k]], m.local_row(k).size());
  ctx.barrier();

  sparse_matrix<> result(j, m.rows(), m.columns(), sizes.local());
  std::vector<sparse_matrix<>::extent> places(m.local_rows());
  for (std::uint64_t k = 0; k < m.local_rows(); ++k) ctx.get(result.extent_of(row_to.local()[k]), &places[k]);
  ctx.complete_own();
  for (std::uint64_t k = 0; k < m.local_rows(); ++k) {
    auto place = result.row(row_to.local()[k], places[k]);
    for (const auto column : m.local_row(k)) {
      ctx.get(column_to[column]).then([&ctx, place](std::uint64_t new_column) {
        ctx.put(*place, new_column);
      });
      place += 1;
    }
  }
  ctx.barrier();
  return result;
}

} // namespace windrow::apps
