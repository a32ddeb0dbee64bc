// SPDX-License-Identifier: BSD-3-Clause
// In how many ways n queens stand on a board of n by n so that none attacks another.
#include <array>
#include <bit>

#include "apps/tasks/kernel.hpp"

namespace windrow::apps::tasking {

namespace {

/// A row, and what the queens above attack there.
struct row {
  int left; ///< rows from here on
  std::uint32_t columns, falling, rising;

  std::uint32_t free(std::uint32_t all) const { return all & ~(columns | falling | rising); }
  row below(std::uint32_t queen) const {
    return {left - 1, columns | queen, (falling | queen) << 1, (rising | queen) >> 1};
  }
};

class queens_kernel {
 public:
  explicit queens_kernel(int n) : n_(n), all_((std::uint32_t{1} << n) - 1) {}
  void reset() { ways_ = 0; }
  template <class Style>
  void solve() {
    ways_ = ways<Style>({n_, 0, 0, 0}, all_);
  }
  // OEIS A000170.
  bool right() const {
    constexpr std::array<std::uint64_t, 17> known{1,   1,   0,    0,     2,     10,     4,       40,      92,
                                                  352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};
    return ways_ == known.at(static_cast<std::size_t>(n_));
  }

 private:
  /// With this few rows left nothing is forked.
  static constexpr int fine = 5;

  /// With the queen of this row in one of the places: in the lowest one, or in one of the others.
  template <class Style>
  std::uint64_t ways(row r, std::uint32_t places) const {
    if (places == 0) return 0;
    if (r.left <= fine) return ways_by_calls(r, places);
    const std::uint32_t first = places & -places;
    std::uint64_t a = 0, b = 0;
    Style::both([&, first] { a = ways_below<Style>(r.below(first)); },
                [&, first] { b = ways<Style>(r, places ^ first); });
    return a + b;
  }
  template <class Style>
  std::uint64_t ways_below(row r) const {
    return r.left == 0 ? 1 : ways<Style>(r, r.free(all_));
  }
  std::uint64_t ways_by_calls(row r, std::uint32_t places) const {
    std::uint64_t sum = 0;
    for (; places != 0; places &= places - 1) {
      const row next = r.below(places & -places);
      sum += next.left == 0 ? 1 : ways_by_calls(next, next.free(all_));
    }
    return sum;
  }

  int n_;
  std::uint32_t all_;
  std::uint64_t ways_ = 0;
};

} // namespace

const kernel queens{"queens", "queens", 12, 8, 16, make_problem<queens_kernel>};

} // namespace windrow::apps::tasking
