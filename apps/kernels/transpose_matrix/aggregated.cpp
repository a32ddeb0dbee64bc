// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "apps/kernels/transpose_matrix/transpose_matrix.hpp"

namespace windrow::apps {

sparse_matrix<> transposed_aggregated(job& j, const sparse_matrix<>& m) {
  context ctx(j, aggregate);
  owned_array<std::uint64_t, cyclic_distribution> sizes(j, m.columns());
  for_each_entry(m, [&](std::uint64_t, std::uint64_t column) { ctx.inc(sizes[column]); });
  ctx.quiet();

  sparse_matrix<> result(j, m.columns(), m.rows(), sizes.local());
  auto& next = sizes; // from here on the first free place of each row
  for (std::uint64_t k = 0; k < result.local_rows(); ++k) next.local()[k] = result.local_extent(k).first;
  j.barrier();
  std::vector<std::uint64_t> places(m.local_entries());
  auto* place = places.data();
  for_each_entry(m, [&](std::uint64_t, std::uint64_t column) { ctx.fetch_inc(next[column], place++); });
  ctx.quiet_own();
  place = places.data();
  for_each_entry(m, [&](std::uint64_t row, std::uint64_t column) {
    ctx.put(*result.place(result.owner(column), *place++), row);
  });
  ctx.quiet();
  return result;
}

} // namespace windrow::apps
