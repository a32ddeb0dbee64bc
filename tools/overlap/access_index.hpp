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

class access_index {
 public:
  /// `in_conflict`: what of two accesses is meant by that.
  explicit access_index(access_relation in_conflict = conflict) : in_conflict_(in_conflict) {}

  /// Of what is added with one number, a place touched in one way counts once.
  void add(const access& what, std::size_t number) {
    auto& alike = memory_[key_of(what)];
    alike.try_emplace(likeness_of(what), group{what, {}}).first->second.numbers.insert(number);
  }

  void remove(const access& what, std::size_t number) {
    auto& alike = memory_[key_of(what)];
    const auto at = alike.find(likeness_of(what));
    if (at == alike.end()) return;
    at->second.numbers.erase(number);
    if (at->second.numbers.empty()) alike.erase(at);
  }

  void clear() { memory_.clear(); }

  /// Calls `act` with the number of each that the access is in conflict with. Of what only reads there may be
  /// any number, which a reader need not look at.
  template <class Act>
  void each_in_conflict(const access& other, Act act) const {
    each_in_conflict(other, true, act);
    if (other.writes) each_in_conflict(other, false, act);
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

  template <class Act>
  void each_in_conflict(const access& other, bool with_writers, Act act) const {
    for (auto in = memory_.lower_bound({other.pe, with_writers, 0}); in != memory_.end(); ++in) {
      const auto& [pe, writes, bits] = in->first;
      if (pe != other.pe || writes != with_writers) return;
      each_in_conflict(other, UINT64_MAX >> (64 - bits), in->second, act);
    }
  }

  template <class Act>
  void each_in_conflict(const access& other, std::uint64_t longest, const std::map<likeness, group>& alike,
                        Act act) const {
    likeness first{
        other.where.begin - std::min(other.where.begin, longest), 0, 0, 0, false, false, {}, false};
    for (auto at = alike.lower_bound(first); at != alike.end(); ++at) {
      const auto& [what, numbers] = at->second;
      if (what.where.begin >= other.where.end()) return;
      if (in_conflict_(what, other)) std::ranges::for_each(numbers, act);
    }
  }

  access_relation in_conflict_;
  std::map<key, std::map<likeness, group>> memory_;
};

} // namespace windrow::overlap
