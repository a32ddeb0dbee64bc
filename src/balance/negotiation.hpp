// SPDX-License-Identifier: BSD-3-Clause
// What negotiators have in common: the objects that a PE has so far, and other PEs at random.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "balance/mix.hpp"
#include "windrow/balance.hpp"

namespace windrow::balance {

/// By the value that each tells, its load; of one load the lower PE first.
inline std::vector<const message*> poorest_first(std::span<const message> messages) {
  std::vector<const message*> result;
  result.reserve(messages.size());
  for (const auto& l : messages) result.push_back(&l);
  std::ranges::sort(result, {}, [](const message* l) { return std::pair(l->value, l->from); });
  return result;
}

/// What a PE may have: `tolerance` times the mean, though never less than the mean, which cannot be had, or
/// than the heaviest object.
inline double limit_of(double tolerance, const share& s) {
  return std::max(s.heaviest, std::max(1.0, tolerance) * s.mean);
}

class holdings {
 public:
  explicit holdings(const share& s) : pe_(s.pe) {
    for (const auto load : s.objects) add({load, s.pe, static_cast<std::uint32_t>(objects_.size())});
  }

  void add(const candidate& c) {
    objects_.insert(c);
    if (c.origin != pe_) foreign_.insert(c);
    load_ += c.load;
  }
  void remove(const candidate& c) {
    objects_.erase(c);
    if (c.origin != pe_) foreign_.erase(c);
    load_ -= c.load;
  }
  /// It comes, or goes if it is here.
  void change_hands(const candidate& c) {
    if (objects_.contains(c))
      remove(c);
    else
      add(c);
  }
  double load() const { return load_; }
  std::vector<candidate> all() const { return {objects_.begin(), objects_.end()}; }

  /// Chooses an object to give to a PE that has `room`, to remove `excess` load: the lightest object that is
  /// enough, or else the heaviest that fits. Null if none does.
  const candidate* choose(double excess, double room) const {
    const auto enough = objects_.lower_bound({excess, 0, 0});
    if (enough == objects_.end() || enough->load > room) return heaviest(room);
    return enough->load > 0 ? &*enough : nullptr;
  }
  /// The heaviest that has a load and fits; null if none does.
  const candidate* heaviest(double room) const { return heaviest_of(objects_, room); }
  /// Of those that came from other PEs.
  const candidate* heaviest_foreign(double room) const { return heaviest_of(foreign_, room); }
  /// Null if all are as light as that.
  const candidate* lightest_above(double load) const {
    const auto found = objects_.upper_bound({load, most_pe, ~std::uint32_t{0}});
    return found == objects_.end() ? nullptr : &*found;
  }
  /// What changes hands so that about `wanted` leaves here where all objects are larger: one of them, for
  /// some of the `pieces` that a PE with `its_load` has named. Empty if that makes nothing better.
  std::vector<candidate> exchange(double wanted, double its_load, const std::vector<candidate>& pieces) {
    const auto* const chosen = lightest_above(wanted);
    if (chosen == nullptr) return {};
    const auto what = *chosen;
    std::vector<candidate> result;
    auto net = what.load;
    for (const auto& piece : pieces)
      if (net - piece.load >= wanted) {
        net -= piece.load;
        result.push_back(piece);
      }
    if (its_load + net > load_ - wanted / 2) return {};
    for (const auto& piece : result) add(piece);
    remove(what);
    result.push_back(what);
    return result;
  }
  /// A few of each size below `largest`, and down to a sixty-fourth of it, heaviest first.
  std::vector<candidate> pieces(double largest) const {
    constexpr int sizes = 6, of_each = 4;
    std::vector<candidate> result;
    for (int s = 0; s < sizes; ++s, largest /= 2) {
      auto at = objects_.upper_bound({largest, most_pe, ~std::uint32_t{0}});
      for (int n = 0; n < of_each && at != objects_.begin(); ++n) {
        if ((--at)->load <= largest / 2) break;
        result.push_back(*at);
      }
    }
    return result;
  }

 private:
  static constexpr pe_t most_pe = 0x7fffffff;

  static const candidate* heaviest_of(const std::set<candidate>& objects, double room) {
    const auto behind = objects.upper_bound({room, most_pe, ~std::uint32_t{0}});
    if (behind == objects.begin()) return nullptr;
    const auto& found = *std::prev(behind);
    return found.load > 0 ? &found : nullptr;
  }

  pe_t pe_;
  std::set<candidate> objects_; ///< lightest first
  std::set<candidate> foreign_; ///< of those, from other PEs: there may be millions of its own
  double load_ = 0;
};

/// A stream of random numbers for each PE.
class dice {
 public:
  dice(std::uint64_t seed, const share& s)
      : seed_(mix(seed, static_cast<std::uint64_t>(s.pe))), here_(s.pe), pes_(s.pes) {}

  std::size_t below(std::size_t count) { return mix(seed_, count_++) % count; }
  double unit() { return static_cast<double>(mix(seed_, count_++) >> 11) * 0x1p-53; }
  /// Not this one. There must be two.
  pe_t other_pe() {
    const auto pe = static_cast<pe_t>(mix(seed_, count_++) % static_cast<std::uint64_t>(pes_ - 1));
    return pe < here_ ? pe : pe + 1;
  }

 private:
  std::uint64_t seed_, count_ = 0;
  pe_t here_, pes_;
};

} // namespace windrow::balance
