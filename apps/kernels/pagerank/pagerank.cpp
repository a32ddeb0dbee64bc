// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/pagerank/pagerank.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "apps/kernels/support.hpp"

namespace windrow::apps {

const kernel_entry pagerank_entry{
    .name = "pagerank",
    .about = "ranks the vertices by PageRank: a remote addition for each edge and iteration",
    .styles = styles_without_deferral,
    .make = make_kernel<pagerank>,
    .sequential = sequential_pagerank,
};

pagerank::pagerank(job& j, const workload& w)
    : job_(j),
      own_(j, w.graph.vertices),
      arithmetic_(w.graph.vertices),
      targets_(my_targets(own_, w.graph)),
      rank_(own_.count()),
      arrived_(j, w.graph.vertices) {}

void pagerank::reset() {
  iterations_ = 0;
  std::ranges::fill(rank_, arithmetic_.shares);
  std::ranges::fill(arrived_.local(), 0);
  job_.barrier();
}

bool pagerank::next_ranks() {
  std::uint64_t dangling = 0, change = 0;
  for (std::uint64_t k = 0; k < rank_.size(); ++k) dangling += targets_[k].empty() ? rank_[k] : 0;
  dangling = job_.world().sum(dangling);
  for (std::uint64_t k = 0; k < rank_.size(); ++k) {
    const auto rank = arithmetic_.next(std::exchange(arrived_.local()[k], 0), dangling);
    change += std::max(rank, rank_[k]) - std::min(rank, rank_[k]);
    rank_[k] = rank;
  }
  change = job_.world().sum(change);
  return ++iterations_ < rank_arithmetic::most_iterations && !arithmetic_.is_settled(change);
}

std::uint64_t pagerank::checksum() {
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; k < rank_.size(); ++k) sum += (own_.vertex(k) + 1) * rank_[k];
  return sum;
}

} // namespace windrow::apps
