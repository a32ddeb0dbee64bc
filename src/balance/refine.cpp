// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "balance/packing.hpp"
#include "windrow/balance.hpp"

namespace windrow::balance {

namespace {

struct extent {
  double mean = 0;     ///< load of a PE
  double heaviest = 0; ///< object
};

extent extent_of(const problem& p) {
  extent e;
  for (const auto& o : p.objects) {
    e.mean += o.load / static_cast<double>(p.pes);
    e.heaviest = std::max(e.heaviest, o.load);
  }
  return e;
}

/// Moves of the objects that are not where they were, in the order of their numbers.
moves differences(const problem& p, const std::vector<pe_t>& target) {
  moves result;
  for (std::size_t i = 0; i < target.size(); ++i)
    if (target[i] != p.objects[i].pe) result.push_back({i, target[i]});
  return result;
}

/// PEs first, first + 1, … of each group but the last are `group`.
class groups {
 public:
  groups(const problem& p, pe_t group)
      : p_(p),
        size_(group > 0 ? std::min(group, p.pes)
                        : static_cast<pe_t>(std::ceil(std::sqrt(static_cast<double>(p.pes))))) {}

  std::size_t count() const { return static_cast<std::size_t>((p_.pes + size_ - 1) / size_); }
  std::size_t of(pe_t pe) const { return static_cast<std::size_t>(pe / size_); }
  pe_t first(std::size_t g) const { return static_cast<pe_t>(g) * size_; }
  std::size_t members(std::size_t g) const {
    return static_cast<std::size_t>(std::min(size_, p_.pes - first(g)));
  }

 private:
  const problem& p_;
  pe_t size_;
};

/// The objects by group, when groups are level.
packing between_groups(const problem& p, const groups& all, double limit) {
  std::vector<double> limits;
  limits.reserve(all.count());
  for (std::size_t g = 0; g < all.count(); ++g) limits.push_back(limit * static_cast<double>(all.members(g)));
  packing result(limits);
  for (std::size_t i = 0; i < p.objects.size(); ++i)
    result.put(i, p.objects[i].load, all.of(p.objects[i].pe));
  result.level();
  return result;
}

/// The objects of one group by PE, when PEs are level. Those of `objects` that come from elsewhere move
/// anyway: they fill the gaps.
packing inside_group(const problem& p, const groups& all, std::size_t g, const packing::items& objects,
                     double limit) {
  packing pes(std::vector<double>(all.members(g), limit));
  const auto is_of_group = [&](std::size_t object) { return all.of(p.objects[object].pe) == g; };
  for (const auto& [load, object] : objects)
    if (is_of_group(object))
      pes.put(object, load, static_cast<std::size_t>(p.objects[object].pe - all.first(g)));
  for (auto o = objects.rbegin(); o != objects.rend(); ++o)
    if (!is_of_group(o->second)) pes.put_anywhere(o->second, o->first);
  pes.level();
  return pes;
}

/// The objects of one group by PE, dealt out anew: for a group that has got few objects small enough to fill
/// gaps.
packing dealt_out(std::size_t members, const packing::items& objects, double limit) {
  packing pes(std::vector<double>(members, limit));
  for (auto o = objects.rbegin(); o != objects.rend(); ++o) pes.put_anywhere(o->second, o->first);
  return pes;
}

} // namespace

moves refine::operator()(const problem& p) const {
  const auto [mean, heaviest] = extent_of(p);
  packing all(std::vector<double>(static_cast<std::size_t>(p.pes), std::max(tolerance * mean, heaviest)));
  for (std::size_t i = 0; i < p.objects.size(); ++i)
    all.put(i, p.objects[i].load, static_cast<std::size_t>(p.objects[i].pe));
  all.level();
  std::vector<pe_t> target(p.objects.size());
  all.tell([&](std::size_t object, std::size_t pe) { target[object] = static_cast<pe_t>(pe); });
  return differences(p, target);
}

moves hierarchical::operator()(const problem& p) const {
  const auto [mean, heaviest] = extent_of(p);
  const auto limit = std::max(tolerance * mean, heaviest);
  const groups all(p, group);
  const auto before = loads(p);
  if (p.objects.empty() || *std::ranges::max_element(before) <= limit) return {};
  const auto of_groups =
      between_groups(p, all, (limit + mean) / 2); // half of the tolerance is left to groups
  std::vector<pe_t> target(p.objects.size());
  for (std::size_t g = 0; g < all.count(); ++g) {
    const auto& objects = of_groups.objects(g);
    auto pes = inside_group(p, all, g, objects, limit);
    if (pes.heaviest() > limit)
      if (auto anew = dealt_out(all.members(g), objects, limit); anew.heaviest() < pes.heaviest())
        pes = std::move(anew);
    pes.tell(
        [&](std::size_t object, std::size_t pe) { target[object] = all.first(g) + static_cast<pe_t>(pe); });
  }
  const auto wanted = differences(p, target);
  return std::ranges::max(loads(p, wanted)) < std::ranges::max(before) ? wanted : moves{};
}

} // namespace windrow::balance
