// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/jaccard/jaccard.hpp"

namespace windrow::apps {

namespace {

constexpr std::uint64_t batch_size = 1 << 16; // vertices in fetched rows held at a time, or one longer row

} // namespace

struct jaccard::edge {
  std::uint64_t upper;
  graph::vertex lower;
  sparse_matrix<>::extent row_of_lower;
};

std::vector<jaccard::edge> jaccard::edges() const {
  std::vector<edge> all;
  all.reserve(lower_.values());
  for (std::uint64_t k = 0; k < lower_.size(); ++k) {
    for (const auto v : lower_[k]) all.push_back({k, v, {}});
  }
  return all;
}

void jaccard::run_one_sided(windrow::style style) {
  context ctx(job_, style);
  auto all = edges();
  for (auto& e : all) ctx.get(neighbours_.extent_of(e.lower), &e.row_of_lower);
  ctx.complete_own();

  std::vector<graph::vertex> fetched;
  for (auto first = all.begin(), last = first; first != all.end(); first = last) {
    std::uint64_t size = 0;
    do {
      size += last->row_of_lower.size;
      ++last;
    } while (last != all.end() && size + last->row_of_lower.size <= batch_size);
    fetched.resize(size);
    auto into = std::span(fetched);
    for (auto e = first; e != last; ++e) {
      ctx.get(neighbours_.row(e->lower, e->row_of_lower), into.first(e->row_of_lower.size));
      into = into.subspan(e->row_of_lower.size);
    }
    ctx.complete_own();
    auto row = std::span<const graph::vertex>(fetched);
    for (auto e = first; e != last; ++e) {
      compare(e->upper, e->lower, row.first(e->row_of_lower.size));
      row = row.subspan(e->row_of_lower.size);
    }
  }
  ctx.barrier(); // not earlier: others may still be reading rows of this PE
}

} // namespace windrow::apps
