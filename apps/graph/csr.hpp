// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "apps/graph/edge_list.hpp"

namespace windrow::graph {

/// A graph in compressed sparse rows: the targets of each vertex's edges, side by side and ascending.
class csr {
 public:
  explicit csr(const edge_list&);

  vertex vertices() const { return first_.size() - 1; }
  std::uint64_t edges() const { return targets_.size(); }
  std::span<const vertex> row(vertex v) const {
    return std::span(targets_).subspan(first_[v], first_[v + 1] - first_[v]);
  }

 private:
  std::vector<std::uint64_t> first_; ///< where row v begins; one more than vertices
  std::vector<vertex> targets_;
};

} // namespace windrow::graph
