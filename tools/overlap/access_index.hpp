// SPDX-License-Identifier: BSD-3-Clause
// Accesses by the memory that they touch. Whether one is in conflict is asked once for all that touch a place
// in the same way: of a histogram's updates there are very many, and no two of them conflict.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "tools/overlap/model.hpp"

namespace windrow::overlap {

/// What accesses of one PE's memory have in common if each other access conflicts with all of them or with
/// none: the place, which comes first, and how it is touched.
using likeness = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, bool, bool,
                            access::atomicity, bool>;
inline likeness likeness_of(const access& one) {
  const auto& where = one.where;
  return {where.begin, where.bytes, where.block, where.stride, one.writes, one.atomic, one.as, one.adds};
}

/// What more is to be looked at, behind a pair of accesses in conflict.
enum class further {
  all,
  other_rows, ///< but no earlier access like that one of the two which came first
  none
};

class access_index {
 public:
  /// `in_conflict`: what of two accesses is meant by that.
  explicit access_index(access_relation in_conflict = conflict) : in_conflict_(in_conflict) {}

  /// Of what is added with one number, a place touched in one way counts once. `code` is what does it: a row
  /// is what one code does in one way.
  void add(const access& what, std::size_t number, std::uint64_t code = 0) {
    auto& alike = memory_[key_of(what)];
    alike.try_emplace({likeness_of(what), code}, group{what, {}}).first->second.numbers.insert(number);
  }

  void remove(const access& what, std::size_t number, std::uint64_t code = 0) {
    auto& alike = memory_[key_of(what)];
    const auto at = alike.find({likeness_of(what), code});
    if (at == alike.end()) return;
    at->second.numbers.erase(number);
    if (at->second.numbers.empty()) alike.erase(at);
  }

  void clear() { memory_.clear(); }

  /// Calls `act` with the number of each that the access is in conflict with, in a row the highest first.
  /// Returns whether it never said that no more is to be looked at. Of what only reads there may be any
  /// number, which a reader need not look at.
  template <class Act>
  bool each_in_conflict(const access& other, Act act) const {
    return each_in_conflict(other, true, act) && (!other.writes || each_in_conflict(other, false, act));
  }

 private:
  struct group {
    access what;
    std::set<std::size_t> numbers;
  };
  /// PE, whether it is written, and the bits of the length: a long range does not make the search among short
  /// ones begin earlier.
  using key = std::tuple<int, bool, int>;

  static key key_of(const access& what) {
    return {what.pe, what.writes, static_cast<int>(std::bit_width(what.where.bytes | 1))};
  }

  using rows = std::map<std::pair<likeness, std::uint64_t>, group>;

  template <class Act>
  bool each_in_conflict(const access& other, bool with_writers, Act act) const {
    for (auto in = memory_.lower_bound({other.pe, with_writers, 0}); in != memory_.end(); ++in) {
      const auto& [pe, writes, bits] = in->first;
      if (pe != other.pe || writes != with_writers) break;
      if (!each_in_conflict(other, UINT64_MAX >> (64 - bits), in->second, act)) return false;
    }
    return true;
  }

  template <class Act>
  bool each_in_conflict(const access& other, std::uint64_t longest, const rows& alike, Act act) const {
    likeness first{
        other.where.begin - std::min(other.where.begin, longest), 0, 0, 0, false, false, {}, false};
    for (auto at = alike.lower_bound({first, 0}); at != alike.end(); ++at) {
      const auto& [what, numbers] = at->second;
      if (what.where.begin >= other.where.end()) break;
      if (in_conflict_(what, other) && !each_of_row(numbers, act)) return false;
    }
    return true;
  }

  template <class Act>
  static bool each_of_row(const std::set<std::size_t>& numbers, Act act) {
    auto more = further::all;
    for (auto at = numbers.rbegin(); at != numbers.rend() && more == further::all; ++at) more = act(*at);
    return more != further::none;
  }

  access_relation in_conflict_;
  std::map<key, rows> memory_;
};

} // namespace windrow::overlap
