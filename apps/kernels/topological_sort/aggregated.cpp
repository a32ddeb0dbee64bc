// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

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

std::uint64_t total_size(const std::vector<sparse_matrix<>::extent>& extents) {
  std::uint64_t size = 0;
  for (const auto& at : extents) size += at.size;
  return size;
}

} // namespace

// As blocking, with many of the ready rows at a time. Reads have a completion of their own while nothing else
// is under way, so that where they are plain loads a round waits for one answer only: to its atomic
// operations. What the answer about positions is good for goes with the operations of the next round.
void topological_sort::run_aggregated() {
  context ctx(job_, aggregate);
  std::vector<last_entry> batch;
  std::vector<sparse_matrix<>::extent> extents;
  std::vector<removal> removals;
  std::vector<std::uint64_t> rows;
  std::vector<last_entry> placed; // in the round before, from position `end` - 1 down
  std::uint64_t end = 0;
  const auto store_positions = [&] {
    for (std::size_t k = 0; k < placed.size(); ++k) {
      ctx.put(row_position_[placed[k].row], end - 1 - k);
      ctx.put(column_position_[placed[k].column], end - 1 - k);
    }
  };
  auto ready = ready_rows();
  job_.barrier();
  while (!ready.empty()) {
    const auto rest = ready.size() - std::min(ready.size(), columns_at_a_time);
    batch.assign(ready.begin() + static_cast<std::ptrdiff_t>(rest), ready.end());
    ready.resize(rest);
    extents.resize(batch.size());
    for (std::size_t k = 0; k < batch.size(); ++k) ctx.get(columns_.extent_of(batch[k].column), &extents[k]);
    ctx.complete_own();
    rows.resize(total_size(extents));
    auto into = std::span(rows);
    for (std::size_t k = 0; k < batch.size(); ++k) {
      ctx.get(columns_.row(batch[k].column, extents[k]), into.first(extents[k].size));
      into = into.subspan(extents[k].size);
    }
    ctx.complete_own();

    store_positions();
    std::uint64_t before;
    ctx.fetch_add(placed_[0], batch.size(), &before);
    removals.clear();
    const auto* row = rows.data();
    for (std::size_t k = 0; k < batch.size(); ++k) {
      for (std::uint64_t n = 0; n < extents[k].size; ++n) removals.push_back({*row++, batch[k].column, 0});
    }
    for (auto& r : removals) ctx.fetch_add(left_[r.row], -of_entry(r.column), &r.before);
    ctx.complete_own();

    end = matrix_.rows() - before;
    placed.swap(batch);
    for (const auto& r : removals) {
      const auto left = r.before - of_entry(r.column);
      if (has_one_entry(left)) ready.push_back({r.row, column_of(left)});
    }
  }
  store_positions();
  ctx.barrier();
}

} // namespace windrow::apps
