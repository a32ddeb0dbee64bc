// SPDX-License-Identifier: BSD-3-Clause
#include "apps/support/ownership.hpp"

namespace windrow::apps {

graph::rows<graph::vertex> my_targets(const ownership& own, const graph::edge_list& graph) {
  return {own.count(), [&](auto take) {
            for (const auto& e : graph.edges) {
              if (own.is_mine(e.from)) take(own.index(e.from), e.to);
            }
          }};
}

graph::rows<graph::vertex> my_neighbours(const ownership& own, const graph::edge_list& simple) {
  // Edges are sorted and go up. Backwards first: in every row the smaller neighbours come before the larger.
  return {own.count(), [&](auto take) {
            for (const auto& e : simple.edges) {
              if (own.is_mine(e.to)) take(own.index(e.to), e.from);
            }
            for (const auto& e : simple.edges) {
              if (own.is_mine(e.from)) take(own.index(e.from), e.to);
            }
          }};
}

} // namespace windrow::apps
