// SPDX-License-Identifier: BSD-3-Clause
#include "apps/delaunay/leaf.hpp"

#include <algorithm>

namespace windrow::apps::delaunay {

void leaf::begin_level(std::int32_t level) {
  level_ = level;
  bad_.clear();
  for (const auto& t : triangles()) judge(t);
}

std::vector<triangle> leaf::triangles() const {
  std::vector<triangle> result;
  for (const auto& part : apexes_)
    for (const auto& [e, apex] : part)
      if (e.from < e.to && e.from < apex) result.push_back(make_triangle(e.from, e.to, apex));
  std::ranges::sort(result);
  return result;
}

std::vector<triangle> leaf::bad_triangles() const {
  std::vector<triangle> result;
  result.reserve(bad_.size());
  for (const auto& [size, t] : bad_) result.push_back(t);
  return result;
}

std::optional<triangle> leaf::find(const edge& e) const {
  const auto& part = apexes_[part_of(e)];
  const auto found = part.find(e);
  return found == part.end() ? std::nullopt : std::optional(make_triangle(e.from, e.to, found->second));
}

void leaf::add(const triangle& t) {
  for (const auto& [e, apex] : t.sides()) insert(e, apex);
  judge(t);
}

void leaf::remove(const triangle& t) {
  for (const auto& [e, apex] : t.sides()) erase(e);
  forget(t);
}

bool leaf::judge(const triangle& t) {
  if (level_ < 0 || !domain_.is_bad(t, level_)) return false;
  bad_.emplace(radius_squared(t), t);
  return true;
}

} // namespace windrow::apps::delaunay
