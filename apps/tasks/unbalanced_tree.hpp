// SPDX-License-Identifier: BSD-3-Clause
// The geometric trees of the Unbalanced Tree Search benchmark (Olivier et al., "UTS: An Unbalanced Tree
// Search Benchmark", LCPC 2006): the children of a node follow from its hash alone.
#pragma once

#include <array>
#include <cstdint>

namespace windrow::apps::tasking {

struct tree_node {
  std::array<std::uint8_t, 20> state;
  std::int32_t depth;
};

struct tree_shape {
  double branching;   ///< children of a node on average, up to the depth
  std::int32_t depth; ///< nodes there have no children
  std::uint32_t seed;
};

tree_node root_of(const tree_shape&);
int children_of(const tree_shape&, const tree_node&);
tree_node child_of(const tree_node&, std::uint32_t number);

/// All nodes of the tree.
std::uint64_t nodes_below(const tree_shape&, const tree_node&);

} // namespace windrow::apps::tasking
