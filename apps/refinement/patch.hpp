// SPDX-License-Identifier: BSD-3-Clause
// Adaptive refinement of a triangular mesh in the plane by newest-vertex bisection (Mitchell, "A comparison
// of adaptive refinement techniques for elliptic problems", 1989). The square domain is cut into square
// patches of two triangles each at first. Where an edge between patches is split, the neighbour splits it
// too, so that no vertex hangs. The coarsest conforming mesh that is fine enough is the only one that comes
// of it, in whatever order patches and messages have their turn: coordinates are whole numbers.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace windrow::apps::refinement {

/// Units of length in the side of a patch: as many bisections as anybody wants have whole coordinates.
inline constexpr std::int32_t patch_side = 1 << 16;

struct point {
  std::int32_t x, y;
  auto operator<=>(const point&) const = default;
};

/// In either direction the same: the lesser point first.
struct edge {
  point a, b;
  bool operator==(const edge&) const = default;
};
edge edge_between(point, point);

/// Bisected from `newest` to the middle of `base`.
struct triangle {
  point base_a, base_b, newest;
};

/// The domain, and where it is to be fine: around a spot that goes round in it, once in `period` steps.
struct domain {
  std::uint64_t side = 8;    ///< patches in a row, and rows
  double finest = 1.0 / 200; ///< size of the triangles at the spot, of which the domain has the length 1
  double growth = 0.15;      ///< how much larger they are with each unit of distance from it
  std::uint64_t period = 24; ///< steps

  std::uint64_t patches() const { return side * side; }
  /// Whether the triangle is too large at that step.
  bool is_too_large(const triangle&, std::uint64_t step) const;
};

struct edge_hash {
  std::size_t operator()(const edge&) const;
};

/// One patch of the mesh, of one step. `Tell` is called as `tell(neighbour, edge)` for each edge that this
/// patch has in common with another one and has split; that one is to be told by `split`.
class patch {
 public:
  using teller = std::function<void(std::uint64_t neighbour, const edge&)>;

  patch() = default;
  patch(const domain& d, std::uint64_t index) : domain_(d), index_(index) {}

  /// Forgets the mesh of the step before, and refines where the new one must be fine.
  void begin(std::uint64_t step, const teller& tell);
  /// A neighbour has split this edge. Neighbours' edges may come in any order.
  void split(const edge&, const teller& tell);
  const std::vector<triangle>& triangles() const { return triangles_; }

  template <class Archive>
  void save(Archive& a) const {
    a(domain_.side, domain_.finest, domain_.growth, domain_.period, index_, step_, triangles_, told_);
  }
  template <class Archive>
  void load(Archive& a) {
    a(domain_.side, domain_.finest, domain_.growth, domain_.period, index_, step_, triangles_, told_);
    find_edges();
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  /// The triangles on both sides of an edge.
  struct sides {
    std::uint32_t one = none, other = none;
  };

  void find_edges();
  void join(std::uint32_t t);
  void leave(std::uint32_t t);
  void close();
  void bisect(std::uint32_t t);
  void tell_neighbour(const edge&) const;
  point corner() const;

  domain domain_;
  std::uint64_t index_ = 0, step_ = 0;
  std::vector<triangle> triangles_;
  std::unordered_set<edge, edge_hash> told_;         ///< by neighbours; those in larger edges must wait
  std::unordered_map<edge, sides, edge_hash> edges_; ///< of the triangles
  // While `begin` or `split` are at work.
  std::vector<edge> hanging_;            ///< edges that are split on one side at least
  std::vector<std::uint32_t> unchecked_; ///< triangles that may be too large
  const teller* tell_ = nullptr;
};

/// To be added up over all triangles, in any order.
std::uint64_t checksum(const std::vector<triangle>&);

/// One mesh of the whole domain that knows no patches: what the others are compared with.
std::vector<triangle> refine_alone(const domain&, std::uint64_t step);

} // namespace windrow::apps::refinement
