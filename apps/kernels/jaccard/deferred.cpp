// SPDX-License-Identifier: BSD-3-Clause
#include <deque>

#include "apps/kernels/jaccard/jaccard.hpp"
#include "windrow/deferred.hpp"

namespace windrow::apps {

/// The row of a lower end, fetched once for all of its upper ends that are here.
struct jaccard::wanted_row {
  graph::vertex lower;
  std::vector<graph::vertex> neighbours;
  std::uint64_t missing; ///< of them
};

void jaccard::run_deferred() {
  context ctx(job_, aggregate);
  std::deque<wanted_row> rows;
  for (const auto v : all_lower_) {
    auto& row = rows.emplace_back(wanted_row{v, {}, 0});
    ctx.get(neighbours_.extent_of(v)).then([this, &ctx, &row](sparse_matrix<>::extent at) {
      fetch(ctx, row, at);
    });
  }
  ctx.barrier();
}

void jaccard::fetch(context& ctx, wanted_row& row, sparse_matrix<>::extent at) {
  row.neighbours.resize(at.size);
  row.missing = at.size;
  auto place = neighbours_.row(row.lower, at);
  for (auto& v : row.neighbours) {
    ctx.get(*place).then([this, &row, &v](graph::vertex neighbour) {
      v = neighbour;
      if (--row.missing > 0) return;
      compare_with_upper(row.lower, row.neighbours);
      row.neighbours = {};
    });
    place += 1;
  }
}

} // namespace windrow::apps
