// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/races.hpp"

#include <map>
#include <utility>

#include "tools/overlap/order.hpp"
#include "tools/overlap/pairs.hpp"

namespace windrow::overlap {

std::vector<race> find_races(const model& all) {
  std::vector<std::vector<std::size_t>> ends;
  ends.reserve(static_cast<std::size_t>(all.pes()));
  for (int pe = 0; pe < all.pes(); ++pe) ends.push_back(completions(all, pe, true));
  const auto end_of = [&](int pe, std::size_t i) {
    // What a put tells is behind what it puts.
    const bool tells_itself = all.events(pe)[i].what == action::put_signal;
    return tells_itself ? i : ends[static_cast<std::size_t>(pe)][i];
  };
  const auto accesses = accesses_of_run(all, end_of);
  const order by(all, {});
  using place = std::pair<site, action>;
  std::map<std::pair<place, place>, race> found;
  for_each_conflict(accesses, [&](std::size_t i, std::size_t j) {
    const auto *a = &accesses[i], *b = &accesses[j];
    if (are_ordered(by, *a, *b)) return true;
    const auto place_of = [&](const lasting_access& one) {
      const auto& what = all.events(one.by)[one.start];
      return place(all.run().sites[what.site], what.what);
    };
    if (place_of(*b) < place_of(*a)) std::swap(a, b);
    const std::pair key(place_of(*a), place_of(*b));
    ++found.try_emplace(key, race{{a->by, a->start}, {b->by, b->start}, a->what.pe, 0}).first->second.times;
    return true;
  });
  std::vector<race> result;
  result.reserve(found.size());
  for (const auto& [key, one] : found) result.push_back(one);
  return result;
}

} // namespace windrow::overlap
