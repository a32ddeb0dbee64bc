// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/sssp/sssp.hpp"
#include "windrow/one_sided.hpp"

namespace windrow::apps {

namespace {

/// Stores `value` if it is less than what is there. True if it was.
bool lower(job& j, global_ref<double> at, double value) {
  for (auto seen = atomic_fetch(j, at); value < seen;) {
    const auto before = compare_swap(j, at, seen, value);
    if (before == seen) return true;
    seen = before;
  }
  return false;
}

} // namespace

void sssp::run_blocking() {
  delta_stepping([&](const arcs& edges, const std::vector<settled>& from) {
    for (const auto& u : from) {
      for (const auto& [v, weight] : edges[u.index]) {
        if (lower(job_, distance_[v], u.distance + weight)) bit_or(job_, improved_.word(v), improved_.bit(v));
      }
    }
    job_.barrier();
    improved_.take([&](std::uint64_t k) { lowered(k); });
  });
}

} // namespace windrow::apps
