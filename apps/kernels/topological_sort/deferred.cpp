// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/deferred.hpp"
#include "apps/kernels/topological_sort/topological_sort.hpp"
#include "apps/matrix/row_fetcher.hpp"

namespace windrow::apps {

// The owner of a row takes columns out of it, and goes on with the row when one entry is left.
void topological_sort::run_deferred() {
  context ctx(job_, aggregate);
  row_fetcher columns(ctx, columns_, [this](std::uint64_t column, std::span<const std::uint64_t> rows) {
    take_out(column, rows);
  });
  ctx_ = &ctx;
  fetcher_ = &columns;
  here_.local()[0] = this;
  const auto ready = ready_rows();
  job_.barrier();
  for (const auto& e : ready) begin(e);
  ctx.barrier();
}

void topological_sort::is_ready(const row_state& left) {
  const auto row = static_cast<std::uint64_t>(&left - left_.local().data());
  begin({matrix_.global_row(row), column_of(left)});
}

void topological_sort::begin(last_entry e) {
  if (under_way_ < columns_at_a_time)
    place(e);
  else
    waiting_.push_back(e);
}

// The column is not taken out before the row has its position: who gets ready by that comes before it.
void topological_sort::place(last_entry e) {
  ++under_way_;
  ctx_->fetch_inc(placed_[0]).then([this, e](std::uint64_t placed) {
    const auto position = matrix_.rows() - 1 - placed;
    row_position_.local()[matrix_.local_index(e.row)] = position;
    ctx_->put(column_position_[e.column], position);
    fetcher_->fetch(e.column);
  });
}

void topological_sort::take_out(std::uint64_t column, std::span<const std::uint64_t> rows) {
  const symmetric here(here_.storage());
  auto& ctx = *ctx_;
  for (const auto row : rows)
    ctx.fetch_add(left_[row], -of_entry(column))
        .then_at_owner([here](row_state, row_state& left, const owner& at) {
          if (has_one_entry(left)) (*at.local(here))->is_ready(left);
        });
  --under_way_;
  if (waiting_.empty()) return;
  const auto next = waiting_.back();
  waiting_.pop_back();
  place(next);
}

} // namespace windrow::apps
