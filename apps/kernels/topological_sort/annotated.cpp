// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "apps/kernels/annotated.hpp"
#include "apps/kernels/topological_sort/topological_sort.hpp"

namespace windrow::apps {

void topological_sort::run_annotated() {
  static_assert(sizeof(last_entry) == sizeof(annotated_last_entry));
  std::vector<annotated_last_entry> ready, next(matrix_.rows());
  for (const auto& e : ready_rows()) ready.push_back({e.row, e.column});
  const auto count = ready.size();
  ready.resize(matrix_.rows());
  const sortable_matrix m{matrix_.rows(),
                          static_cast<std::uint64_t>(job_.pes()),
                          left_.local().data(),
                          row_position_.local().data(),
                          column_position_.local().data(),
                          job_.local(placed_.storage()),
                          extents_in_c(columns_),
                          entries_in_c(job_, columns_)};
  const annotated_context ctx;
  job_.barrier();
  sort_loop(ctx, &m, ready.data(), next.data(), count);
  job_.barrier();
}

} // namespace windrow::apps
