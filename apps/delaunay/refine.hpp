// SPDX-License-Identifier: BSD-3-Clause
// The refinement of one leaf. It changes that and its neighbours, and no others: circumcircles are smaller
// than leaves, so a triangle that has a point of this leaf in its circumcircle has its circumcentre here or
// in a neighbour.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "apps/delaunay/leaf.hpp"

namespace windrow::apps::delaunay {

/// A leaf and its neighbours.
class leaves_together {
 public:
  explicit leaves_together(std::vector<leaf*> first_and_neighbours) : all_(std::move(first_and_neighbours)) {}

  leaf& first() const { return *all_.front(); }
  /// The one that a triangle belongs to.
  leaf& of(const triangle& t) const {
    return **std::ranges::find(all_, first().of().leaf_of(t), &leaf::index);
  }
  /// The triangle that has an edge. One that is in none of the leaves has no point of the first one in its
  /// circumcircle.
  std::optional<triangle> find(const edge& e) const {
    for (const auto* l : all_)
      if (const auto found = l->find(e)) return found;
    return {};
  }

 private:
  std::vector<leaf*> all_;
};

/// Refines the first leaf until no triangle of it is bad. Its neighbours may have bad ones then. The largest
/// ones have their turns first.
void refine(const leaves_together&);

/// The same by all workers of the PE, as in PODM (Nave, Chrisochoides and Chew, "Guaranteed-quality parallel
/// Delaunay refinement for restricted polyhedral domains", 2004): each bad triangle is a task, which locks
/// vertices as its cavity grows. Where one is another task's, it lets go of all, and the triangle is tried
/// again later. The mesh is one of many. Returns how often that has happened.
std::uint64_t refine_optimistically(const leaves_together&);

} // namespace windrow::apps::delaunay
