// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/topological_sort/topological_sort.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

// Who takes out the last column but one of a row goes on with that row, whoever owns it.
void topological_sort::run_blocking() {
  context ctx(job_, blocking);
  std::vector<std::uint64_t> rows;
  auto ready = ready_rows();
  job_.barrier();
  while (!ready.empty()) {
    const auto [row, column] = ready.back();
    ready.pop_back();
    std::uint64_t placed;
    ctx.fetch_inc(placed_[0], &placed);
    ctx.put(row_position_[row], matrix_.rows() - 1 - placed);
    ctx.put(column_position_[column], matrix_.rows() - 1 - placed);

    sparse_matrix<>::extent at;
    ctx.get(columns_.extent_of(column), &at);
    rows.resize(at.size);
    ctx.get(columns_.row(column, at), std::span(rows));
    for (const auto r : rows) {
      row_state before;
      ctx.fetch_add(left_[r], -of_entry(column), &before);
      const auto left = before - of_entry(column);
      if (has_one_entry(left)) ready.push_back({r, column_of(left)});
    }
  }
  ctx.barrier();
}

} // namespace windrow::apps
