// SPDX-License-Identifier: BSD-3-Clause
#include <utility>
#include <vector>

#include "apps/kernels/transpose_matrix/transpose_matrix.hpp"

namespace windrow::apps {

sparse_matrix<> transposed_aggregated(job& j, const sparse_matrix<>& m) {
  context ctx(j, aggregate);
  auto [result, next] = make_room(j, m, ctx);
  std::vector<std::uint64_t> places(m.local_entries());
  auto* place = places.data();
  for_each_entry(m, [&](std::uint64_t, std::uint64_t column) { ctx.fetch_inc(next[column], place++); });
  ctx.complete_own();
  place = places.data();
  for_each_entry(m, [&](std::uint64_t row, std::uint64_t column) {
    ctx.put(*result.place(result.owner(column), *place++), row);
  });
  ctx.barrier();
  return std::move(result);
}

} // namespace windrow::apps
