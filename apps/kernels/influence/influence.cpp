// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/influence/influence.hpp"

#include <algorithm>
#include <utility>

#include "apps/kernels/support.hpp"

namespace windrow::apps {

const kernel_entry influence_entry{
    .name = "influence",
    .about =
        "follows 64 cascades from as many sources at once: a remote set of cascades for each edge that "
        "one goes along",
    .styles = styles_without_deferral,
    .make = make_kernel<influence>,
    .sequential = sequential_influence,
};

influence::influence(job& j, const workload& w)
    : job_(j),
      own_(j, w.graph.vertices),
      edges_(my_edges(w)),
      sources_(own_.count()),
      reached_(own_.count()),
      arriving_(j, w.graph.vertices) {
  for (unsigned i = 0; i < cascades && w.graph.vertices > 0; ++i) {
    const auto source = cascade_source(i, w);
    if (own_.is_mine(source)) sources_[own_.index(source)] |= cascade_set{1} << i;
  }
}

graph::rows<influence::edge> influence::my_edges(const workload& w) const {
  return {own_.count(), [&](auto take) {
            for (const auto& e : w.graph.edges) {
              if (!own_.is_mine(e.from)) continue;
              const auto along = cascades_along(e.from, e.to, w.seed);
              if (along != 0) take(own_.index(e.from), edge{e.to, along});
            }
          }};
}

void influence::reset() {
  std::ranges::fill(reached_, 0);
  std::ranges::copy(sources_, arriving_.local().begin());
  job_.barrier();
}

bool influence::next_level() {
  arrivals_.clear();
  for (std::uint64_t k = 0; k < reached_.size(); ++k) {
    const auto fresh = std::exchange(arriving_.local()[k], 0) & ~reached_[k];
    reached_[k] |= fresh;
    if (fresh != 0) arrivals_.push_back({k, fresh});
  }
  return job_.world().sum(arrivals_.size()) > 0;
}

std::uint64_t influence::checksum() {
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; k < reached_.size(); ++k) sum += (own_.vertex(k) + 1) * reached_[k];
  return sum;
}

} // namespace windrow::apps
