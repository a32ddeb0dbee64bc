// SPDX-License-Identifier: BSD-3-Clause
// Bins with limits, and the few moves that bring each below its own. A bin is a PE, or a group of PEs.
#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace windrow::balance {

class packing {
 public:
  using item = std::pair<double, std::size_t>; ///< load and number of an object
  using items = std::set<item>;

  /// A bin for each limit.
  explicit packing(const std::vector<double>& limits);

  void put(std::size_t object, double load, std::size_t bin);
  /// Puts the object into the bin with most room.
  void put_anywhere(std::size_t object, double load) { put(object, load, roomiest()); }
  /// Moves objects out of bins that are above their limits. No bin gets further above its limit by that than
  /// another one was.
  void level();
  /// The objects of a bin, lightest first.
  const items& objects(std::size_t bin) const { return bins_[bin].objects; }
  /// Calls `where(object, bin)` for each object.
  template <class Where>
  void tell(Where where) const {
    for (std::size_t b = 0; b < bins_.size(); ++b)
      for (const auto& o : bins_[b].objects) where(o.second, b);
  }
  /// The greatest load of a bin.
  double heaviest() const;

 private:
  struct one_bin {
    double limit;
    double load = 0;
    items objects{};
    double room() const { return limit - load; }
  };

  std::size_t roomiest() const { return by_room_.rbegin()->second; }
  void change(std::size_t bin, double difference);
  void take(const item&, std::size_t bin);
  void shift(const item&, std::size_t from, std::size_t to);
  void relieve(std::size_t bin);
  bool give_away(std::size_t from, std::size_t to);
  bool exchange(std::size_t from, std::size_t to);
  bool even_out(std::size_t from, std::size_t to);

  std::vector<one_bin> bins_;
  std::set<std::pair<double, std::size_t>> by_room_; ///< (room, bin)
};

} // namespace windrow::balance
