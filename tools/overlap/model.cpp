// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/model.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

namespace windrow::overlap {

namespace {

constexpr std::uint64_t longest_asked = 64; // of vectors that are read as volatile

// Of an update: what was there before.
bool returns_value(const event& one) {
  return one.blocking || one.local.bytes != 0;
}

bool asks(const event& one) {
  return one.what == action::wait || one.what == action::test ||
         (one.atomic && (one.what == action::get || (one.what == action::update && returns_value(one))));
}

access::atomicity atomicity_of(const event& one) {
  using enum access::atomicity;
  if (!is_transfer(one) || !one.atomic) return any;
  if (one.of_shared) return one.floating ? shared_floating : shared_integers;
  return one.floating ? floating : integers;
}

bool are_exclusive(const access& a, const access& b) {
  if (!a.atomic || !b.atomic) return false;
  const auto any = access::atomicity::any;
  return a.as == any || b.as == any || (a.as == b.as && a.where == b.where);
}

/// Both touch the same bytes, and one changes them.
bool meet_in_a_change(const access& a, const access& b) {
  return a.pe == b.pe && (a.writes || b.writes) && a.where.meets(b.where);
}

} // namespace

bool conflict(const access& a, const access& b) {
  return meet_in_a_change(a, b) && !are_exclusive(a, b);
}

bool depend_on_order(const access& a, const access& b) {
  return meet_in_a_change(a, b) && !(a.adds && b.adds);
}

namespace {

/// Words that are asked for, each array of them once.
class asked_ranges {
 public:
  void add(const event& one) {
    if (one.remote.bytes != 0) ranges_.emplace(one.remote.begin, one.remote.bytes, word_bytes(one));
  }

  std::map<std::uint64_t, std::uint64_t> words() const {
    std::map<std::uint64_t, std::uint64_t> all;
    for (const auto& [begin, bytes, each] : ranges_)
      for (std::uint64_t at = 0; at < bytes; at += each) {
        auto& longest = all[begin + at];
        longest = std::max(longest, each);
      }
    return all;
  }

 private:
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> ranges_;
};

} // namespace

model::model(const recording& run) : run_(&run) {
  std::vector<asked_ranges> asked(run.pes.size()), awaited(run.pes.size());
  for (int pe = 0; pe < pes(); ++pe)
    for (const auto& one : events(pe)) {
      const int owner = is_transfer(one) ? one.peer : pe;
      if (asks(one) && owner >= 0 && owner < pes()) asked[static_cast<std::size_t>(owner)].add(one);
      if (one.what == action::wait || one.what == action::test)
        awaited[static_cast<std::size_t>(pe)].add(one);
    }
  for (const auto& one : asked) asked_.push_back(one.words());
  for (const auto& one : awaited) awaited_.push_back(one.words());
}

// Of a word that is written in part too.
std::vector<std::uint64_t> model::changed(const word_set& words, const range& by) {
  std::vector<std::uint64_t> found;
  const auto first = by.begin - std::min(by.begin, longest_asked - 1);
  for (auto at = words.lower_bound(first); at != words.end() && at->first < by.end(); ++at)
    if (by.meets({at->first, at->second})) found.push_back(at->first);
  return found;
}

std::vector<std::uint64_t> model::signalled(const event& one) const {
  if (one.what == action::put_signal) return {one.word.begin};
  const bool writes = one.what == action::put || one.what == action::update;
  if (!writes || one.peer < 0 || one.peer >= pes()) return {};
  return changed(asked_[static_cast<std::size_t>(one.peer)], one.remote);
}

bool model::is_signal(const event& one) const {
  return !signalled(one).empty();
}

bool model::is_awaited(const event& one) const {
  return one.peer >= 0 && one.peer < pes() &&
         !changed(awaited_[static_cast<std::size_t>(one.peer)], one.remote).empty();
}

namespace {

// Of what a load or store touches.
int owner_of(const event& one, int pe) {
  return one.peer == all_pes ? pe : one.peer;
}

} // namespace

// Only a word of its own is written as one step: a block with a flag in it is data as well.
std::vector<access> model::accesses_of(const event& one, int pe) const {
  const bool atomic =
      one.atomic || (one.what == action::put && one.remote.bytes <= longest_word && is_awaited(one));
  const auto as = atomicity_of(one);
  using atomicity = access::atomicity;
  std::vector<access> all;
  const auto add = [&](int owner, const range& where, bool writes, bool as_one, bool local) {
    if (where.bytes != 0) all.push_back({owner, where, writes, as_one, local, as_one ? as : atomicity::any});
  };
  switch (one.what) {
    case action::put:
    case action::put_signal:
      add(pe, one.local, false, false, true);
      add(one.peer, one.remote, true, atomic, false);
      if (one.word.bytes != 0) all.push_back({one.peer, one.word, true, true, false});
      break;
    case action::get:
      add(one.peer, one.remote, false, atomic, false);
      add(pe, one.local, true, false, true);
      break;
    case action::update:
      add(one.peer, one.remote, true, true, false);
      if (!all.empty()) all.back().adds = one.adds;
      add(pe, one.local, true, false, true);
      break;
    case action::wait:
    case action::test:
      add(pe, one.remote, false, true, true);
      break;
    case action::collective:
      add(pe, one.local, false, false, true);
      add(pe, one.remote, true, false, true);
      break;
    case action::load:
      add(owner_of(one, pe), one.local, false, atomic, true);
      break;
    case action::store:
      add(owner_of(one, pe), one.local, true, atomic, true);
      break;
    case action::end_of_life:
      add(pe, one.local, true, false, true);
      break;
    default:
      break;
  }
  return all;
}

bool model::releases(const event& one) const {
  switch (one.what) {
    case action::barrier:
    case action::collective:
    case action::notify:
    case action::put_signal:
      return true;
    case action::store:
      return one.shared;
    default:
      return is_signal(one);
  }
}

bool model::acquires(const event& one) {
  return one.what == action::barrier || one.what == action::collective || asks(one);
}

namespace {

/// Finds which event completes what, going through the events from the last to the first.
class completion_finder {
 public:
  completion_finder(completion_rules rules, std::size_t events) : rules_(rules), of_others_(events) {}

  void see(std::size_t i, const event& one) {
    if (one.what == action::barrier && rules_.without == one.site) return;
    if (one.what == action::barrier && rules_.barriers_for_all) next_.clear(), of_others_ = i;
    if (one.what == action::quiet || one.what == action::barrier || one.what == action::notify)
      next_[one.context] = {i, i};
    if (one.what == action::fence && rules_.fences) {
      const auto quiet = of(one.context).quiet;
      next_[one.context] = {i, quiet};
    }
  }

  std::size_t end_of(const event& one) const {
    const auto found = of(one.context);
    const bool only_writes = one.what == action::put || one.what == action::put_signal ||
                             (one.what == action::update && one.local.bytes == 0);
    return only_writes ? found.first : found.quiet;
  }

 private:
  struct ends {
    std::size_t first; ///< for what writes
    std::size_t quiet;
  };
  ends of(std::uint32_t context) const {
    const auto found = next_.find(context);
    return found == next_.end() ? ends{of_others_, of_others_} : found->second;
  }

  completion_rules rules_;
  std::size_t of_others_; ///< of contexts that nothing else completes
  std::unordered_map<std::uint32_t, ends> next_;
};

} // namespace

std::vector<std::size_t> completions(const model& all, int pe, completion_rules rules) {
  const auto& events = all.events(pe);
  std::vector<std::size_t> result(events.size());
  completion_finder finder(rules, events.size());
  for (std::size_t i = events.size(); i-- > 0;) {
    const auto& one = events[i];
    finder.see(i, one);
    const bool returns_complete = one.blocking && (one.what == action::get || one.what == action::update);
    result[i] = !is_transfer(one) || returns_complete ? i : finder.end_of(one);
  }
  return result;
}

std::vector<std::vector<std::size_t>> all_completions(const model& all, completion_rules rules) {
  std::vector<std::vector<std::size_t>> found;
  found.reserve(static_cast<std::size_t>(all.pes()));
  for (int pe = 0; pe < all.pes(); ++pe) found.push_back(completions(all, pe, rules));
  return found;
}

} // namespace windrow::overlap
