// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/later_rounds.hpp"

#include <map>
#include <set>

#include "compiler/defer/plan/numbers.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr unsigned most_points = 512;    // that are looked at, of all loops together
constexpr unsigned most_own_rounds = 16; // of loops around one of the two only

using round_numbers = SmallVector<unsigned, 4>; // of loops, the outermost first

struct place {
  number address, pe;
};

// Bytes from `low` to `high`, behind an address.
struct extent {
  int64_t low, high;
};

// Where something has been written: on one PE, of addresses with the same unknown parts, the bytes, and when.
class written_places {
 public:
  void add(const place& where, uint64_t bytes, const round_numbers& now) {
    places_[{where.pe, where.address.unknowns}][where.address.constant] = {bytes, now};
  }

  const round_numbers* last_time(const place& where, uint64_t bytes) const {
    const auto& address = where.address;
    const auto known = places_.find({where.pe, address.unknowns});
    if (known == places_.end()) return nullptr;
    const auto next = known->second.lower_bound(address.constant + static_cast<int64_t>(bytes));
    if (next == known->second.begin()) return nullptr;
    const auto& [begin, written] = *std::prev(next);
    return begin + static_cast<int64_t>(written.bytes) > address.constant ? &written.when : nullptr;
  }

 private:
  struct written {
    uint64_t bytes;
    round_numbers when;
  };
  std::map<std::pair<number, std::vector<term>>, std::map<int64_t, written>> places_;
};

// The same as ranges, where it is not known which place: those that are known apart.
class written_ranges {
 public:
  explicit written_ranges(const unknown_numbers& unknowns) : unknowns_(&unknowns) {}

  void add(const place& where, uint64_t bytes) {
    auto& all = where.address.is_exact() ? exact_ : ranges_;
    const auto bytes_there = extent_of(where.address, bytes);
    add({where.pe, where.address.unknowns}, bytes_there, all);
    add(key_of_any(where), {-far, far}, of_any_);
    if (is_anywhere(where.address)) anywhere_ = true;
  }
  void add(const written_ranges& others) {
    for (const auto& [key, bytes] : others.exact_) add(key, bytes, exact_);
    for (const auto& [key, bytes] : others.ranges_) add(key, bytes, ranges_);
    for (const auto& [key, bytes] : others.of_any_) add(key, bytes, of_any_);
    anywhere_ |= others.anywhere_;
  }
  void clear() { *this = written_ranges(*unknowns_); }

  bool may_hold(const place& where, uint64_t bytes) const {
    if (anywhere_ || (is_anywhere(where.address) && !of_any_.empty())) return true;
    if (is_any(where.address) && of_any_.contains(key_of_any(where))) return true;
    if (any_of(ranges_, [&](const auto& one) {
          return one.second.high - one.second.low > far && one.first == key_of_any(where);
        }))
      return true;
    return holds(where, bytes, ranges_) || (!where.address.is_exact() && holds(where, bytes, exact_));
  }

 private:
  using key = std::pair<number, std::vector<term>>;
  using extents = std::map<key, extent>;

  static bool is_any(const number& address) { return address.spread > far; }
  static bool is_anywhere(const number& address) { return is_any(address) && address.unknowns.empty(); }
  // To what may be any number, it makes no difference what else is added.
  key key_of_any(const place& where) const {
    return {where.pe, unknowns_->without_scalars(where.address).unknowns};
  }
  static extent extent_of(const number& address, uint64_t bytes) {
    return {address.constant, address.constant + address.spread + static_cast<int64_t>(bytes)};
  }
  static void add(const key& where, const extent& bytes, extents& to) {
    const auto [known, fresh] = to.try_emplace(where, bytes);
    if (fresh) return;
    known->second.low = std::min(known->second.low, bytes.low);
    known->second.high = std::max(known->second.high, bytes.high);
  }
  static bool holds(const place& where, uint64_t bytes, const extents& in) {
    const auto known = in.find({where.pe, where.address.unknowns});
    const auto its = extent_of(where.address, bytes);
    return known != in.end() && known->second.low < its.high && its.low < known->second.high;
  }

  const unknown_numbers* unknowns_;
  extents exact_, ranges_, of_any_;
  bool anywhere_ = false;
};

// Plays the first rounds.
class rounds_player {
 public:
  rounds_player(const place_of_access& write, const place_of_access& fetch, numbers writing, numbers fetching,
                const unknown_numbers& unknowns)
      : write_(write),
        fetch_(fetch),
        writing_(std::move(writing)),
        fetching_(std::move(fetching)),
        unknowns_(unknowns),
        of_any_pe_(!write.pe || !fetch.pe) {
    const auto &one = writing_.loops(), &other = fetching_.loops();
    while (common_ < one.size() && common_ < other.size() && one[common_] == other[common_]) ++common_;
  }

  // The levels of the loops.
  const std::set<unsigned>& find(bool also_perhaps) {
    if (common_ == 0) return found_;
    settles_ = also_perhaps;
    of_any_pe_ =
        of_any_pe_ || changes_by_itself(writing_, *write_.pe) || changes_by_itself(fetching_, *fetch_.pe);
    const unsigned alike = common_ == 1 ? most_points : common_ == 2 ? 22 : common_ == 3 ? 8 : 4;
    play(round_numbers(common_, alike));
    for (unsigned level = 0; common_ > 1 && level < common_; ++level) { // far apart in one of the loops
      play_more_of(level, 1);
      play_more_of(level, alike);
    }
    for (unsigned level = 0; level < common_; ++level)
      if (!found_.contains(level) &&
          (advance_evenly(level) || advance_somehow(level) || reach_far_inside(level) ||
           (also_perhaps && write_where_fetched(level))))
        found_.insert(level);
    if (also_perhaps && bends_ && !is_complete_) {
      writing_.forget_conditions();
      fetching_.forget_conditions();
      for (unsigned level = 0; level < common_; ++level)
        if (go_on_unevenly(level)) found_.insert(level);
    }
    return found_;
  }

 private:
  // Both by the same step in each round: however far apart they are.
  bool advance_evenly(unsigned level) {
    if (!are_in_common_loops()) return false;
    const auto [written, fetched] = in_round(level, 0);
    const auto [written_next, fetched_next] = in_round(level, 1);
    const auto step = difference(fetched_next.address, fetched.address);
    const auto apart = difference(written.address, fetched.address);
    constexpr int64_t most_bytes_apart = int64_t{1} << 60;
    if (step != difference(written_next.address, written.address) || !step.is_known() || !apart.is_known() ||
        written.pe != fetched.pe || step.constant == 0 || std::abs(apart.constant) > most_bytes_apart ||
        std::abs(step.constant) > most_bytes_apart)
      return false;
    const auto rounds = apart.constant / step.constant; // or one more, which overlaps
    for (const auto round : {rounds, rounds + 1}) {
      const auto left = apart.constant - round * step.constant;
      if (round <= 0 || round > most_rounds || left >= static_cast<int64_t>(fetch_.bytes) ||
          -left >= static_cast<int64_t>(write_.bytes))
        continue;
      in_round(level, static_cast<unsigned>(round));
      if (!writing_.is_over(level)) return true;
    }
    return false;
  }

  // One of them by a step that is not known: however far apart they are.
  bool advance_somehow(unsigned level) {
    if (!are_in_common_loops()) return false;
    const auto [written, fetched] = in_round(level, 0);
    const auto [written_next, fetched_next] = in_round(level, 1);
    const auto apart = difference(written.address, fetched.address);
    const auto step = difference(fetched_next.address, fetched.address);
    const bool somehow = !step.is_exact() || !written_next.address.is_exact();
    if (!somehow || !apart.unknowns.empty() || !step.unknowns.empty() || written.pe != fetched.pe)
      return false;
    const auto comes_to = [&](int64_t nearest, int64_t furthest, int64_t fastest) {
      const auto round = std::max<int64_t>(std::max<int64_t>(nearest, 1) / std::max<int64_t>(fastest, 1), 1);
      if (furthest <= 0 || fastest <= 0 || round > most_rounds) return false;
      in_round(level, static_cast<unsigned>(round));
      return !writing_.is_over(level);
    };
    return comes_to(apart.constant, apart.constant + apart.spread, step.constant + step.spread) ||
           comes_to(-apart.constant - apart.spread, -apart.constant, -step.constant);
  }

  // Whether nobody knows which PE it is in the next round.
  bool changes_by_itself(numbers& side, const Value& pe) const {
    for (const unsigned round : {0U, 1U, 2U}) {
      for (unsigned level = 0; level < side.loops().size(); ++level) side.set_round(level, round);
      if (!side.of(pe).is_exact()) return true;
    }
    return false;
  }

  // One of them in more loops than the other one: these may go further than is played.
  bool reach_far_inside(unsigned level) {
    if (are_in_common_loops()) return false;
    auto write = write_, fetch = fetch_;
    if (of_any_pe_) write.pe = fetch.pe = nullptr;
    access_in_rounds writing(write, writing_), fetching(fetch, fetching_);
    return ranges_meet_later(writing, fetching, level);
  }

  // Each round its own place, by something that is not known, so that it may come again.
  bool write_where_fetched(unsigned level) {
    if (!are_in_common_loops()) return false;
    const auto is_written = [&](const std::pair<place, place>& both) {
      const auto& [written, fetched] = both;
      const auto apart = difference(written.address, fetched.address);
      return apart.is_known() && written.pe == fetched.pe &&
             apart.constant < static_cast<int64_t>(fetch_.bytes) &&
             -apart.constant < static_cast<int64_t>(write_.bytes);
    };
    const auto one = in_round(level, 0), next = in_round(level, 1);
    return is_written(one) && is_written(next) &&
           !difference(one.second.address, next.second.address).is_known();
  }

  // In rounds that are not played, perhaps to any place.
  bool go_on_unevenly(unsigned level) {
    const auto [written, fetched] = in_round(level, 1);
    const auto is_bent = [](const number& one) { return one.bends && one.is_exact(); };
    return unknowns_.without_scalars(written.address).unknowns ==
               unknowns_.without_scalars(fetched.address).unknowns &&
           (!are_in_common_loops() || is_bent(written.address) || is_bent(fetched.address) ||
            advance_somehow(level));
  }

  bool are_in_common_loops() const {
    return writing_.loops().size() == common_ && fetching_.loops().size() == common_;
  }

  // Of the first rounds of the other loops: what is written, and what is fetched.
  std::pair<place, place> in_round(unsigned level, unsigned round) {
    writing_.set_round(0, 0);
    fetching_.set_round(0, 0);
    writing_.set_round(level, round);
    fetching_.set_round(level, round);
    return {place_of(writing_, write_), place_of(fetching_, fetch_)};
  }

  place place_of(numbers& side, const place_of_access& access) {
    const place where{begin_of(access, side), of_any_pe_ ? number() : side.of(*access.pe)};
    bends_ |= where.address.bends && where.address.is_exact();
    return where;
  }

  // As many rounds as there is time for, with those of the other loops, of which there may be few.
  void play_more_of(unsigned level, unsigned others) {
    round_numbers most(common_, others);
    most[level] = most_points;
    for (unsigned other = 0; other < common_; ++other)
      if (other != level) most[level] /= std::max(first_rounds(other, others), 1U);
    if (most[level] > 2 * others) play(most); // else it is what has been played, or little more
  }

  // How many rounds the loop has in the first ones of those around it, up to `most`.
  unsigned first_rounds(unsigned level, unsigned most) {
    writing_.set_round(0, 0);
    unsigned rounds = 0;
    for (; rounds < most; ++rounds) {
      writing_.set_round(level, rounds);
      if (writing_.is_over(level)) break;
    }
    return rounds;
  }

  void play(const round_numbers& most) {
    points_ = most_points;
    is_cut_short_ = false;
    written_ = written_places();
    before_.assign(common_, written_ranges(unknowns_));
    latest_.assign(common_, written_ranges(unknowns_));
    play_level(0, most, round_numbers(common_, 0));
    is_complete_ |= !is_cut_short_;
  }

  void play_level(unsigned level, const round_numbers& most, round_numbers now) {
    if (level == common_) return play_round(now);
    before_[level].clear();
    latest_[level].clear();
    for (now[level] = 0;; ++now[level]) {
      writing_.set_round(level, now[level]);
      fetching_.set_round(level, now[level]);
      if (writing_.is_over(level)) break;
      if (now[level] == most[level] || points_ == 0 || found_.contains(common_ - 1)) {
        is_cut_short_ = true;
        break;
      }
      play_level(level + 1, most, now);
      before_[level].add(latest_[level]);
      latest_[level].clear();
    }
  }

  // What the round fetches may have been written by rounds before it.
  void play_round(const round_numbers& now) {
    --points_;
    each_place(fetching_, fetch_, common_, [&](const place& where) {
      for (unsigned level = 0; level < common_; ++level)
        if (before_[level].may_hold(where, fetch_.bytes)) found_.insert(level);
      const auto* before = where.address.is_exact() ? written_.last_time(where, fetch_.bytes) : nullptr;
      if (!before) return;
      const auto level = std::mismatch(now.begin(), now.end(), before->begin()).first - now.begin();
      found_.insert(static_cast<unsigned>(level));
    });
    each_place(writing_, write_, common_, [&](const place& where) {
      if (where.address.is_exact()) written_.add(where, write_.bytes, now);
      for (auto& one : latest_) one.add(where, write_.bytes);
    });
  }

  // In the loops around this one only.
  void each_place(numbers& side, const place_of_access& access, unsigned level,
                  function_ref<void(const place&)> take) {
    if (level == side.loops().size()) {
      auto where = place_of(side, access);
      if (settles_) where.address = unknowns_.settled(where.address);
      return take(where);
    }
    const auto own = side.loops().size() - common_;
    const unsigned most = own == 1 ? most_own_rounds : own == 2 ? 4 : 2;
    for (unsigned round = 0;; ++round) {
      side.set_round(level, round);
      if (side.is_over(level)) break;
      if (round == most) {
        is_cut_short_ = true;
        break;
      }
      // Later ones may go on from there.
      const bool last = round + 1 == most;
      each_place(side, access, level + 1, [&](place where) {
        if (last && !where.address.is_exact()) where.address.constant = -far, where.address.spread = 2 * far;
        take(where);
      });
    }
  }

  const place_of_access &write_, &fetch_;
  numbers writing_, fetching_;
  const unknown_numbers& unknowns_;
  bool of_any_pe_, settles_ = false;
  bool is_cut_short_ = false, is_complete_ = false; // not all rounds are played; in one way they have been
  bool bends_ = false;                              // an address does not go on evenly
  unsigned common_ = 0;                             // loops around both
  unsigned points_ = 0;                             // that may still be looked at
  std::set<unsigned> found_;
  written_places written_;
  std::vector<written_ranges> before_, latest_; // of each loop: in earlier rounds of it, and in this one
};

} // namespace

// The outermost first.
loop_nest later_rounds::loops_around(const Instruction& instruction) const {
  loop_nest loops;
  for (const auto* loop = structure_.loops.getLoopFor(instruction.getParent()); loop;
       loop = loop->getParentLoop())
    if (region_.contains(loop->getHeader())) loops.insert(loops.begin(), loop);
  return loops;
}

SmallVector<const Loop*, 2> later_rounds::around(const Instruction& one, const Instruction& other) const {
  SmallVector<const Loop*, 2> found;
  copy_if(loops_around(one), std::back_inserter(found),
          [&](const Loop* loop) { return loop->contains(&other); });
  return found;
}

SmallVector<const Loop*, 2> later_rounds::that_fetch(const place_of_access& written,
                                                     const place_of_access& fetched,
                                                     bool also_perhaps) const {
  const auto loops = loops_around(*written.at), others = loops_around(*fetched.at);
  unknown_numbers unknowns;
  rounds_player player(written, fetched, numbers(loops, structure_, body_, written_, unknowns, steps_left_),
                       numbers(others, structure_, body_, written_, unknowns, steps_left_), unknowns);
  SmallVector<const Loop*, 2> found;
  for (const auto level : player.find(also_perhaps)) found.push_back(loops[level]);
  return found;
}

} // namespace windrow::compiler::defer
