// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "apps/tetrahedra/geometry.hpp"

namespace windrow::apps::tetrahedra {

/// Where the mesh is to be fine: around a spot that goes round in the cube, once in `period` steps.
struct sizes {
  std::uint64_t depth = 3;   ///< of the octree, where the spot comes by; one less elsewhere
  double finest = 0.02;      ///< edges at the spot; the cube has the side 1
  double growth = 0.35;      ///< how much longer they may be with each unit of distance from it
  std::uint64_t period = 16; ///< steps

  bool is_too_large(const tetrahedron&, std::uint64_t step) const;
};

/// The cube in cells, smaller ones where more is to be done. The same on all PEs.
class octree {
 public:
  explicit octree(const sizes&);

  /// The cells that are not divided further.
  const std::vector<cell>& leaves() const { return leaves_; }
  /// Those that have a point, inside or on their surface.
  std::vector<std::uint64_t> leaves_at(const point&) const;
  /// Whether it is a corner of a cell.
  bool is_corner(const point&) const;

 private:
  struct node {
    cell where;
    std::uint64_t first_child = 0; ///< 0: none
    std::uint64_t leaf = 0;
  };

  void divide(std::size_t which, std::uint64_t depth, const sizes&);
  template <class Visit>
  void for_leaves_at(const point&, std::size_t below, Visit visit) const;

  std::int32_t smallest_; ///< side of a cell that can be
  std::vector<node> nodes_;
  std::vector<cell> leaves_;
};

} // namespace windrow::apps::tetrahedra
