// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "apps/kernels/annotated.hpp"
#include "apps/kernels/transpose_matrix/transpose_matrix.hpp"

namespace windrow::apps {

sparse_matrix<> transposed_annotated(job& j, const sparse_matrix<>& m) {
  context sizing(j, aggregate);
  auto [result, next] = make_room(j, m, sizing);
  const rows_in_c from(j, m);
  const annotated_context ctx;
  transpose_loop(ctx, from, next.local().data(), entries_in_c(j, result));
  j.barrier();
  return std::move(result);
}

} // namespace windrow::apps
