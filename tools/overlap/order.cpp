// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/order.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>

namespace windrow::overlap {

namespace {

/// An event releases when it begins and acquires when it ends.
struct step {
  std::uint64_t at_ns;
  int pe;
  std::size_t index;
  bool acquires;
  auto operator<=>(const step&) const = default;
};

std::vector<step> steps_of(const model& all, int pe) {
  std::vector<step> steps;
  std::uint64_t last_ns = 0;
  const auto& events = all.events(pe);
  for (std::size_t i = 0; i < events.size(); ++i) {
    last_ns = std::max(last_ns, events[i].begin_ns);
    steps.push_back({last_ns, pe, i, false});
    last_ns = std::max(last_ns, events[i].end_ns);
    steps.push_back({last_ns, pe, i, true});
  }
  return steps;
}

/// Of PEs from `first` up to `end`, in the order of time.
std::vector<step> merged_steps(const model& all, int first, int end) {
  if (end - first == 1) return steps_of(all, first);
  const int middle = first + (end - first) / 2;
  const auto some = merged_steps(all, first, middle), others = merged_steps(all, middle, end);
  std::vector<step> steps;
  steps.reserve(some.size() + others.size());
  std::ranges::merge(some, others, std::back_inserter(steps));
  return steps;
}

} // namespace

class order_maker {
 public:
  order_maker(const model& all, order_rules rules, order& to)
      : all_(all), rules_(rules), to_(to), now_(static_cast<std::size_t>(all.pes()), to.clocks_.size()) {
    to_.clocks_.emplace_back(all.pes());
    for (int pe = 0; pe < all.pes(); ++pe) to_.index_.emplace_back(all.events(pe).size());
    meetings_.resize(static_cast<std::size_t>(all.pes()));
  }

  void run() {
    for (const auto& one : merged_steps(all_, 0, all_.pes())) {
      const auto& what = all_.events(one.pe)[one.index];
      if (one.acquires)
        acquire(one, what);
      else
        begin(one, what);
    }
  }

 private:
  using clock = order::clock;
  struct meeting {
    clock joined;
  };
  struct told {
    int by;
    clock known;
  };
  struct channel {
    std::vector<told> all;           ///< where order must be sure
    std::map<int, clock> last;       ///< else: what a PE tells later knows all that it told before
    std::map<int, std::size_t> seen; ///< by each PE that waits
    std::map<int, std::size_t> sent; ///< the last event of each PE that told
  };
  using channel_key = std::pair<int, std::uint64_t>; ///< owner of the word, and its begin

  void begin(const step& at, const event& what) {
    index_of(at) = now(at.pe);
    if (meets(what))
      join(meeting_of(at, what).joined, released(at));
    else if (what.what == action::notify)
      tell({all_pes, what.remote.begin}, at);
    else
      for (const auto word : all_.signalled(what)) tell({what.peer, word}, at);
  }

  void acquire(const step& at, const event& what) {
    if (meets(what))
      learn(at, arrived_[{what.team, counted(at, what)}].joined);
    else if (what.what == action::wait || what.what == action::test) {
      learn_from_words(at.pe, at, what);
      // Which PE gets a lock first is chance.
      if (!rules_.surely) learn_from_words(all_pes, at, what);
    } else if (model::acquires(what)) {
      learn_from_words(what.peer, at, what);
    }
    index_of(at) = now(at.pe);
  }

  bool meets(const event& what) const {
    return (what.what == action::barrier || what.what == action::collective) && rules_.without != what.site;
  }

  // The how many-th of its team this is for the PE.
  meeting& meeting_of(const step& at, const event& what) {
    return arrived_[{what.team, meetings_[static_cast<std::size_t>(at.pe)][what.team]++}];
  }
  std::size_t counted(const step& at, const event& what) {
    return meetings_[static_cast<std::size_t>(at.pe)][what.team] - 1;
  }

  void tell(channel_key key, const step& at) {
    auto& to = channels_[key];
    to.sent[at.pe] = at.index;
    if (rules_.surely)
      to.all.push_back({at.pe, released(at)});
    else
      to.last[at.pe] = released(at);
  }

  // Of all that begin in the memory that is asked for: where there are several, nobody knows for sure which
  // of them the wait was for.
  void learn_from_words(int owner, const step& at, const event& what) {
    const bool several = word_bytes(what) < what.remote.bytes;
    for (auto one = channels_.lower_bound({owner, what.remote.begin});
         one != channels_.end() && one->first.first == owner && asks_for(what, one->first.second); ++one)
      learn_from(one->first, one->second, at, what, rules_.surely && several);
  }

  void learn_from(channel_key key, channel& from, const step& at, const event& what, bool only_arrivals) {
    for (const auto& [pe, sent] : from.sent)
      to_.see_arrival({pe, key.first, key.second}, sent, at.pe, at.index);
    if (only_arrivals) return;
    if (rules_.surely) return learn_surely(from, at, what);
    for (const auto& [pe, known] : from.last) learn(at, known);
  }

  // Of several signals the first may be the one that has ended the wait.
  void learn_surely(channel& from, const step& at, const event& what) {
    const auto since = std::exchange(from.seen[at.pe], from.all.size());
    const auto first = from.all.begin() + static_cast<std::ptrdiff_t>(since);
    const auto by_other = [&](const told& one) { return one.by != first->by; };
    if (what.what != action::wait || first == from.all.end() || std::any_of(first, from.all.end(), by_other))
      return;
    learn(at, first->known);
  }

  clock released(const step& at) const {
    auto known = to_.clocks_[now_[static_cast<std::size_t>(at.pe)]];
    known[static_cast<std::size_t>(at.pe)] = at.index + 1;
    return known;
  }

  static void join(clock& to, const clock& other) {
    to.resize(other.size());
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = std::max(to[i], other[i]);
  }

  // Those who meet know the same behind it, and have one clock.
  void learn(const step& at, const clock& other) {
    auto known = to_.clocks_[now_[static_cast<std::size_t>(at.pe)]];
    join(known, other);
    if (known == to_.clocks_[now_[static_cast<std::size_t>(at.pe)]]) return;
    if (known != to_.clocks_.back()) to_.clocks_.push_back(std::move(known));
    now_[static_cast<std::size_t>(at.pe)] = to_.clocks_.size() - 1;
  }

  std::uint32_t now(int pe) const { return static_cast<std::uint32_t>(now_[static_cast<std::size_t>(pe)]); }
  std::uint32_t& index_of(const step& at) { return to_.index_[static_cast<std::size_t>(at.pe)][at.index]; }

  const model& all_;
  order_rules rules_;
  order& to_;
  std::vector<std::size_t> now_; ///< the clock of each PE
  std::vector<std::map<std::uint32_t, std::size_t>> meetings_;
  std::map<std::pair<std::uint32_t, std::size_t>, meeting> arrived_;
  std::map<channel_key, channel> channels_;
};

order::order(const model& all, order_rules rules) {
  order_maker(all, rules, *this).run();
}

void order::see_arrival(const road& on, std::size_t sent, int pe, std::size_t event) {
  for (const auto word : {on.word, any_word}) {
    auto& seen = arrivals_[{on.by, on.owner, word}][pe];
    if (seen.empty() || seen.back().sent < sent) seen.push_back({event, sent});
  }
}

bool order::have_come(const signals& sent, int other, std::size_t start) const {
  const auto found = arrivals_.find({sent.by, sent.owner, sent.word});
  if (found == arrivals_.end()) return false;
  return std::ranges::any_of(found->second, [&](const auto& of_pe) {
    const auto& [pe, seen] = of_pe;
    const auto first = std::ranges::lower_bound(seen, sent.from, {}, &arrival::sent);
    return first != seen.end() && before(pe, first->seen, other, start);
  });
}

} // namespace windrow::overlap
