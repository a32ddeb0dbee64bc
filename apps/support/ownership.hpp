// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "apps/graph/edge_list.hpp"
#include "apps/graph/rows.hpp"
#include "windrow/array.hpp"
#include "windrow/job.hpp"

namespace windrow::apps {

/// Which vertices are this PE's: vertex v is on PE v % pes, as number v / pes of its own. Round robin spreads
/// hubs and their neighbours. So are the elements of a cyclic `array`.
class ownership {
 public:
  ownership(const job& j, std::uint64_t vertices) : ownership(j.pe(), j.pes(), vertices) {}
  /// As seen by PE `pe` of `pes`.
  ownership(pe_t pe, pe_t pes, std::uint64_t vertices)
      : divide_(static_cast<std::uint64_t>(pes)), pe_(static_cast<std::uint64_t>(pe)), vertices_(vertices) {}

  std::uint64_t vertices() const { return vertices_; } ///< of all PEs
  std::uint64_t pes() const { return divide_.divisor(); }
  pe_t owner(graph::vertex v) const { return static_cast<pe_t>(v - index(v) * pes()); }
  bool is_mine(graph::vertex v) const { return v - index(v) * pes() == pe_; }
  /// The number that v has on its owner.
  std::uint64_t index(graph::vertex v) const { return divide_.quotient(v); }

  /// This PE's vertices are vertex(0) … vertex(count() - 1).
  std::uint64_t count() const { return vertices_ <= pe_ ? 0 : index(vertices_ - pe_ - 1) + 1; }
  graph::vertex vertex(std::uint64_t index) const { return index * pes() + pe_; }

 private:
  detail::divider divide_;
  std::uint64_t pe_;
  std::uint64_t vertices_;
};

/// Row k: where the edges of this PE's vertex k end, in the order of the list.
graph::rows<graph::vertex> my_targets(const ownership&, const graph::edge_list&);

/// Row k: the neighbours of this PE's vertex k in a simple undirected graph, ascending.
graph::rows<graph::vertex> my_neighbours(const ownership&, const graph::edge_list& simple);

} // namespace windrow::apps
