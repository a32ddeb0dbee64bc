// SPDX-License-Identifier: BSD-3-Clause
// The octree of Barnes and Hut ("A hierarchical O(N log N) force-calculation algorithm", Nature 1986) of the
// bodies of a box, and what of it is essential for another box (Salmon, "Parallel hierarchical N-body
// methods", 1991): plain data, which travels as it is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/gravity/bodies.hpp"

namespace windrow::apps::gravity {

/// A cube of space, or a body. Nodes stand before those that are in them: node `skip` is the next one that is
/// not in it.
struct node {
  double mass;
  vec3 centre; ///< of mass
  double size; ///< the side of the cube; 0 for a body
  std::uint64_t skip;
};
using tree = std::vector<node>;

/// The least box around some bodies.
struct bounds {
  vec3 low, high;
};
bounds bounds_of(std::span<const body>); ///< of one or more

/// The cubes have at most a few bodies, or several cubes. In the order of bodies, each of `mass`.
tree make_tree(std::span<const body>, double mass);

/// The part that bodies inside the bounds look at: cubes of which all of them see the centre of mass only
/// have nothing in them.
tree essential(std::span<const node>, const bounds& for_bodies_in, double opening);

/// Adds the acceleration of a body at `at`. A cube counts as its centre of mass if that is more than its size
/// by `opening` away; with an opening of 0, each body counts. Close bodies attract each other less.
void attract(std::span<const node>, double opening, const vec3& at, vec3& acceleration);

} // namespace windrow::apps::gravity
