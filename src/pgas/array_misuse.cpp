// SPDX-License-Identifier: BSD-3-Clause
// What is said of wrong uses of arrays, and the checks of loops over them.
#include <fmt/format.h>

#include "base/fatal.hpp"
#include "windrow/array.hpp"
#include "windrow/detail/owned_indices.hpp"

namespace windrow::detail {

void index_out_of_range(std::uint64_t index, std::uint64_t size) {
  base::fatal(fmt::format("array: index {} is out of range; the array has {} elements", index, size));
}

void different_sizes(const char* call, std::size_t indices, std::size_t values) {
  base::fatal(fmt::format("{}: there are {} indices and room for {} values", call, indices, values));
}

void no_array(const char* call) {
  base::fatal(fmt::format("{}: this array was not made by a job", call));
}

void check_loop(index_range loop) {
  if (loop.step <= 0) base::fatal(fmt::format("forall: the step is {}, and must be positive", loop.step));
  std::int64_t length = 0;
  if (loop.first < loop.last && __builtin_sub_overflow(loop.last, loop.first, &length))
    base::fatal(
        fmt::format("forall: from {} to {} are more indices than can be counted", loop.first, loop.last));
}

void check_elements(index_range loop, affine at, std::uint64_t size) {
  __extension__ using wide = __int128;
  const auto rounds = rounds_of(loop);
  if (rounds == 0) return;
  const auto last = loop.first + static_cast<std::int64_t>(rounds - 1) * loop.step;
  for (const auto i : {loop.first, last}) {
    const auto element = static_cast<wide>(at.scale) * i + at.offset;
    if (element < 0 || element >= static_cast<wide>(size))
      base::fatal(
          fmt::format("forall: in the round with index {}, element {} * {} + {} is out of range; the array "
                      "has {} elements",
                      i, at.scale, i, at.offset, size));
  }
}

void laid_out_otherwise(std::uint64_t size, std::uint64_t other) {
  base::fatal(fmt::format(
      "forall: arrays of {} and {} elements in blocks are laid out differently; make them of one size", size,
      other));
}

} // namespace windrow::detail
