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

// By a signal, which says that the memory it was read from is free, too.
bool has_arrived(const order& by, const lasting_access& a, int other, std::size_t start) {
  const bool own = a.signal != order::any_word;
  return (own && by.have_come({a.by, a.target, a.start, a.signal}, other, start)) ||
         (a.fenced != a.end && by.have_come({a.by, a.target, a.fenced}, other, start));
}

} // namespace

bool is_before(const order& by, const lasting_access& a, const lasting_access& b) {
  if (a.by == b.by) {
    const bool both_write = a.what.writes && !a.what.local && b.what.writes && !b.what.local;
    if (a.end <= b.start || (both_write && a.fenced <= b.start)) return true;
  }
  if (b.in_meeting && b.start == 0) return false;
  const auto end = a.in_meeting ? a.end + 1 : a.end;
  const auto start = b.in_meeting ? b.start - 1 : b.start;
  return (a.by != b.by && by.before(a.by, end, b.by, start)) || has_arrived(by, a, b.by, start);
}

bool are_ordered(const order& by, const lasting_access& a, const lasting_access& b) {
  return is_before(by, a, b) || is_before(by, b, a);
}

std::vector<lasting_access> accesses_of_run(const model& all,
                                            const std::vector<std::vector<std::size_t>>& ends) {
  std::vector<lasting_access> found;
  for (int pe = 0; pe < all.pes(); ++pe) {
    const auto& events = all.events(pe);
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (is_question(events[i])) continue;
      const bool in_meeting = events[i].what == action::collective;
      for (const auto& one : all.accesses_of(events[i], pe)) {
        const bool is_over = one.local && (events[i].blocking || !is_transfer(events[i]));
        const auto end = is_over ? i : ends[static_cast<std::size_t>(pe)][i];
        const bool tells = !is_over && events[i].what == action::put_signal;
        const auto signal = tells ? events[i].word.begin : order::any_word;
        found.push_back({one, pe, i, end, end, events[i].peer, signal, in_meeting});
      }
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
