// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/deferred.hpp"
#include "apps/kernels/topological_sort/topological_sort.hpp"

namespace windrow::apps {

void topological_sort::run_deferred() {
  place_all([this](context& ctx, last_entry e, std::vector<last_entry>& ready) { place(ctx, e, ready); });
}

// The column is not taken out before the row has its position: who gets ready by that comes before it.
void topological_sort::place(context& ctx, last_entry e, std::vector<last_entry>& ready) {
  ctx.fetch_inc(placed_[0]).then([this, &ctx, &ready, e](std::uint64_t placed) {
    ctx.put(row_position_[e.row], matrix_.rows() - 1 - placed);
    ctx.put(column_position_[e.column], matrix_.rows() - 1 - placed);
    take_out(ctx, e.column, ready);
  });
}

void topological_sort::take_out(context& ctx, std::uint64_t column, std::vector<last_entry>& ready) {
  const auto remove = [this, &ctx, &ready, column](std::uint64_t row) {
    ctx.fetch_add(left_[row], -of_entry(column)).then([&ready, row, column](row_state before) {
      const auto left = before - of_entry(column);
      if (has_one_entry(left)) ready.push_back({row, column_of(left)});
    });
  };
  ctx.get(columns_.extent_of(column)).then([this, &ctx, column, remove](sparse_matrix<>::extent at) {
    auto entry = columns_.row(column, at);
    for (std::uint32_t n = 0; n < at.size; ++n, entry += 1) ctx.get(*entry).then(remove);
  });
}

} // namespace windrow::apps
