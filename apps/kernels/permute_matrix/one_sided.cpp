// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "apps/kernels/permute_matrix/permute_matrix.hpp"

namespace windrow::apps {

sparse_matrix<> permuted_one_sided(job& j, const sparse_matrix<>& m, const permutation& row_to,
                                   const permutation& column_to, windrow::style style) {
  context ctx(j, style);
  owned_array<std::uint64_t, cyclic_distribution> sizes(j, m.rows());
  std::vector<std::uint64_t> columns(m.local_entries());
  for (std::uint64_t k = 0, at = 0; k < m.local_rows(); ++k) {
    ctx.put(sizes[row_to.local()[k]], m.local_row(k).size());
    for (const auto column : m.local_row(k)) ctx.get(column_to[column], &columns[at++]);
  }
  ctx.barrier();

  sparse_matrix<> result(j, m.rows(), m.columns(), sizes.local());
  std::vector<sparse_matrix<>::extent> places(m.local_rows());
  for (std::uint64_t k = 0; k < m.local_rows(); ++k) ctx.get(result.extent_of(row_to.local()[k]), &places[k]);
  ctx.complete_own();
  auto rest = std::span<const std::uint64_t>(columns);
  for (std::uint64_t k = 0; k < m.local_rows(); ++k) {
    ctx.put(result.row(row_to.local()[k], places[k]), rest.first(places[k].size));
    rest = rest.subspan(places[k].size);
  }
  ctx.barrier();
  return result;
}

} // namespace windrow::apps
