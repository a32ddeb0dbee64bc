// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/split_barriers.hpp"

#include <algorithm>
#include <ranges>
#include <span>
#include <vector>

#include "tools/overlap/order.hpp"
#include "tools/overlap/own_work.hpp"
#include "tools/overlap/pairs.hpp"

namespace windrow::overlap {

namespace {

/// Which events others rely on, and which rely on others.
///
/// An access that others use later has to be over when its PE says that it has come to the next barrier, and
/// one of what others have done before has to wait for the barrier before it. Where several barriers lie
/// between two accesses, one of them would do; both are kept, so that advice about each holds with all other
/// advice taken.
class reliance {
 public:
  explicit reliance(const model& all) : all_(all), order_(all, {.surely = true, .without = {}}) {
    for (int pe = 0; pe < all.pes(); ++pe) {
      used_later_.emplace_back(all.events(pe).size());
      uses_earlier_.emplace_back(all.events(pe).size());
    }
    const auto accesses = accesses_of_all_code(all, all_completions(all));
    const access_rows rows(accesses, depend_on_order);
    rows.each_conflict([&](const auto& some, const auto& others) {
      note(accesses, rows, some, others);
      note(accesses, rows, others, some);
      return true;
    });
  }

  /// Has to be before a PE says that it has come.
  bool keeps_early(int pe, std::size_t i) const {
    return may_synchronize(pe, i) || used_later_[static_cast<std::size_t>(pe)][i];
  }
  /// Has to wait for the others.
  bool keeps_late(int pe, std::size_t i) const {
    return may_synchronize(pe, i) || uses_earlier_[static_cast<std::size_t>(pe)][i];
  }

 private:
  // The last of the others is most likely not to be over, and the first not to come later.
  void note(const std::vector<lasting_access>& all, const access_rows& rows, const access_rows::row& mine,
            const access_rows::row& others) {
    const std::span<const std::size_t> accesses = others.accesses;
    for (const auto i : mine.accesses) {
      const auto& one = all[i];
      const auto by = static_cast<std::size_t>(one.by);
      const auto open = accesses.subspan(rows.over_before(order_, others, one));
      const auto not_behind = accesses.first(rows.first_behind(order_, others, one));
      const auto may_come_later = [&](std::size_t other) { return !is_before(order_, all[other], one); };
      const auto may_have_come = [&](std::size_t other) { return !is_before(order_, one, all[other]); };
      if (!used_later_[by][one.start])
        used_later_[by][one.start] = std::ranges::any_of(open | std::views::reverse, may_come_later);
      if (!uses_earlier_[by][one.start])
        uses_earlier_[by][one.start] = std::ranges::any_of(not_behind, may_have_come);
    }
  }

  // Others may learn something by it, or this PE something of others.
  bool may_synchronize(int pe, std::size_t i) const {
    const auto& one = all_.events(pe)[i];
    switch (one.what) {
      case action::load:
      case action::end_of_life:
        return false;
      case action::store:
        return one.shared;
      case action::put:
      case action::get:
        return one.atomic || all_.is_signal(one);
      default:
        return true;
    }
  }

  const model& all_;
  order order_;
  std::vector<std::vector<bool>> used_later_, uses_earlier_; ///< of each PE and event
};

split_place place_of(const model& all, const reliance& kept, int pe, std::size_t barrier) {
  split_place place{pe, barrier, barrier, barrier + 1};
  do --place.after;
  while (place.after != SIZE_MAX && !kept.keeps_early(pe, place.after));
  while (place.before < all.events(pe).size() && !kept.keeps_late(pe, place.before)) ++place.before;
  return place;
}

// The wait for one barrier, in front of `last.before`, comes before what says that the PE has come to the
// next.
void keep_apart(const split_place& last, split_place& next) {
  if (last.pe == next.pe && next.after + 1 < last.before) next.after = last.before - 1;
}

bool is_call(const event& one) {
  return one.what < action::load || one.what == action::unknown_code;
}

// Accesses of one place are recorded at the time of the first one, and may go on until the next call.
std::uint64_t work_before(const own_work& work, const std::vector<event>& events, const split_place& place) {
  auto from = place.after;
  while (from < place.barrier && !is_call(events[from])) ++from;
  return work.between(from, place.barrier);
}

void add(split_barrier& to, const model& all, const own_work& work, const split_place& place) {
  const auto& events = all.events(place.pe);
  to.add(events[place.barrier], work_before(work, events, place) + work.between(place.barrier, place.before));
  ++to.after[limit_at(all, place.pe, place.after)];
  ++to.before[limit_at(all, place.pe, place.before)];
}

} // namespace

std::vector<split_place> split_places(const model& all) {
  if (!all.run().all_accesses) return {};
  const reliance kept(all);
  std::vector<split_place> places;
  for (int pe = 0; pe < all.pes(); ++pe)
    for (std::size_t i = 0; i < all.events(pe).size(); ++i)
      if (const auto& one = all.events(pe)[i]; one.what == action::barrier && !one.implied)
        places.push_back(place_of(all, kept, pe, i));
  for (std::size_t i = 1; i < places.size(); ++i) keep_apart(places[i - 1], places[i]);
  return places;
}

std::vector<split_barrier> split_barriers(const model& all) {
  std::vector<own_work> work;
  work.reserve(static_cast<std::size_t>(all.pes()));
  for (int pe = 0; pe < all.pes(); ++pe) work.emplace_back(all.events(pe));
  std::map<std::uint32_t, split_barrier> found;
  for (const auto& place : split_places(all)) {
    const auto site = all.events(place.pe)[place.barrier].site;
    add(found.try_emplace(site, split_barrier{{}, site, {}, {}}).first->second, all,
        work[static_cast<std::size_t>(place.pe)], place);
  }
  std::vector<split_barrier> result;
  result.reserve(found.size());
  for (auto& [site, one] : found) result.push_back(std::move(one));
  return result;
}

} // namespace windrow::overlap
