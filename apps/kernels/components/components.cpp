// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/components/components.hpp"

#include "apps/graph/edge_list.hpp"

namespace windrow::apps {

const kernel_entry components_entry{
    .name = "components",
    .about =
        "finds connected components by hooking and pointer jumping: at least one remote look for each "
        "edge",
    .styles = cpp_styles,
    .make = make_kernel<components>,
    .sequential = sequential_components,
};

namespace {

graph::rows<graph::vertex> smaller_neighbours(const ownership& own, const graph::edge_list& simple) {
  return {own.count(), [&](auto take) {
            for (const auto& e : simple.edges) {
              if (own.is_mine(e.to)) take(own.index(e.to), e.from);
            }
          }};
}

} // namespace

components::components(job& j, const workload& w)
    : job_(j),
      own_(j, w.graph.vertices),
      smaller_(smaller_neighbours(own_, graph::simple_undirected(w.graph))),
      parent_(j, w.graph.vertices) {}

void components::run(kernel_style style) {
  begin();
  in_style(style);
}

void components::begin() {
  for (std::uint64_t k = 0; k < own_.count(); ++k)
    parent_.local()[k] = smaller_[k].empty() ? own_.vertex(k) : smaller_[k].front();
  job_.barrier();
}

std::uint64_t components::checksum() {
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; k < own_.count(); ++k) sum += (own_.vertex(k) + 1) * (parent_.local()[k] + 1);
  return sum;
}

} // namespace windrow::apps
