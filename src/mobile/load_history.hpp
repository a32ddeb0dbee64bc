// SPDX-License-Identifier: BSD-3-Clause
// What objects have taken in earlier periods, where balancings are to mind more than the last one.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

#include "windrow/detail/object_core.hpp"

namespace windrow::mobile {

/// Of the objects that are here: seconds of handlers in a second of each period, which may be of any length.
/// Guarded, as objects move.
class core::load_history {
 public:
  /// Of so many periods, the present one among them.
  explicit load_history(std::size_t periods) : earlier_(periods - 1) {}

  /// The median of all, with the rate of the present period; of an even number the mean of the middle two.
  double median(object_id, double now) const;
  /// The present period of that object ends.
  void add(object_id, double rate);

  /// Those of an object that leaves or ends, the last one first.
  std::vector<double> take(object_id);
  void put(object_id id, std::vector<double> rates) {
    if (!rates.empty()) all_[id] = std::move(rates);
  }

 private:
  std::size_t earlier_; ///< periods that are kept
  std::unordered_map<object_id, std::vector<double>> all_;
};

} // namespace windrow::mobile
