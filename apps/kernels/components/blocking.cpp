// SPDX-License-Identifier: BSD-3-Clause
// Without rounds: every PE joins the trees of its edges, one after the other, while others do the same
// (Anderson and Woll, "Wait-free parallel algorithms for the union-find problem", STOC 1991).
#include <algorithm>

#include "apps/kernels/components/components.hpp"
#include "windrow/one_sided.hpp"

namespace windrow::apps {

graph::vertex components::root(graph::vertex v) {
  for (;;) {
    const auto parent = atomic_fetch(job_, parent_[v]);
    if (parent == v) return v;
    const auto grandparent = atomic_fetch(job_, parent_[parent]);
    if (grandparent == parent) return parent;
    compare_swap(job_, parent_[v], parent, grandparent); // shorter for who comes after
    v = grandparent;
  }
}

void components::join(graph::vertex u, graph::vertex v) {
  for (;;) {
    const auto [low, high] = std::minmax({root(u), root(v)});
    if (low == high || compare_swap(job_, parent_[high], high, low) == high) return;
    u = low; // somebody else has hooked `high` meanwhile
    v = high;
  }
}

void components::run_blocking() {
  for (std::uint64_t k = 0; k < smaller_.size(); ++k) {
    for (const auto v : smaller_[k]) join(own_.vertex(k), v);
  }
  job_.barrier();
  for (std::uint64_t k = 0; k < own_.count(); ++k)
    atomic_set(job_, parent_[own_.vertex(k)], root(own_.vertex(k)));
  job_.barrier();
}

} // namespace windrow::apps
