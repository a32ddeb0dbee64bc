// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/pairs.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

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

namespace {

std::vector<std::size_t> unknown_code_of(const std::vector<event>& events, int pe) {
  std::vector<std::size_t> found;
  std::size_t in_part = 0; // how many of them
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto& one = events[i];
    if (one.what == action::barrier || one.what == action::collective) in_part = 0;
    if (one.what != action::unknown_code || one.peer == pe) continue;
    if (++in_part > 2) found.pop_back();
    found.push_back(i);
  }
  return found;
}

} // namespace

std::vector<lasting_access> accesses_of_all_code(const model& all,
                                                 const std::vector<std::vector<std::size_t>>& ends) {
  const range anywhere{first_symmetric, first_symmetric - 1};
  auto found = accesses_of_run(all, ends);
  for (int pe = 0; pe < all.pes(); ++pe)
    for (const auto i : unknown_code_of(all.events(pe), pe))
      for (int owner = 0; owner < all.pes(); ++owner)
        found.push_back({{owner, anywhere, true, false, true}, pe, i, i, i, all_pes, order::any_word, false});
  return found;
}

namespace {

using pair_function = std::function<bool(std::size_t, std::size_t)>;

/// Their numbers, in the order of `key`.
template <class Key>
std::vector<std::size_t> sorted(const std::vector<lasting_access>& all, Key key) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return key(all[i]); });
  return order;
}

/// Pairs of different PEs, memory by memory: accesses that lie behind are never looked at again, nor are
/// those of the same PE.
class pairs_between {
 public:
  pairs_between(const std::vector<lasting_access>& all, const pair_function& act) : all_(all), act_(act) {}

  bool run() {
    int pe = all_pes;
    for (const auto i : sorted(
             all_, [](const lasting_access& one) { return std::tuple(one.what.pe, one.what.where.begin); })) {
      if (std::exchange(pe, all_[i].what.pe) != all_[i].what.pe) open_.clear();
      if (!meet(i)) return false;
      open_[all_[i].by].emplace(all_[i].what.where.end(), i);
    }
    return true;
  }

 private:
  bool meet(std::size_t i) {
    for (auto& [by, open] : open_) {
      open.erase(open.begin(), open.upper_bound(all_[i].what.where.begin));
      if (by == all_[i].by) continue;
      for (const auto& [end, j] : open)
        if (conflict(all_[i].what, all_[j].what) && !act_(j, i)) return false;
    }
    return true;
  }

  const std::vector<lasting_access>& all_;
  const pair_function& act_;
  std::map<int, std::multimap<std::uint64_t, std::size_t>> open_; ///< by the PE that does it, where it ends
};

/// Pairs of one PE that go on at the same time.
class pairs_within {
 public:
  pairs_within(const std::vector<lasting_access>& all, const pair_function& act) : all_(all), act_(act) {}

  bool run() {
    int by = all_pes;
    for (const auto i :
         sorted(all_, [](const lasting_access& one) { return std::tuple(one.by, one.start); })) {
      if (std::exchange(by, all_[i].by) != all_[i].by) open_.clear(), memory_.clear();
      close_before(all_[i].start);
      if (!meet(i)) return false;
      if (all_[i].end > all_[i].start) open(i);
    }
    return true;
  }

 private:
  struct memory {
    std::multimap<std::uint64_t, std::size_t> by_begin;
    std::uint64_t longest = 0;
  };
  using place = std::pair<int, std::multimap<std::uint64_t, std::size_t>::iterator>;

  void open(std::size_t i) {
    const auto& what = all_[i].what;
    auto& of = memory_[what.pe];
    of.longest = std::max(of.longest, what.where.bytes);
    open_.emplace(all_[i].end, place{what.pe, of.by_begin.emplace(what.where.begin, i)});
  }

  void close_before(std::size_t start) {
    while (!open_.empty() && open_.begin()->first <= start) {
      const auto [pe, at] = open_.begin()->second;
      memory_[pe].by_begin.erase(at);
      open_.erase(open_.begin());
    }
  }

  bool meet(std::size_t i) {
    const auto& what = all_[i].what;
    const auto& [by_begin, longest] = memory_[what.pe];
    auto at = by_begin.lower_bound(what.where.begin - std::min(what.where.begin, longest));
    for (; at != by_begin.end() && at->first < what.where.end(); ++at) {
      const auto j = at->second;
      if (all_[j].start != all_[i].start && conflict(all_[j].what, what) && !act_(j, i)) return false;
    }
    return true;
  }

  const std::vector<lasting_access>& all_;
  const pair_function& act_;
  std::multimap<std::size_t, place> open_; ///< by the event that completes it
  std::map<int, memory> memory_;           ///< by the PE that has it
};

} // namespace

void for_each_conflict(const std::vector<lasting_access>& all, const pair_function& act) {
  if (pairs_between(all, act).run()) pairs_within(all, act).run();
}

} // namespace windrow::overlap
