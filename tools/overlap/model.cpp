// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/model.hpp"

#include <algorithm>
#include <unordered_map>

namespace windrow::overlap {

namespace {

bool asks(const event& one) {
  return one.what == action::wait || one.what == action::test ||
         (one.atomic && (one.what == action::get || (one.what == action::update && one.blocking)));
}

} // namespace

bool conflict(const access& a, const access& b) {
  return a.pe == b.pe && (a.writes || b.writes) && !(a.atomic && b.atomic) && a.where.meets(b.where);
}

model::model(const recording& run) : run_(&run), asked_(run.pes.size()) {
  for (int pe = 0; pe < pes(); ++pe)
    for (const auto& one : events(pe)) {
      const int owner = is_transfer(one) ? one.peer : pe;
      if (asks(one) && owner >= 0 && owner < pes())
        asked_[static_cast<std::size_t>(owner)].insert(one.remote.begin);
    }
}

std::vector<std::uint64_t> model::signalled(const event& one) const {
  if (one.what == action::put_signal) return {one.word.begin};
  const bool writes = one.what == action::put || one.what == action::update;
  if (!writes || one.peer < 0 || one.peer >= pes()) return {};
  const auto& words = asked_[static_cast<std::size_t>(one.peer)];
  std::vector<std::uint64_t> changed(words.lower_bound(one.remote.begin),
                                     words.lower_bound(one.remote.end()));
  std::erase_if(changed, [&](std::uint64_t word) { return !one.remote.meets({word, 1}); });
  return changed;
}

bool model::is_signal(const event& one) const {
  return !signalled(one).empty();
}

// Only a word of its own is written as one step: a block with a flag in it is data as well.
std::vector<access> model::accesses_of(const event& one, int pe) const {
  const bool atomic =
      one.atomic || (one.what == action::put && one.remote.bytes <= longest_word && is_signal(one));
  std::vector<access> all;
  const auto add = [&](int owner, const range& where, bool writes, bool as_one, bool local) {
    if (where.bytes != 0) all.push_back({owner, where, writes, as_one, local});
  };
  switch (one.what) {
    case action::put:
    case action::put_signal:
      add(pe, one.local, false, false, true);
      add(one.peer, one.remote, true, atomic, false);
      add(one.peer, one.word, true, true, false);
      break;
    case action::get:
      add(one.peer, one.remote, false, atomic, false);
      add(pe, one.local, true, false, true);
      break;
    case action::update:
      add(one.peer, one.remote, true, true, false);
      add(pe, one.local, true, false, true);
      break;
    case action::wait:
    case action::test:
      add(pe, one.remote, false, true, true);
      break;
    case action::load:
      add(pe, one.local, false, atomic, true);
      break;
    case action::store:
      add(pe, one.local, true, atomic, true);
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
    default:
      return is_signal(one);
  }
}

bool model::acquires(const event& one) {
  return one.what == action::barrier || one.what == action::collective || asks(one);
}

std::vector<std::size_t> completions(const model& all, int pe, bool by_fence) {
  const auto& events = all.events(pe);
  std::vector<std::size_t> result(events.size());
  std::unordered_map<std::uint32_t, std::size_t> next; // completion of each context
  for (std::size_t i = events.size(); i-- > 0;) {
    const auto& one = events[i];
    const bool completes = one.what == action::quiet || one.what == action::barrier ||
                           one.what == action::notify || (by_fence && one.what == action::fence);
    if (completes) next[one.context] = i;
    const bool returns_complete = one.blocking && (one.what == action::get || one.what == action::update);
    const auto found = next.find(one.context);
    result[i] = !is_transfer(one) || returns_complete ? i
                : found == next.end()                 ? events.size()
                                                      : found->second;
  }
  return result;
}

} // namespace windrow::overlap
