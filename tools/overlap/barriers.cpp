// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/barriers.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "tools/overlap/order.hpp"
#include "tools/overlap/pairs.hpp"

namespace windrow::overlap {

namespace {

class barrier_judge {
 public:
  explicit barrier_judge(const model& all)
      : all_(all),
        full_(all, {.surely = true, .without = {}}),
        ends_(all_completions(all)),
        accesses_(accesses_of_all_code(all, ends_)),
        rows_(accesses_, depend_on_order),
        over_for_own_(over_when_heard_of(full_, accesses_)) {}

  std::vector<barrier_use> judge() {
    find_barriers();
    std::vector<barrier_use> result;
    for (auto& [site, use] : found_) {
      const bool ends_unseen = ends_unseen_.contains(site);
      use.redundant = !ends_unseen && !beside_collective_[site] && !orders_alone(use);
      use.may_complete_later = !ends_unseen && use.completes > 0 && may_complete_later(site);
      result.push_back(use);
    }
    return result;
  }

 private:
  std::size_t end_of(int pe, std::size_t i) const { return ends_[static_cast<std::size_t>(pe)][i]; }

  void find_barriers() {
    for (int pe = 0; pe < all_.pes(); ++pe) {
      const auto& events = all_.events(pe);
      for (std::size_t i = 0; i < events.size(); ++i) {
        if (is_transfer(events[i]) && end_of(pe, i) != i && end_of(pe, i) < events.size())
          if (const auto& by = events[end_of(pe, i)]; by.what == action::barrier && !by.implied) {
            ++use_of(by.site).completes;
            if (uses_unseen_memory(events[i])) ends_unseen_.insert(by.site);
          }
        if (events[i].what != action::barrier || events[i].implied) continue;
        ++use_of(events[i].site).times;
        if (has_collective_beside(events, i)) beside_collective_[events[i].site] = true;
      }
    }
  }

  barrier_use& use_of(std::uint32_t site) {
    return found_.try_emplace(site, barrier_use{site, 0, false, 0, false}).first->second;
  }

  // Accesses of memory that is not symmetric are not recorded where nothing is under way.
  static bool uses_unseen_memory(const event& one) {
    return !one.blocking && one.local.bytes != 0 && !is_symmetric(one.local);
  }

  // The next call that synchronizes, on either side. Other PEs use buffers and work arrays once they are
  // there.
  static bool has_collective_beside(const std::vector<event>& events, std::size_t i) {
    const auto is_meeting = [](const event& one) {
      return one.what == action::barrier || one.what == action::collective;
    };
    const auto uses_arrays = [](const event& one) {
      return one.what == action::collective || one.word.bytes != 0;
    };
    const auto here = events.begin() + static_cast<std::ptrdiff_t>(i);
    const auto next = std::find_if(here + 1, events.end(), is_meeting);
    const auto last = std::find_if(std::make_reverse_iterator(here), events.rend(), is_meeting);
    return (next != events.end() && uses_arrays(*next)) || (last != events.rend() && uses_arrays(*last));
  }

  // By what it completes, too.
  bool orders_alone(const barrier_use& use) const {
    const order without(all_, {.surely = true, .without = use.site});
    auto accesses = accesses_;
    if (use.completes > 0) {
      const auto ends = all_completions(all_, {.without = use.site});
      for (auto& one : accesses)
        if (one.end != one.start) one.end = one.fenced = ends[static_cast<std::size_t>(one.by)][one.start];
    }
    return any_lost(accesses, without);
  }

  // A pair that has an order in full, and none if accesses and the order were these.
  bool any_lost(const std::vector<lasting_access>& accesses, const order& by) const {
    bool lost = false;
    const auto look_at = [&](std::size_t i, std::size_t j) {
      lost = lost ||
             (are_ordered(full_, accesses_[i], accesses_[j]) && !are_ordered(by, accesses[i], accesses[j]));
      return lost ? further::none : further::all;
    };
    access_rows(rows_, accesses).each_that_lost_order(by, rows_, full_, look_at);
    if (!lost)
      for_each_conflict_within(over_when_heard_of(by, accesses), look_at, depend_on_order, &over_for_own_);
    return lost;
  }

  bool may_complete_later(std::uint32_t site) const {
    auto accesses = accesses_;
    for (auto& one : accesses) one = later(one, site);
    return !any_lost(accesses, full_);
  }

  // As it would be if barriers at the site completed nothing, and the next synchronisation did.
  lasting_access later(lasting_access one, std::uint32_t site) const {
    const auto& events = all_.events(one.by);
    if (one.end == one.start || one.end >= events.size() || events[one.end].site != site ||
        events[one.end].what != action::barrier)
      return one;
    do ++one.end;
    while (one.end < events.size() && !all_.releases(events[one.end]));
    one.fenced = one.end;
    return one;
  }

  const model& all_;
  order full_;
  std::vector<std::vector<std::size_t>> ends_;
  std::vector<lasting_access> accesses_;
  access_rows rows_;
  std::vector<lasting_access> over_for_own_; ///< accesses, as their own PE knows
  std::map<std::uint32_t, barrier_use> found_;
  std::map<std::uint32_t, bool> beside_collective_;
  std::set<std::uint32_t> ends_unseen_; ///< transfers that use memory of which not all accesses are recorded
};

} // namespace

std::vector<barrier_use> uses_of_barriers(const model& all) {
  if (!all.run().all_accesses) return {};
  return barrier_judge(all).judge();
}

} // namespace windrow::overlap
