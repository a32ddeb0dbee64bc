// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/barriers.hpp"

#include <algorithm>
#include <map>

#include "tools/overlap/order.hpp"
#include "tools/overlap/pairs.hpp"

namespace windrow::overlap {

namespace {

/// Which PE holds which lock when. Accesses under the same lock have an order, though not always the same
/// one.
class critical_sections {
 public:
  explicit critical_sections(const model& all) {
    for (int pe = 0; pe < all.pes(); ++pe) sections_.push_back(sections_of(all.events(pe)));
  }

  bool have_one_lock(const lasting_access& a, const lasting_access& b) const {
    return std::ranges::any_of(of(a), [&](const section& one) {
      return holds(one, a) && std::ranges::any_of(of(b), [&](const section& other) {
               return other.lock == one.lock && holds(other, b);
             });
    });
  }

 private:
  struct section {
    std::uint64_t lock;
    std::size_t begin, end;
  };

  // A lock is freed by who has waited for it, or has tested it, last.
  static std::vector<section> sections_of(const std::vector<event>& events) {
    std::map<std::uint64_t, std::size_t> asked;
    std::vector<section> found;
    for (std::size_t i = 0; i < events.size(); ++i) {
      const auto& one = events[i];
      if (one.what == action::wait || one.what == action::test) asked[one.remote.begin] = i;
      if (one.what == action::notify && asked.contains(one.remote.begin))
        found.push_back({one.remote.begin, asked[one.remote.begin], i});
    }
    return found;
  }
  static bool holds(const section& one, const lasting_access& a) {
    return one.begin < a.start && a.end <= one.end;
  }
  const std::vector<section>& of(const lasting_access& a) const {
    return sections_[static_cast<std::size_t>(a.by)];
  }

  std::vector<std::vector<section>> sections_;
};

class barrier_judge {
 public:
  explicit barrier_judge(const model& all)
      : all_(all),
        full_(all, {.surely = true, .without = {}}),
        locked_(all),
        ends_(all_completions(all)),
        accesses_(accesses_of_all_code(all, ends_)),
        rows_(accesses_) {}

  std::vector<barrier_use> judge() {
    find_barriers();
    std::vector<barrier_use> result;
    for (auto& [site, use] : found_) {
      use.redundant = !beside_collective_[site] && !orders_alone(site);
      use.may_complete_later = use.completes > 0 && may_complete_later(site);
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
          if (const auto& by = events[end_of(pe, i)]; by.what == action::barrier && !by.implied)
            ++use_of(by.site).completes;
        if (events[i].what != action::barrier || events[i].implied) continue;
        ++use_of(events[i].site).times;
        if (has_collective_beside(events, i)) beside_collective_[events[i].site] = true;
      }
    }
  }

  barrier_use& use_of(std::uint32_t site) {
    return found_.try_emplace(site, barrier_use{site, 0, false, 0, false}).first->second;
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

  bool orders_alone(std::uint32_t site) const {
    const order without(all_, {.surely = true, .without = site});
    return any_lost(rows_, accesses_, without, [&](const lasting_access& a, const lasting_access& b) {
      return locked_.have_one_lock(a, b);
    });
  }

  // A pair that has an order in full, and none if accesses and the order were these, unless it is kept apart.
  template <class Apart>
  bool any_lost(const access_rows& rows, const std::vector<lasting_access>& accesses, const order& by,
                Apart apart) const {
    bool lost = false;
    rows.each_unordered(by, [&](std::size_t i, std::size_t j) {
      const auto &a = accesses_[i], &b = accesses_[j];
      lost = are_ordered(full_, a, b) && !are_ordered(by, accesses[i], accesses[j]) && !apart(a, b);
      return !lost;
    });
    return lost;
  }

  bool may_complete_later(std::uint32_t site) const {
    auto accesses = accesses_;
    for (auto& one : accesses) one = later(one, site);
    return !any_lost(access_rows(accesses), accesses, full_, [](const auto&, const auto&) { return false; });
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
  critical_sections locked_;
  std::vector<std::vector<std::size_t>> ends_;
  std::vector<lasting_access> accesses_;
  access_rows rows_;
  std::map<std::uint32_t, barrier_use> found_;
  std::map<std::uint32_t, bool> beside_collective_;
};

} // namespace

std::vector<barrier_use> uses_of_barriers(const model& all) {
  if (!all.run().all_accesses) return {};
  return barrier_judge(all).judge();
}

} // namespace windrow::overlap
