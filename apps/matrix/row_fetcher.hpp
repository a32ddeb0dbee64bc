// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "apps/matrix/sparse_matrix.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

/// Fetches rows of a matrix on an aggregated context. However many are asked for, a limited number of entries
/// is under way at a time, since those that wait for their continuation take memory. Lives until the context
/// is complete.
class row_fetcher {
 public:
  /// Called in continuations. May fetch more.
  using row_user = std::function<void(std::uint64_t row, std::span<const std::uint64_t> columns)>;

  row_fetcher(context& ctx, const sparse_matrix<>& m, row_user use)
      : ctx_(ctx), matrix_(m), use_(std::move(use)) {}
  row_fetcher(const row_fetcher&) = delete;
  row_fetcher& operator=(const row_fetcher&) = delete;

  /// The user gets the row, in no order with others.
  void fetch(std::uint64_t row);

 private:
  static constexpr std::uint64_t most_entries = 1 << 15; ///< or one row that is longer

  /// A row that is not fetched yet.
  struct known_row {
    std::uint64_t row;
    sparse_matrix<>::extent at;
  };

  void fetch_known();

  context& ctx_;
  const sparse_matrix<>& matrix_;
  row_user use_;
  std::vector<known_row> known_;
  std::uint64_t under_way_ = 0; ///< entries
};

} // namespace windrow::apps
