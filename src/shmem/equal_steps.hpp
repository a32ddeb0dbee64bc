// SPDX-License-Identifier: BSD-3-Clause
// Places that are dealt out to PEs in turn, as those of a cyclic array are, and lie at equal distances there:
// one strided get for each PE brings their values, and the PE need not help.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pgas/core.hpp"
#include "shmem/remote_access.hpp"
#include "shmem/state.hpp"
#include "windrow/detail/comm_calls.h"

namespace windrow::shmem {

/// Values of one read, from one PE.
struct equal_steps {
  const windrow_comm_read* read = nullptr;
  std::size_t first = 0; ///< the number of the first value
  std::size_t count = 0;
  std::size_t step = 0;      ///< from a value's number to the next one's
  std::ptrdiff_t stride = 0; ///< from its place to the next one's, in bytes

  /// False: value `i` is of another read, at no such place, or nearer than values can be. Or it is the second
  /// of one PE in a row: such loops are asked for in bulk, since who waits for a get does not answer others.
  bool add(const windrow_comm_read& of, std::size_t i) {
    if (count == 0) {
      read = &of;
      first = i;
    } else if (read != &of) {
      return false;
    } else if (count == 1) {
      step = i - first;
      stride = place(i) - place(first);
      if (step == 1 || stride < static_cast<std::ptrdiff_t>(of.bytes)) return false;
    } else if (i != first + count * step ||
               place(i) != place(first) + static_cast<std::ptrdiff_t>(count) * stride) {
      return false;
    }
    ++count;
    return true;
  }
  /// Gets the values to where they belong.
  void get(int pe, until when, caller by) const {
    const auto bytes = read->bytes;
    auto* const to = static_cast<std::byte*>(read->values) + first * bytes;
    if (count == 1) return get_anywhere(to, place(first), bytes, pe, when, by);
    get_strided(to, place(first), {static_cast<std::ptrdiff_t>(step * bytes), stride, bytes, count}, pe, when,
                by);
  }

 private:
  const std::byte* place(std::size_t i) const { return static_cast<const std::byte*>(read->places[i]); }
};

/// By PE, of those whose memory cannot be loaded from. Empty: what some PE has lies otherwise.
inline std::vector<equal_steps> find_equal_steps(std::span<const windrow_comm_read> reads) {
  std::vector<equal_steps> all(hot.pes);
  for (const auto& read : reads)
    for (std::size_t i = 0; i < read.number; ++i) {
      const int pe = read.pes[i];
      if (!hot.map->is_addressable(pe) && !all[static_cast<unsigned>(pe)].add(read, i)) return {};
    }
  return all;
}

} // namespace windrow::shmem
