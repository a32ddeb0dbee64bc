// SPDX-License-Identifier: BSD-3-Clause
// A leaf of the domain with its part of the mesh.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "apps/delaunay/mesh.hpp"

namespace windrow::apps::delaunay {

class leaf {
 public:
  leaf() = default;
  leaf(const domain& d, std::uint64_t index) : leaf(d, index, -1, d.first_mesh(index)) {}
  /// Of triangles that another copy of it had.
  leaf(const domain& d, std::uint64_t index, std::int32_t level, std::span<const triangle> all)
      : domain_(d), index_(index), level_(level) {
    for (const auto& t : all) add(t);
  }

  const domain& of() const { return domain_; }
  std::uint64_t index() const { return index_; }
  std::int32_t level() const { return level_; }
  /// Wants a finer mesh from now on.
  void begin_level(std::int32_t level);
  bool has_work() const { return !bad_.empty(); }
  /// In order.
  std::vector<triangle> triangles() const;
  /// The largest one first.
  std::vector<triangle> bad_triangles() const;
  const triangle& worst() const { return bad_.begin()->second; }
  /// The triangle that has an edge, if it is here.
  std::optional<triangle> find(const edge&) const;

  void add(const triangle&);
  void remove(const triangle&);

  // The same in steps, for several threads: each edge is in one of the parts, which different threads may
  // change at a time, and read.
  static constexpr std::size_t parts = 64;
  static std::size_t part_of(const edge& e) { return edge_hash()(e) % parts; }
  void insert(const edge& e, point apex) { apexes_[part_of(e)].emplace(e, apex); }
  void erase(const edge& e) { apexes_[part_of(e)].erase(e); }
  /// Whether it is bad, and then work.
  bool judge(const triangle&);
  void forget(const triangle& t) { bad_.erase({radius_squared(t), t}); }

  template <class Archive>
  void save(Archive& a) const {
    a(domain_, index_, level_, triangles());
  }
  template <class Archive>
  void load(Archive& a) {
    std::vector<triangle> all;
    a(domain_, index_, level_, all);
    *this = leaf(domain_, index_, level_, all);
  }

 private:
  domain domain_{};
  std::uint64_t index_ = 0;
  std::int32_t level_ = -1;                                              ///< -1: no triangle is bad
  std::array<std::unordered_map<edge, point, edge_hash>, parts> apexes_; ///< opposite to edges of triangles
  std::set<std::pair<double, triangle>, std::greater<>> bad_;            ///< with the squares of their radii
};

} // namespace windrow::apps::delaunay
