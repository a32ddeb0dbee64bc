// SPDX-License-Identifier: BSD-3-Clause
// A place is known where it is counted, and so is what goes there: the row travels with the increment.
#include <utility>

#include "apps/kernels/transpose_matrix/transpose_matrix.hpp"
#include "windrow/deferred.hpp"

namespace windrow::apps {

sparse_matrix<> transposed_deferred(job& j, const sparse_matrix<>& m) {
  context ctx(j, aggregate);
  auto [result, next] = make_room(j, m, ctx);
  const symmetric entries(result.place(j.pe(), 0));
  for_each_entry(m, [&](std::uint64_t row, std::uint64_t column) {
    ctx.fetch_inc(next[column]).then_at_owner([entries, row](std::uint64_t place, const owner& here) {
      here.local(entries)[place] = row;
    });
  });
  ctx.barrier();
  return std::move(result);
}

} // namespace windrow::apps
