// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/topological_sort/topological_sort.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

namespace {

/// Column `column` is taken out of row `row`.
struct removal {
  std::uint64_t row;
  std::uint64_t column;
  std::uint64_t before; ///< what was left of the row until then
};

} // namespace

// As blocking, with all rows that are ready at a time.
void topological_sort::run_aggregated() {
  context ctx(job_, aggregate);
  std::vector<sparse_matrix<>::extent> extents;
  std::vector<removal> removals;
  std::vector<std::uint64_t> rows;
  auto ready = ready_rows();
  job_.barrier();
  while (!ready.empty()) {
    std::uint64_t placed;
    ctx.fetch_add(placed_[0], ready.size(), &placed);
    extents.resize(ready.size());
    for (std::size_t k = 0; k < ready.size(); ++k) ctx.get(columns_.extent_of(ready[k].column), &extents[k]);
    ctx.quiet_own();

    removals.clear();
    for (std::size_t k = 0; k < ready.size(); ++k) {
      const auto position = matrix_.rows() - 1 - placed - k;
      ctx.put(row_position_[ready[k].row], position);
      ctx.put(column_position_[ready[k].column], position);
      rows.resize(extents[k].size);
      ctx.get(columns_.row(ready[k].column, extents[k]), std::span(rows));
      for (const auto row : rows) removals.push_back({row, ready[k].column, 0});
    }
    for (auto& r : removals) ctx.fetch_add(left_[r.row], -of_entry(r.column), &r.before);
    ctx.quiet_own();

    ready.clear();
    for (const auto& r : removals) {
      const auto left = r.before - of_entry(r.column);
      if (has_one_entry(left)) ready.push_back({r.row, column_of(left)});
    }
  }
  ctx.quiet();
}

} // namespace windrow::apps
