// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/ranges.hpp"

#include <algorithm>

namespace windrow::compiler::defer {

namespace {

constexpr unsigned most_tried = 64;     // rounds of a loop around one whose number of rounds it decides
constexpr unsigned most_compared = 512; // rounds of which each is compared with each

// Of no more than `far`, so that sums of a few do not overflow.
int64_t reach(int64_t step, int64_t rounds) {
  const bool is_far = rounds != 0 && std::abs(step) > far / rounds;
  return is_far ? (step < 0 ? -far : far) : step * rounds;
}

std::optional<int64_t> step_between(const number& one, const number& next) {
  const auto step = difference(next, one);
  if (!step.is_known() || std::abs(step.constant) > far) return std::nullopt;
  return step.constant;
}

// Of one access in two rounds that follow each other.
struct advance {
  access_in_rounds::range first;
  int64_t step;
};

std::optional<advance> advance_of(access_in_rounds& access, unsigned level) {
  const auto first = access.range_in(level, 0), next = access.range_in(level, 1);
  if (!first || !next || first->pe != next->pe) return std::nullopt;
  const auto step = step_between(first->base, next->base);
  if (!step) return std::nullopt;
  return advance{{first->base, first->pe, std::min(first->low, next->low), std::max(first->high, next->high)},
                 *step};
}

bool meet(const access_in_rounds::range& write, const access_in_rounds::range& fetch, int64_t apart) {
  return write.low < fetch.high + apart && fetch.low + apart < write.high;
}

// Both go on by the same step: only how many rounds are between them matters.
bool meet_evenly(const advance& write, const advance& fetch, int64_t apart, unsigned last) {
  if (write.step == 0) return last > 0 && meet(write.first, fetch.first, apart);
  const auto rounds = [&](int64_t bytes) { return std::clamp<int64_t>(bytes / write.step, 0, last); };
  // They begin or end to meet within a round of these.
  for (const auto edge : {rounds(write.first.low - fetch.first.high - apart),
                          rounds(write.first.high - fetch.first.low - apart)})
    for (const auto between : {edge - 1, edge, edge + 1})
      if (between >= 1 && between <= last &&
          meet(write.first, fetch.first, apart + reach(write.step, between)))
        return true;
  return false;
}

bool meet_in_first_rounds(const advance& write, const advance& fetch, int64_t apart, unsigned last) {
  const auto most = std::min(last, most_compared);
  for (unsigned earlier = 0; earlier < most; ++earlier)
    for (unsigned later = earlier + 1; later <= most; ++later)
      if (meet(write.first, fetch.first, apart + reach(fetch.step, later) - reach(write.step, earlier)))
        return true;
  return false;
}

} // namespace

unsigned access_in_rounds::last_round_here(unsigned level) {
  const auto is_over = [&](unsigned round) {
    rounds_.set_round(level, round);
    const bool over = rounds_.is_over(level);
    bends_ |= rounds_.test_bends();
    return over;
  };
  unsigned end = 1;
  while (end < most_rounds && !is_over(end)) end *= 2;
  if (end >= most_rounds) return most_rounds;
  unsigned begin = end / 2; // the last one that is known to be one, or the first, which may be none
  while (begin + 1 < end) {
    const auto middle = begin + (end - begin) / 2;
    (is_over(middle) ? end : begin) = middle;
  }
  return begin;
}

// A loop around it may decide how many it has: all of its rounds are tried, if they are few.
unsigned access_in_rounds::last_round(unsigned level) {
  rounds_.set_round(0, 0);
  auto last = last_round_here(level);
  unsigned deciding = 0;
  for (unsigned around = 0; around < level && last < most_rounds; ++around) {
    const auto try_round = [&](unsigned round) {
      rounds_.set_round(0, 0);
      rounds_.set_round(around, round);
      return last_round_here(level);
    };
    const auto rounds = last_round(around);
    bends_ = false;
    const auto begin = try_round(0);
    const bool alike =
        try_round(1) == begin && try_round(2) == begin && try_round(std::min(rounds, most_rounds)) == begin;
    if (alike && !bends_) continue;
    if (rounds > most_tried || ++deciding > 1) return most_rounds;
    for (unsigned round = 1; round <= rounds; ++round) last = std::max(last, try_round(round));
  }
  return last;
}

number begin_of(const place_of_access& access, numbers& rounds) {
  auto begin = rounds.of(*access.address);
  begin.constant += access.offset;
  return begin;
}

std::optional<access_in_rounds::range> access_in_rounds::range_in(unsigned level, unsigned round) {
  const auto at = [&](unsigned inner, unsigned inner_round) {
    rounds_.set_round(0, 0);
    rounds_.set_round(level, round);
    if (inner > level) rounds_.set_round(inner, inner_round);
    return std::pair(begin_of(access_, rounds_), access_.pe ? rounds_.of(*access_.pe) : number());
  };
  const auto [base, pe] = at(level, round);
  range found{base, pe, 0, static_cast<int64_t>(access_.bytes)};
  for (unsigned inner = level + 1; inner < rounds_.loops().size(); ++inner) {
    const auto next = at(inner, 1), third = at(inner, 2);
    const auto step = step_between(base, next.first);
    if (!step || step_between(next.first, third.first) != step || next.second != pe) return std::nullopt;
    auto& end = *step < 0 ? found.low : found.high;
    end = std::clamp(end + reach(*step, last_round(inner)), -far, far);
  }
  return found;
}

bool ranges_meet_later(access_in_rounds& write, access_in_rounds& fetch, unsigned level) {
  const auto written = advance_of(write, level), fetched = advance_of(fetch, level);
  if (!written || !fetched || written->first.pe != fetched->first.pe) return false;
  const auto apart = step_between(written->first.base, fetched->first.base);
  if (!apart) return false;
  const auto last = std::min(write.last_round(level), fetch.last_round(level));
  return written->step == fetched->step ? meet_evenly(*written, *fetched, *apart, last)
                                        : meet_in_first_rounds(*written, *fetched, *apart, last);
}

} // namespace windrow::compiler::defer
