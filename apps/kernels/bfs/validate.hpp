// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "apps/graph/rows.hpp"
#include "apps/support/ownership.hpp"

namespace windrow::apps {

/// Checks a search tree as section 8 of the Graph500 specification asks:
///
/// 1. it is a tree, without cycles, whose root is `root`;
/// 2. each of its edges joins vertices whose levels differ by one;
/// 3. every edge of the graph joins vertices whose levels differ by at most one, or that are both outside;
/// 4. it reaches all of the root's component;
/// 5. a vertex and its parent are joined by an edge of the graph.
///
/// `parent` and `level` are of all vertices, `none` outside the tree, and `neighbours` those of the own
/// vertices: each PE checks its part. Returns the rule that is broken, where and how, or an empty text.
std::string broken_rule(const ownership& own, const graph::rows<graph::vertex>& neighbours,
                        graph::vertex root, std::span<const graph::vertex> parent,
                        std::span<const std::uint64_t> level);

} // namespace windrow::apps
