// SPDX-License-Identifier: BSD-3-Clause
#include "apps/tetrahedra/part.hpp"

#include <algorithm>

namespace windrow::apps::tetrahedra {

void part::begin(std::uint64_t step, const octree& cells, const teller& tell) {
  step_ = step;
  all_ = tetrahedra_of(cells.leaves()[leaf_]);
  split_.clear();
  users_.clear();
  for (std::uint32_t t = 0; t < all_.size(); ++t) {
    join(t);
    unchecked_.push_back(t);
  }
  close(cells, tell);
}

void part::split(const edge& e, const octree& cells, const teller& tell) {
  if (split_.insert(e).second) check_users(e);
  close(cells, tell);
}

void part::join(std::uint32_t t) {
  for (const auto& e : all_[t].edges()) users_[e].push_back(t);
}
void part::leave(std::uint32_t t) {
  for (const auto& e : all_[t].edges()) {
    const auto found = users_.find(e);
    std::erase(found->second, t);
    if (found->second.empty()) users_.erase(found);
  }
}
void part::check_users(const edge& e) {
  if (const auto found = users_.find(e); found != users_.end())
    unchecked_.insert(unchecked_.end(), found->second.begin(), found->second.end());
}

// Corners of smaller cells in the neighbourhood are vertices from the beginning.
bool part::must_go(const tetrahedron& t, const octree& cells) const {
  return sizes_.is_too_large(t, step_) || std::ranges::any_of(t.edges(), [&](const edge& e) {
           return split_.contains(e) || cells.is_corner(middle(e));
         });
}

void part::close(const octree& cells, const teller& tell) {
  while (!unchecked_.empty()) {
    const auto t = unchecked_.back();
    unchecked_.pop_back();
    if (must_go(all_[t], cells)) bisect(t, cells, tell);
  }
}

void part::bisect(std::uint32_t t, const octree& cells, const teller& tell) {
  const auto e = all_[t].longest();
  const auto [first, second] = all_[t].halves();
  leave(t);
  const auto other = static_cast<std::uint32_t>(all_.size());
  all_[t] = first;
  all_.push_back(second);
  join(t);
  join(other);
  unchecked_.insert(unchecked_.end(), {t, other});
  if (!split_.insert(e).second) return;
  check_users(e);
  for (const auto neighbour : cells.leaves_at(middle(e)))
    if (neighbour != leaf_) tell(neighbour, e);
}

} // namespace windrow::apps::tetrahedra
