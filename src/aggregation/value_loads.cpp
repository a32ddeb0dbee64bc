// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/detail/value_loads.hpp"

#include <algorithm>

namespace windrow::aggregation {

namespace {

// Of the PEs together: what stays in a cache of each processor beside what the program itself reads.
constexpr std::uint64_t cached_bytes = 512 * 1024;
constexpr std::uint64_t line = 64;
/// That are carried out before the next look.
constexpr std::int64_t loads_at_once = 16 * 1024;

// Rounds of the window between looks: while memory may turn out to be in a cache, and while it is too large.
constexpr std::uint32_t soon = 4, later = 64;

} // namespace

void value_loads::end_round() {
  if (--rounds_left_ == 0) look();
}

// On average, a load from each line has brought it, and another one has found it. Strides through larger
// memory never get there; loads of one place after the next may, and find most of them in the line before.
void value_loads::look() {
  const auto now = range_of_round();
  const bool first = touched_.begin == touched_.end;
  const range all{first ? now.begin : std::min(touched_.begin, now.begin), std::max(touched_.end, now.end)};
  if (bytes_in(all) > cached_bytes) {
    touched_ = now;
    since_ = count();
    rounds_left_ = bytes_in(now) > cached_bytes ? later : soon;
    return;
  }
  touched_ = all;
  rounds_left_ = soon;
  if ((count() - since_) * line < 2 * bytes_in(all)) return;
  window_.drain(); // so that loads keep their order
  promised_ = count() + loads_at_once;
  at_once_ = loads_at_once;
  rounds_left_ = 1;
}

value_loads::range value_loads::range_of_round() const {
  range all{~std::uint64_t{0}, 0};
  for (const auto& load : window_.loads()) {
    const auto address = reinterpret_cast<std::uintptr_t>(load.from());
    const auto offset = (address - reinterpret_cast<std::uintptr_t>(first_)) % stride_;
    all = {std::min(all.begin, offset), std::max(all.end, offset + 1)};
  }
  return all;
}

} // namespace windrow::aggregation
