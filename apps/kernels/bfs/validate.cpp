// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/bfs/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "apps/kernels/bfs/bfs.hpp"
#include "windrow/one_sided.hpp"

namespace windrow::apps {

namespace {

using graph::vertex;
constexpr auto none = bfs::none;

/// The tree as a whole, seen from one PE.
class search_tree {
 public:
  search_tree(vertex root, std::span<const vertex> parent, std::span<const std::uint64_t> level)
      : root_(root), parent_(parent), level_(level), leads_to_root_(parent.size()) {
    leads_to_root_[root] = parent[root] == root;
  }

  /// Follows the parents of v to the root, or to a vertex that is known to lead there. Each vertex is
  /// passed once in all calls together.
  bool leads_to_root(vertex v) {
    std::vector<vertex> way;
    while (!leads_to_root_[v]) {
      if (parent_[v] >= parent_.size() || parent_[v] == v || way.size() == parent_.size()) return false;
      way.push_back(v);
      v = parent_[v];
    }
    for (const auto passed : way) leads_to_root_[passed] = true;
    return true;
  }

  std::string check_vertex(vertex v, std::span<const vertex> neighbours) {
    if ((parent_[v] == none) != (level_[v] == none))
      return fmt::format("vertex {} has a parent or a level, but not both (rule 1)", v);
    if (parent_[v] == none) return {};
    if (!leads_to_root(v)) return fmt::format("the parents of vertex {} do not lead to the root (rule 1)", v);
    if (v == root_) return level_[v] == 0 ? "" : "the root is not on level 0 (rule 2)";
    const auto p = parent_[v];
    if (level_[p] + 1 != level_[v])
      return fmt::format("vertex {} is on level {}, its parent {} on level {} (rule 2)", v, level_[v], p,
                         level_[p]);
    if (!std::ranges::binary_search(neighbours, p))
      return fmt::format("vertex {} is no neighbour of its parent {} (rule 5)", v, p);
    return {};
  }

  std::string check_edge(vertex u, vertex v) const {
    if ((level_[u] == none) != (level_[v] == none))
      return fmt::format("of the neighbours {} and {} only one was reached (rule 4)", u, v);
    if (level_[u] > level_[v] + 1 && level_[u] != none)
      return fmt::format("the neighbours {} and {} are on levels {} and {} (rule 3)", u, v, level_[u],
                         level_[v]);
    return {};
  }

 private:
  vertex root_;
  std::span<const vertex> parent_;
  std::span<const std::uint64_t> level_;
  std::vector<bool> leads_to_root_;
};

} // namespace

std::string broken_rule(const ownership& own, const graph::rows<vertex>& neighbours, vertex root,
                        std::span<const vertex> parent, std::span<const std::uint64_t> level) {
  search_tree tree(root, parent, level);
  for (std::uint64_t k = 0; k < own.count(); ++k) {
    if (auto broken = tree.check_vertex(own.vertex(k), neighbours[k]); !broken.empty()) return broken;
  }
  for (std::uint64_t k = 0; k < own.count(); ++k) {
    for (const auto v : neighbours[k]) {
      if (auto broken = tree.check_edge(own.vertex(k), v); !broken.empty()) return broken;
    }
  }
  return {};
}

namespace {

/// The values of all vertices, from those that each PE has of its own.
std::vector<std::uint64_t> of_all(job& j, const ownership& own, std::span<const std::uint64_t> mine) {
  owned_array<std::uint64_t, cyclic_distribution> shared(j, own.vertices());
  std::ranges::copy(mine, shared.local().begin());
  j.barrier();
  std::vector<std::uint64_t> all(own.vertices()), part;
  for (pe_t pe = 0; pe < j.pes(); ++pe) {
    part.resize(shared.local_size(pe));
    get(j, shared.storage().on(pe), std::span(part));
    for (std::uint64_t k = 0; k < part.size(); ++k) all[shared.global_index(pe, k)] = part[k];
  }
  j.barrier(); // not earlier: others may still be reading
  return all;
}

} // namespace

std::string bfs::fault() {
  if (root_ == none) return {};
  const auto broken =
      broken_rule(own_, neighbours_, root_, of_all(job_, own_, parent_.local()), of_all(job_, own_, level_));
  // All PEs say the same: what the first one that found something has found.
  const auto finder = job_.world().min(broken.empty() ? job_.pes() : job_.pe());
  if (finder == job_.pes()) return {};
  std::array<char, 128> text{};
  broken.copy(text.data(), text.size() - 1);
  job_.world().broadcast<char>(text, finder);
  return fmt::format("the tree from root {}: {}", root_, text.data());
}

} // namespace windrow::apps
