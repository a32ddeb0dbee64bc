// SPDX-License-Identifier: BSD-3-Clause
#include "balance/packing.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace windrow::balance {

packing::packing(const std::vector<double>& limits) {
  for (const auto limit : limits) {
    by_room_.emplace(limit, bins_.size());
    bins_.push_back({.limit = limit});
  }
}

void packing::change(std::size_t bin, double difference) {
  auto& b = bins_[bin];
  by_room_.erase({b.room(), bin});
  b.load += difference;
  by_room_.emplace(b.room(), bin);
}

void packing::put(std::size_t object, double load, std::size_t bin) {
  bins_[bin].objects.emplace(load, object);
  change(bin, load);
}

void packing::take(const item& what, std::size_t bin) {
  bins_[bin].objects.erase(what);
  change(bin, -what.first);
}

void packing::shift(const item& what, std::size_t from, std::size_t to) {
  take(what, from);
  put(what.second, what.first, to);
}

double packing::heaviest() const {
  double most = 0;
  for (const auto& b : bins_) most = std::max(most, b.load);
  return most;
}

void packing::level() {
  std::vector<std::size_t> heaviest_first(bins_.size());
  std::iota(heaviest_first.begin(), heaviest_first.end(), 0U);
  std::ranges::sort(heaviest_first, {}, [&](std::size_t b) { return std::pair(bins_[b].room(), b); });
  for (const auto b : heaviest_first) relieve(b);
}

void packing::relieve(std::size_t bin) {
  while (bins_[bin].room() < 0) {
    const auto to = roomiest();
    if (to == bin) return;
    if (!give_away(bin, to) && !exchange(bin, to) && !even_out(bin, to)) return;
  }
}

// What fits nowhere but in the roomiest bin fits nowhere, so only that one is tried. One object that is
// enough ends it: the lightest of those. Otherwise the heaviest that fits brings the end nearest.
bool packing::give_away(std::size_t from, std::size_t to) {
  const auto& objects = bins_[from].objects;
  const auto excess = -bins_[from].room(), room = bins_[to].room();
  if (room <= 0) return false;
  auto chosen = objects.lower_bound({excess, 0});
  if (chosen == objects.end() || chosen->first > room) {
    chosen = objects.lower_bound({std::nextafter(room, 2 * room), 0});
    if (chosen == objects.begin()) return false;
    --chosen;
  }
  if (chosen->first <= 0) return false;
  shift(item(*chosen), from, to);
  return true;
}

// Where no object fits, the difference of two may. Small gains are left: each costs two moves.
bool packing::exchange(std::size_t from, std::size_t to) {
  const auto excess = -bins_[from].room(), room = bins_[to].room();
  if (room <= 0) return false;
  const auto& others = bins_[to].objects;
  double best = std::min(excess, room) / 2;
  item given, returned;
  for (const auto& mine : bins_[from].objects) {
    const auto lightest = others.lower_bound({mine.first - room, 0});
    if (lightest == others.end()) break;
    const auto gain = mine.first - lightest->first;
    if (gain <= best || gain > room) continue;
    best = gain;
    given = mine;
    returned = *lightest;
  }
  if (given.first <= 0) return false;
  shift(given, from, to);
  shift(returned, to, from);
  return true;
}

// Where the limit is out of reach, half of the difference is as good as it gets.
bool packing::even_out(std::size_t from, std::size_t to) {
  const auto& objects = bins_[from].objects;
  const auto difference = bins_[to].room() - bins_[from].room();
  auto chosen = objects.upper_bound({difference / 2, ~std::size_t{0}});
  if (chosen != objects.begin() && std::prev(chosen)->first > 0) --chosen;
  if (chosen == objects.end() || chosen->first >= difference) return false;
  shift(item(*chosen), from, to);
  return true;
}

} // namespace windrow::balance
