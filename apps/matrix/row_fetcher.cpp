// SPDX-License-Identifier: BSD-3-Clause
#include "apps/matrix/row_fetcher.hpp"

#include "windrow/deferred.hpp"

namespace windrow::apps {

void row_fetcher::fetch(std::uint64_t row) {
  ctx_.get(matrix_.extent_of(row)).then([this, row](sparse_matrix<>::extent at) {
    known_.push_back({row, at});
    fetch_known();
  });
}

void row_fetcher::fetch_known() {
  while (!known_.empty() && (under_way_ == 0 || under_way_ + known_.back().at.size <= most_entries)) {
    const auto [row, at] = known_.back();
    known_.pop_back();
    under_way_ += at.size;
    ctx_.get(matrix_.row(row, at), at.size).then([this, row = row](std::span<const std::uint64_t> columns) {
      under_way_ -= columns.size();
      use_(row, columns);
      fetch_known();
    });
  }
}

} // namespace windrow::apps
