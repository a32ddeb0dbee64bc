// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/advice.hpp"

#include <algorithm>
#include <utility>

#include "tools/overlap/latest.hpp"
#include "tools/overlap/own_work.hpp"

namespace windrow::overlap {

namespace {

class pe_adviser {
 public:
  using table = std::map<std::pair<std::uint32_t, action>, advice>;

  pe_adviser(const model& all, int pe, table& to)
      : all_(all),
        pe_(pe),
        events_(all.events(pe)),
        to_(to),
        latest_(latest_places(all, pe)),
        latest_at_target_(latest_places(all, pe, true)),
        ends_(completions(all, pe)),
        work_(events_) {
    transfers_before_.reserve(events_.size() + 1);
    for (const auto& one : events_)
      transfers_before_.push_back(transfers_before_.back() +
                                  (can_go_together(one) ? one.end_ns - one.begin_ns : 0));
  }

  void run() {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (!is_transfer(events_[i])) continue;
      if (events_[i].blocking && !returns_value(events_[i])) advise_for(i, i, latest_[i]);
      if (ends_[i] != i && ends_[i] < events_.size()) completed_by_[ends_[i]].push_back(i);
    }
    for (const auto& [end, transfers] : completed_by_)
      if (!events_[end].implied) advise_completion(end, transfers);
  }

 private:
  // The program needs it at once.
  static bool returns_value(const event& one) {
    return one.what == action::update || (one.what == action::get && one.local.bytes == 0);
  }

  // With one that is under way: nobody learns anything by it.
  bool can_go_together(const event& one) const {
    return one.blocking && !returns_value(one) && !one.atomic && is_transfer(one) && !all_.is_signal(one);
  }

  void advise_completion(std::size_t end, const std::vector<std::size_t>& transfers) {
    auto& to = advise_for(end, end, earliest_latest(end, transfers));
    for (const auto i : transfers) ++to.waits_for[events_[i].site];
  }

  // A signal that had to be sent before, as in front of a wait, asks nothing of what completes it.
  std::size_t earliest_latest(std::size_t end, const std::vector<std::size_t>& transfers) const {
    auto earliest = events_.size();
    bool any = false;
    for (const auto i : transfers) {
      if (latest_at_target_[i] <= end && all_.is_signal(events_[i])) continue;
      earliest = std::min(earliest, latest_at_target_[i]);
      any = true;
    }
    return any ? earliest : end;
  }

  // A barrier cannot move, nor what must be complete already.
  advice& advise_for(std::size_t wait, std::size_t from, std::size_t latest) {
    const auto& one = events_[wait];
    auto& to = to_.try_emplace({one.site, one.what}, advice{{}, one.site, one.what, {}, {}}).first->second;
    if (latest <= from) latest = from;
    ++to.latest[limit_at(all_, pe_, latest)];
    to.add(one, work_.between(from, latest) + (is_transfer(one) ? transfers_between(from, latest) : 0));
    return to;
  }

  // Time that it spends in other transfers. A quiet that is owed comes before these.
  std::uint64_t transfers_between(std::size_t from, std::size_t to) const {
    return to <= from ? 0 : transfers_before_[to] - transfers_before_[from + 1];
  }

  const model& all_;
  int pe_;
  const std::vector<event>& events_;
  table& to_;
  std::vector<std::size_t> latest_, latest_at_target_, ends_;
  own_work work_;
  std::vector<std::uint64_t> transfers_before_{0};
  std::map<std::size_t, std::vector<std::size_t>> completed_by_;
};

} // namespace

limit limit_at(const model& all, int pe, std::size_t i) {
  if (i >= all.events(pe).size()) return end_of_program;
  const auto& one = all.events(pe)[i];
  return {one.site, one.what, all.is_signal(one)};
}

void gain::add(const event& wait, std::uint64_t work) {
  const auto waited = wait.end_ns - wait.begin_ns;
  ++times;
  waited_ns += waited;
  work_ns += work;
  saved_ns += std::min(waited, work);
}

bool gain::worthwhile(std::uint64_t least_work_ns) const {
  constexpr std::uint64_t least_part = 10; // of the time waited: a tenth
  return saved_ns > 0 &&
         (small_too || (saved_ns * least_part >= waited_ns && work_ns >= times * least_work_ns));
}

std::vector<advice> advise(const model& all) {
  pe_adviser::table found;
  for (int pe = 0; pe < all.pes(); ++pe) pe_adviser(all, pe, found).run();
  std::vector<advice> result;
  for (auto& [key, one] : found) result.push_back(std::move(one));
  return result;
}

} // namespace windrow::overlap
