// SPDX-License-Identifier: BSD-3-Clause
// The tetrahedra of one leaf of the octree. Those that are too large are bisected, and those that have an
// edge which somebody else has bisected, so that no vertex hangs. Where an edge lies on the surface of the
// leaf, its neighbours hear of it. The coarsest conforming mesh that is fine enough is the only one that
// comes of it, in whatever order parts and messages have their turn.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "apps/tetrahedra/domain.hpp"

namespace windrow::apps::tetrahedra {

class part {
 public:
  using teller = std::function<void(std::uint64_t neighbour, const edge&)>;

  part() = default;
  part(const sizes& s, std::uint64_t leaf) : sizes_(s), leaf_(leaf) {}

  /// Forgets the mesh of the step before, and refines where the new one must be fine. `tell(neighbour, edge)`
  /// is called for each edge on the surface that was bisected; the neighbour is to be told by `split`.
  void begin(std::uint64_t step, const octree&, const teller& tell);
  /// A neighbour has bisected this edge. Neighbours' edges may come in any order.
  void split(const edge&, const octree&, const teller& tell);
  const std::vector<tetrahedron>& tetrahedra() const { return all_; }

  template <class Archive>
  void save(Archive& a) const {
    a(sizes_, leaf_, step_, all_, split_);
  }
  template <class Archive>
  void load(Archive& a) {
    a(sizes_, leaf_, step_, all_, split_);
    users_.clear();
    for (std::uint32_t t = 0; t < all_.size(); ++t) join(t);
  }

 private:
  void join(std::uint32_t t);
  void leave(std::uint32_t t);
  void close(const octree&, const teller& tell);
  void bisect(std::uint32_t t, const octree&, const teller& tell);
  bool must_go(const tetrahedron&, const octree&) const;
  void check_users(const edge&);

  sizes sizes_{};
  std::uint64_t leaf_ = 0, step_ = 0;
  std::vector<tetrahedron> all_;
  std::unordered_set<edge, edge_hash> split_; ///< here or by neighbours
  std::unordered_map<edge, std::vector<std::uint32_t>, edge_hash>
      users_;                            ///< the tetrahedra that have an edge
  std::vector<std::uint32_t> unchecked_; ///< while `close` is at work
};

} // namespace windrow::apps::tetrahedra
