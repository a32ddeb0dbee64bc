// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/races.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "tools/overlap/order.hpp"
#include "tools/overlap/pairs.hpp"

namespace windrow::overlap {

namespace {

class race_finder {
 public:
  explicit race_finder(const model& all)
      : all_(all),
        by_(all, {}),
        ranks_(ranks_of(all.run().sites)),
        with_contexts_(all_completions(all, {.barriers_for_all = true})),
        accesses_(accesses_of_run(all, all_completions(all))) {
    const auto fences = all_completions(all, {.fences = true});
    for (auto& one : accesses_) {
      if (one.end == one.start) continue;
      one.fenced = of(fences, one.by, one.start);
      const auto words = all.signalled(all.events(one.by)[one.start]);
      if (!one.what.local && one.what.atomic && words.size() == 1) one.signal = words.front(); // by itself
    }
  }

  std::vector<race> find() {
    // A loop of many rounds has a pair for each two of them: of a row one race is enough.
    const auto look_at = [&](std::size_t i, std::size_t j) {
      const auto &one = accesses_[i], &other = accesses_[j];
      if (!are_ordered(by_, one, other)) return add(one, other) ? further::all : further::other_rows;
      const bool earlier_too = one.by == other.by && one.fenced <= other.start;
      return earlier_too ? further::other_rows : further::all;
    };
    access_rows(accesses_).each_unordered(by_, look_at);
    for_each_conflict_within(accesses_, look_at);
    std::vector<race> result;
    result.reserve(found_.size());
    for (const auto& [key, one] : found_) result.push_back(one);
    return result;
  }

 private:
  using place = std::pair<std::size_t, action>; ///< the rank of the site, and what is done there
  using ends = std::vector<std::vector<std::size_t>>;

  static std::size_t of(const ends& all, int pe, std::size_t i) {
    return all[static_cast<std::size_t>(pe)][i];
  }

  // In the order of their texts, which would take long to compare for each pair.
  static std::vector<std::size_t> ranks_of(const std::vector<site>& sites) {
    std::map<site, std::size_t> ranks;
    for (const auto& one : sites) ranks.emplace(one, 0);
    std::size_t next = 0;
    for (auto& [one, rank] : ranks) rank = next++;
    std::vector<std::size_t> found;
    found.reserve(sites.size());
    for (const auto& one : sites) found.push_back(ranks[one]);
    return found;
  }

  place place_of(const lasting_access& one) const {
    const auto& what = all_.events(one.by)[one.start];
    return {ranks_[what.site], what.what};
  }

  // Returns whether only a quiet is missing.
  bool add(const lasting_access& one, const lasting_access& other) {
    const auto *a = &one, *b = &other;
    if (place_of(*b) < place_of(*a)) std::swap(a, b);
    const race fresh{{a->by, a->start}, {b->by, b->start}, a->what.pe, 0, true};
    auto& to = found_.try_emplace({place_of(*a), place_of(*b)}, fresh).first->second;
    ++to.times;
    const bool lacks_quiet = are_ordered(by_, quieted(*a), quieted(*b));
    to.lacks_quiet = to.lacks_quiet && lacks_quiet;
    return lacks_quiet;
  }

  // As if barriers completed it.
  lasting_access quieted(lasting_access one) const {
    if (one.end != one.start) one.end = std::min(one.end, of(with_contexts_, one.by, one.start));
    return one;
  }

  const model& all_;
  order by_;
  std::vector<std::size_t> ranks_;
  ends with_contexts_;
  std::vector<lasting_access> accesses_;
  std::map<std::pair<place, place>, race> found_;
};

} // namespace

std::vector<race> find_races(const model& all) {
  return race_finder(all).find();
}

} // namespace windrow::overlap
