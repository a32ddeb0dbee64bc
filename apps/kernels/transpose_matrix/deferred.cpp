// SPDX-License-Identifier: BSD-3-Clause
// A place is known where it is counted, and so is what goes there: the row travels with the increment.
#include "windrow/deferred.hpp"
#include "apps/kernels/transpose_matrix/transpose_matrix.hpp"

namespace windrow::apps {

sparse_matrix<> transposed_deferred(job& j, const sparse_matrix<>& m) {
  context ctx(j, aggregate);
  owned_array<std::uint64_t, cyclic_distribution> sizes(j, m.columns());
  for_each_entry(m, [&](std::uint64_t, std::uint64_t column) { ctx.inc(sizes[column]); });
  ctx.quiet();

  sparse_matrix<> result(j, m.columns(), m.rows(), sizes.local());
  auto& next = sizes; // from here on the first free place of each row
  for (std::uint64_t k = 0; k < result.local_rows(); ++k) next.local()[k] = result.local_extent(k).first;
  j.barrier();
  const symmetric entries(result.place(j.pe(), 0));
  for_each_entry(m, [&](std::uint64_t row, std::uint64_t column) {
    ctx.fetch_inc(next[column]).then_at_owner([entries, row](std::uint64_t place, const owner& here) {
      here.local(entries)[place] = row;
    });
  });
  ctx.quiet();
  return result;
}

} // namespace windrow::apps
