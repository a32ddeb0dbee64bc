// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/pairs.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace windrow::overlap {

namespace {

// Others write meanwhile what it asks for.
bool is_question(const event& one) {
  return one.what == action::wait || one.what == action::test;
}

} // namespace

std::vector<lasting_access> accesses_of_run(const model& all, const end_function& end_of) {
  std::vector<lasting_access> found;
  for (int pe = 0; pe < all.pes(); ++pe) {
    const auto& events = all.events(pe);
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (is_question(events[i])) continue;
      for (const auto& one : all.accesses_of(events[i], pe))
        found.push_back(
            {one, pe, i, one.local && (events[i].blocking || !is_transfer(events[i])) ? i : end_of(pe, i)});
    }
  }
  return found;
}

void for_each_conflict(const std::vector<lasting_access>& all,
                       const std::function<bool(std::size_t, std::size_t)>& act) {
  std::vector<std::size_t> sorted(all.size()), open;
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::sort(sorted, {},
                    [&](std::size_t i) { return std::tuple(all[i].what.pe, all[i].what.where.begin); });
  for (const auto i : sorted) {
    std::erase_if(open, [&](std::size_t j) {
      return all[j].what.pe != all[i].what.pe || all[j].what.where.end() <= all[i].what.where.begin;
    });
    for (const auto j : open) {
      const bool same_event = all[i].by == all[j].by && all[i].start == all[j].start;
      if (!same_event && conflict(all[i].what, all[j].what) && !act(j, i)) return;
    }
    open.push_back(i);
  }
}

} // namespace windrow::overlap
