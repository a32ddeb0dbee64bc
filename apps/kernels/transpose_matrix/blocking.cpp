// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "apps/kernels/transpose_matrix/transpose_matrix.hpp"

namespace windrow::apps {

sparse_matrix<> transposed_blocking(job& j, const sparse_matrix<>& m) {
  context ctx(j, blocking);
  auto [result, next] = make_room(j, m, ctx);
  for_each_entry(m, [&](std::uint64_t row, std::uint64_t column) {
    std::uint64_t place;
    ctx.fetch_inc(next[column], &place);
    ctx.put(*result.place(result.owner(column), place), row);
  });
  ctx.barrier();
  return std::move(result);
}

} // namespace windrow::apps
