// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/pairs.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>
#include <tuple>
#include <utility>

namespace windrow::overlap {

namespace {

// What decides by which events it is over is part of it: of a row, what begins later is not over earlier.
std::uint64_t code_of(const event& one) {
  static_assert(actions <= 1 << 6);
  const auto returns = std::uint64_t{one.blocking} << 7 | std::uint64_t{one.local.bytes != 0} << 6;
  const auto kind = std::uint64_t{one.context} << 8 | returns | static_cast<std::uint64_t>(one.what);
  return std::uint64_t{one.site} << 40 | kind;
}

// Others write meanwhile what it asks for.
bool is_question(const event& one) {
  return one.what == action::wait || one.what == action::test;
}

// By a signal, which says that the memory it was read from is free, too.
bool has_told(const order& by, const lasting_access& a, int other, std::size_t start) {
  return a.signal != order::any_word && by.have_come({a.by, a.target, a.start, a.signal}, other, start);
}

bool has_arrived(const order& by, const lasting_access& a, int other, std::size_t start) {
  return has_told(by, a, other, start) ||
         (a.fenced != a.end && by.have_come({a.by, a.target, a.fenced}, other, start));
}

std::size_t surely_over(const lasting_access& one) {
  return one.in_meeting ? one.end + 1 : one.end;
}
// In a meeting it is none of the first event.
std::size_t surely_not_begun(const lasting_access& one) {
  return one.in_meeting ? one.start - 1 : one.start;
}

} // namespace

bool is_before(const order& by, const lasting_access& a, const lasting_access& b) {
  if (a.by == b.by) {
    const bool both_write = a.what.writes && !a.what.local && b.what.writes && !b.what.local;
    if (a.end <= b.start || (both_write && a.fenced <= b.start)) return true;
  }
  if (b.in_meeting && b.start == 0) return false;
  return (a.by != b.by && by.before(a.by, surely_over(a), b.by, surely_not_begun(b))) ||
         has_arrived(by, a, b.by, surely_not_begun(b));
}

bool are_ordered(const order& by, const lasting_access& a, const lasting_access& b) {
  return is_before(by, a, b) || is_before(by, b, a);
}

std::vector<lasting_access> over_when_heard_of(const order& by, std::vector<lasting_access> all) {
  for (auto& one : all) {
    if (one.signal == order::any_word || one.end <= one.start) continue;
    const auto later = std::views::iota(one.start + 1, one.end);
    const auto has_not_heard = [&](std::size_t i) { return !has_told(by, one, one.by, i); };
    one.end = one.start + 1 +
              static_cast<std::size_t>(std::ranges::partition_point(later, has_not_heard) - later.begin());
  }
  return all;
}

namespace {

/// By PE and event, those of one event as they are.
std::vector<std::size_t> numbers_in_order(const std::vector<lasting_access>& all) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](std::size_t i) { return std::tuple(all[i].by, all[i].start, i); };
  if (!std::ranges::is_sorted(order, {}, key)) std::ranges::sort(order, {}, key); // mostly they are
  return order;
}

std::vector<lasting_access> recorded_accesses(const model& all,
                                              const std::vector<std::vector<std::size_t>>& ends,
                                              bool with_questions) {
  std::vector<lasting_access> found;
  for (int pe = 0; pe < all.pes(); ++pe) {
    const auto& events = all.events(pe);
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (is_question(events[i]) && !with_questions) continue;
      const bool in_meeting = events[i].what == action::collective;
      for (const auto& one : all.accesses_of(events[i], pe)) {
        const bool is_over = one.local && (events[i].blocking || !is_transfer(events[i]));
        const auto end = is_over ? i : ends[static_cast<std::size_t>(pe)][i];
        const bool tells = !is_over && events[i].what == action::put_signal;
        const auto signal = tells ? events[i].word.begin : order::any_word;
        found.push_back({one, pe, i, end, end, events[i].peer, signal, in_meeting, code_of(events[i])});
      }
    }
  }
  return found;
}

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

std::vector<lasting_access> accesses_of_run(const model& all,
                                            const std::vector<std::vector<std::size_t>>& ends) {
  return recorded_accesses(all, ends, false);
}

std::vector<lasting_access> accesses_of_all_code(const model& all,
                                                 const std::vector<std::vector<std::size_t>>& ends) {
  const range anywhere{first_symmetric, first_symmetric - 1};
  auto found = recorded_accesses(all, ends, true);
  for (int pe = 0; pe < all.pes(); ++pe)
    for (const auto i : unknown_code_of(all.events(pe), pe))
      for (int owner = 0; owner < all.pes(); ++owner)
        found.push_back(
            {{owner, anywhere, true, false, true}, pe, i, i, i, all_pes, order::any_word, false, 0});
  std::vector<lasting_access> in_order;
  in_order.reserve(found.size());
  for (const auto i : numbers_in_order(found)) in_order.push_back(found[i]);
  return in_order;
}

namespace {

/// Pairs of one PE that go on at the same time.
class pairs_within {
 public:
  pairs_within(const std::vector<lasting_access>& all, const pair_function& act, access_relation in_conflict,
               const std::vector<lasting_access>* shorter)
      : all_(all), shorter_(shorter), act_(act), open_(in_conflict) {}

  void run() {
    int by = all_pes;
    for (const auto i : numbers_in_order(all_)) {
      if (std::exchange(by, all_[i].by) != all_[i].by) begins_.clear(), ends_.clear(), open_.clear();
      open_up_to(all_[i].start);
      close_before(all_[i].start);
      if (!meet(i)) return;
      if (all_[i].end > begin_of(i)) begins_.emplace(begin_of(i), i);
    }
  }

 private:
  // From where on others meet it.
  std::size_t begin_of(std::size_t i) const {
    return shorter_ != nullptr ? std::max(all_[i].start, (*shorter_)[i].end) : all_[i].start;
  }

  void open_up_to(std::size_t start) {
    while (!begins_.empty() && begins_.begin()->first <= start) {
      open(begins_.begin()->second);
      begins_.erase(begins_.begin());
    }
  }

  void open(std::size_t i) {
    open_.add(all_[i].what, i, all_[i].code);
    ends_.emplace(all_[i].end, i);
  }

  void close_before(std::size_t start) {
    while (!ends_.empty() && ends_.begin()->first <= start) {
      const auto i = ends_.begin()->second;
      open_.remove(all_[i].what, i, all_[i].code);
      ends_.erase(ends_.begin());
    }
  }

  bool meet(std::size_t i) {
    return open_.each_in_conflict(all_[i].what, [&](std::size_t j) {
      return all_[j].start == all_[i].start ? further::all : act_(j, i);
    });
  }

  const std::vector<lasting_access>& all_;
  const std::vector<lasting_access>* shorter_;
  const pair_function& act_;
  std::multimap<std::size_t, std::size_t> begins_; ///< by the event from which on others meet it
  std::multimap<std::size_t, std::size_t> ends_;   ///< by the event that completes it
  access_index open_;
};

} // namespace

void for_each_conflict_within(const std::vector<lasting_access>& all, const pair_function& act,
                              access_relation in_conflict, const std::vector<lasting_access>* shorter) {
  pairs_within(all, act, in_conflict, shorter).run();
}

access_rows::access_rows(const std::vector<lasting_access>& all, access_relation in_conflict)
    : all_(all), in_conflict_(in_conflict) {
  std::map<std::tuple<int, likeness, int, bool, std::uint64_t, std::uint64_t, int>, row> rows;
  for (const auto i : numbers_in_order(all)) {
    const auto& [what, by, in_meeting] = std::tie(all[i].what, all[i].by, all[i].in_meeting);
    const auto signal = all[i].signal;
    const int target = signal == order::any_word ? all_pes : all[i].target;
    auto& to = rows[{what.pe, likeness_of(what), by, in_meeting, all[i].code, signal, target}];
    if (to.accesses.empty()) to = {what, by, in_meeting, signal != order::any_word, {}, {}};
    to.accesses.push_back(i);
  }
  rows_.reserve(rows.size());
  for (auto& [at, one] : rows) rows_.push_back(std::move(one));
  note_ends();
}

access_rows::access_rows(const access_rows& like, const std::vector<lasting_access>& all)
    : all_(all), in_conflict_(like.in_conflict_), rows_(like.rows_) {
  note_ends();
}

void access_rows::note_ends() {
  for (auto& one : rows_) {
    one.over.clear();
    std::size_t last = 0;
    for (const auto i : one.accesses) one.over.push_back(last = std::max(last, surely_over(all_[i])));
  }
}

bool access_rows::each_conflict(const std::function<bool(const row&, const row&)>& act) const {
  std::map<int, std::multimap<std::uint64_t, const row*>> open; // by the PE that does it, where it ends
  int pe = all_pes;
  for (const auto& one : rows_) {
    if (std::exchange(pe, one.what.pe) != one.what.pe) open.clear();
    for (auto& [by, others] : open) {
      others.erase(others.begin(), others.upper_bound(one.what.where.begin));
      if (by == one.by) continue;
      for (const auto& [end, other] : others)
        if (in_conflict_(one.what, other->what) && !act(*other, one)) return false;
    }
    open[one.by].emplace(one.what.where.end(), &one);
  }
  return true;
}

std::size_t access_rows::over_before(const order& by, const row& of, const lasting_access& one) const {
  if (one.in_meeting && one.start == 0) return 0;
  const auto start = surely_not_begun(one);
  const auto is_over = [&](std::size_t end) { return by.before(of.by, end, one.by, start); };
  const auto over = std::ranges::partition_point(of.over, is_over) - of.over.begin();
  if (!of.tells) return static_cast<std::size_t>(over);
  const auto is_told = [&](std::size_t i) { return has_told(by, all_[i], one.by, start); };
  const auto told = std::ranges::partition_point(of.accesses, is_told) - of.accesses.begin();
  return static_cast<std::size_t>(std::max(over, told));
}

std::size_t access_rows::first_behind(const order& by, const row& of, const lasting_access& one) const {
  const auto is_not_behind = [&](std::size_t i) {
    if (of.in_meeting && all_[i].start == 0) return true;
    const auto start = surely_not_begun(all_[i]);
    return !by.before(one.by, surely_over(one), of.by, start) && !has_told(by, one, of.by, start);
  };
  return static_cast<std::size_t>(std::ranges::partition_point(of.accesses, is_not_behind) -
                                  of.accesses.begin());
}

void access_rows::each_unordered(const order& by, const pair_function& act) const {
  each_conflict([&](const row& some, const row& others) {
    return std::ranges::all_of(others.accesses, [&](std::size_t i) {
      const auto first = over_before(by, some, all_[i]);
      return act_on(some, first, first_behind(by, some, all_[i]), i, act);
    });
  });
}

void access_rows::each_that_lost_order(const order& by, const access_rows& before, const order& before_by,
                                       const pair_function& act) const {
  each_conflict([&](const row& some, const row& others) {
    const auto& some_before = before.rows_[static_cast<std::size_t>(&some - rows_.data())];
    return std::ranges::all_of(others.accesses, [&](std::size_t i) {
      const auto first = over_before(by, some, all_[i]), end = first_behind(by, some, all_[i]);
      if (first >= end) return true; // mostly
      const auto over = before.over_before(before_by, some_before, before.all_[i]);
      const auto behind = before.first_behind(before_by, some_before, before.all_[i]);
      return act_on(some, first, std::min(over, end), i, act) &&
             act_on(some, std::max({first, over, behind}), end, i, act);
    });
  });
}

// With those from `first` up to `end`, the latest first.
bool access_rows::act_on(const row& some, std::size_t first, std::size_t end, std::size_t other,
                         const pair_function& act) {
  auto more = further::all;
  for (auto j = end; j > first && more == further::all; --j) more = act(some.accesses[j - 1], other);
  return more != further::none;
}

} // namespace windrow::overlap
