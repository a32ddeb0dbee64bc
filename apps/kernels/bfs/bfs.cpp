// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/bfs/bfs.hpp"

#include <algorithm>

#include "apps/graph/kronecker.hpp"
#include "apps/kernels/bfs/validate.hpp"
#include "windrow/error.hpp"

namespace windrow::apps {

const kernel_entry bfs_entry{
    .name = "bfs",
    .about =
        "searches the undirected graph breadth-first from 64 vertices: an offer for each edge and "
        "search, to be the parent, while levels are narrow",
    .styles = cpp_styles,
    .make = make_kernel<bfs>,
    .sequential = sequential_bfs,
};

bfs::bfs(job& j, const workload& w)
    : job_(j),
      own_(j, w.graph.vertices),
      roots_(graph::search_keys(w.graph, searches, w.seed)),
      neighbours_(my_neighbours(own_, graph::simple_undirected(w.graph))),
      edges_given_(own_.count()),
      parent_(j, w.graph.vertices),
      reached_(j, own_),
      offered_(own_),
      wide_level_(own_),
      level_(own_.count()),
      all_edges_(j.world().sum(neighbours_.values())) {
  for (const auto& e : w.graph.edges) {
    if (own_.is_mine(e.from)) ++edges_given_[own_.index(e.from)];
  }
}

void bfs::run(kernel_style style) {
  checksum_ = 0;
  for (std::uint64_t k = 0; k < roots_.size(); ++k) {
    search(roots_[k], style);
    checksum_ += (k + 1) * levels_checksum();
  }
}

void bfs::search(graph::vertex root, kernel_style style) {
  begin(root);
  in_style(style);
}

void bfs::begin(graph::vertex root) {
  std::ranges::fill(parent_.local(), none);
  std::ranges::fill(level_, none);
  offered_.clear();
  root_ = root;
  depth_ = 0;
  edges_left_ = all_edges_;
  current_.clear();
  next_.clear();
  if (!own_.is_mine(root)) return;
  parent_.local()[own_.index(root)] = root;
  found(own_.index(root));
}

bool bfs::next_narrow_level() {
  while (next_level()) {
    if (!is_wide()) return true;
    look_for_parents();
  }
  return false;
}

bool bfs::next_level() {
  current_.swap(next_);
  next_.clear();
  ++depth_;
  std::uint64_t edges = 0;
  for (const auto k : current_) edges += neighbours_[k].size();
  edges_here_ = job_.world().sum(edges);
  edges_left_ -= edges_here_;
  return edges_here_ > 0;
}

// Offers look at all edges of the level; who looks for a parent, at all vertices and some of the edges left.
// How many that are is a guess, the one of the publication.
bool bfs::is_wide() const {
  constexpr std::uint64_t edges_saved = 14;
  return edges_here_ * edges_saved > edges_left_ + own_.vertices();
}

void bfs::look_for_parents() {
  wide_level_.gather(job_.world(), current_);
  offered_.insert(wide_level_);
  const auto parent = parent_.local();
  for (std::uint64_t k = 0; k < parent.size(); ++k) {
    if (parent[k] != none) continue;
    const auto neighbours = neighbours_[k];
    const auto above = std::ranges::find_if(neighbours, [&](auto v) { return wide_level_.contains(v); });
    if (above == neighbours.end()) continue;
    parent[k] = *above;
    found(k);
  }
}

void bfs::found(std::uint64_t index) {
  level_[index] = depth_;
  offered_.insert(own_.vertex(index));
  next_.push_back(index);
}

std::uint64_t bfs::levels_checksum() const {
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; k < level_.size(); ++k) sum += (own_.vertex(k) + 1) * (level_[k] + 1);
  return sum;
}

std::uint64_t bfs::checksum() {
  if (const auto broken = fault(); !broken.empty()) throw error("breadth-first search: " + broken);
  return checksum_;
}

std::uint64_t bfs::edges_reached() const {
  std::uint64_t edges = 0;
  for (std::uint64_t k = 0; k < level_.size(); ++k) edges += level_[k] == none ? 0 : edges_given_[k];
  return job_.world().sum(edges);
}

} // namespace windrow::apps
