// SPDX-License-Identifier: BSD-3-Clause
// Loads from memory that this processor can reach, delayed by a window so that the cache misses of a whole
// window are under way together. On one host this beats asking the owner, whether the data is in a cache or
// not.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace windrow::aggregation {

/// `Load` says what is loaded and where to: `prefetch()` begins, `finish()` carries it out. A
/// default-constructed `Load` is empty; its `finish` does nothing.
template <class Load>
class load_window {
 public:
  static constexpr std::size_t places = 64;

  bool empty() const { return added_ == 0; }
  /// Carried out at some time before the return of `drain`. True if all places have been taken anew since it
  /// last was, or since the window was empty.
  bool add(const Load& l) {
    l.prefetch();
    Load& oldest = loads_[added_++ % places];
    oldest.finish();
    oldest = l;
    return added_ % places == 0;
  }
  void drain() {
    const auto end = added_;
    for (auto i = end - std::min(end, places); i < end; ++i) {
      Load& oldest = loads_[i % places];
      oldest.finish();
      oldest = {};
    }
    added_ = 0;
  }
  const std::array<Load, places>& loads() const { return loads_; }

 private:
  std::array<Load, places> loads_{};
  std::size_t added_ = 0; ///< since it was empty
};

} // namespace windrow::aggregation
