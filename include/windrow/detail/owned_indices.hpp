// SPDX-License-Identifier: BSD-3-Clause
// Which rounds of a loop with an affine affinity are a PE's, in closed form: nothing is tested per round.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "windrow/distribution.hpp"
#include "windrow/types.hpp"

namespace windrow {

namespace detail {

template <class T>
concept index_number = std::integral<T> && sizeof(T) <= sizeof(std::int64_t);

constexpr std::int64_t index_of(index_number auto number) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  if constexpr (std::unsigned_integral<decltype(number)> && sizeof number == sizeof most)
    if (number > std::uint64_t{most}) return most;
  return static_cast<std::int64_t>(number);
}

} // namespace detail

/// The loop `for (i = first; i < last; i += step)`; `step` is positive. Each is of any integral type; what is
/// larger than an index can be, as the size of an empty array less 1 is, counts as the largest index.
struct index_range {
  constexpr index_range(detail::index_number auto from, detail::index_number auto to,
                        detail::index_number auto by)
      : first(detail::index_of(from)), last(detail::index_of(to)), step(detail::index_of(by)) {}
  constexpr index_range(detail::index_number auto from, detail::index_number auto to)
      : index_range(from, to, 1) {}

  std::int64_t first, last, step;
};

/// scale * i + offset.
struct affine {
  std::int64_t scale = 1, offset = 0;
};

namespace detail {

/// Ends the job if `loop` has no positive step, or more rounds than a signed number counts.
void check_loop(index_range loop);
/// Ends the job if `loop` has a round whose element, scale * i + offset, is none of an array of `size`.
void check_elements(index_range loop, affine at, std::uint64_t size);
[[noreturn]] void laid_out_otherwise(std::uint64_t size, std::uint64_t other);

/// Rounds of a loop at equal distances, and where the elements that belong to them are in a PE's part. Places
/// may go down: modulo 2^64.
struct progression {
  std::int64_t index = 0, index_step = 0;
  std::uint64_t place = 0, place_step = 0;
  std::uint64_t count = 0;

  void advance() {
    --count;
    index =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(index) + static_cast<std::uint64_t>(index_step));
    place += place_step;
  }
};

constexpr std::uint64_t rounds_of(index_range loop) {
  if (loop.first >= loop.last) return 0;
  const auto length = static_cast<std::uint64_t>(loop.last) - static_cast<std::uint64_t>(loop.first);
  return (length - 1) / static_cast<std::uint64_t>(loop.step) + 1;
}

// Wrap around where the result is not used.
constexpr std::int64_t times(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
constexpr std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

constexpr std::int64_t remainder(std::int64_t a, std::int64_t b) {
  const auto r = a % b;
  return r < 0 ? r + b : r;
}

/// The inverse of a modulo b, which have no common divisor.
constexpr std::int64_t inverse(std::int64_t a, std::int64_t b) {
  std::int64_t r = b, next_r = remainder(a, b), t = 0, next_t = 1;
  while (next_r != 0) {
    const auto q = r / next_r;
    r = std::exchange(next_r, r - q * next_r);
    t = std::exchange(next_t, t - q * next_t);
  }
  return remainder(t, b);
}

/// The rounds with (scale * i + offset) % pes == pe: each period-th, from the first that there is on (Chen,
/// "Optimizing Partitioned Global Address Space Programs for Cluster Architectures", 2007, where the
/// condition that there is one is printed the other way round).
constexpr progression rounds_by_remainder(index_range loop, affine at, std::int64_t pes, std::int64_t pe) {
  const auto rounds = rounds_of(loop);
  const auto scale = remainder(at.scale, pes), step = remainder(loop.step, pes);
  const auto shift = scale * step % pes;
  const auto common = std::gcd(shift, pes), period = pes / common;
  const auto start = (scale * remainder(loop.first, pes) + remainder(at.offset, pes)) % pes;
  const auto distance = remainder(pe - start, pes);
  if (distance % common != 0) return {};
  const auto first = static_cast<std::uint64_t>(distance / common * inverse(shift / common, period) % period);
  if (first >= rounds) return {};
  const auto index = plus(loop.first, times(static_cast<std::int64_t>(first), loop.step));
  return {index, times(loop.step, period), 0, 0,
          (rounds - 1 - first) / static_cast<std::uint64_t>(period) + 1};
}

/// The rounds whose elements scale * i + offset are in [begin, end), which lie from `place` on. No element of
/// the loop is negative.
constexpr progression rounds_within(index_range loop, affine at, std::int64_t begin, std::int64_t end,
                                    std::uint64_t place) {
  const auto rounds = static_cast<std::int64_t>(rounds_of(loop));
  if (rounds == 0 || begin >= end) return {};
  const auto first = plus(times(at.scale, loop.first), at.offset);
  const auto distance = times(at.scale, loop.step);
  const auto shift = distance == 1 || rounds > 1 ? distance : 0; // of one round it may have overflown
  std::int64_t from = 0, to = rounds;
  const auto up = [](std::int64_t a, std::int64_t b) { return a <= 0 ? 0 : (a - 1) / b + 1; };
  if (shift == 0) {
    if (first < begin || first >= end) return {};
  } else if (shift > 0) {
    from = up(begin - first, shift);
    to = std::min(to, up(end - first, shift));
  } else {
    from = up(first - end + 1, -shift);
    to = std::min(to, up(first - begin + 1, -shift));
  }
  if (from >= to) return {};
  const auto element = first + from * shift;
  return {plus(loop.first, times(from, loop.step)), loop.step,
          place + static_cast<std::uint64_t>(element - begin), static_cast<std::uint64_t>(shift),
          static_cast<std::uint64_t>(to - from)};
}

/// The rounds of a PE, as one progression or several, in the order of the loop. For each layout.
template <class Layout>
class owned_rounds;

template <>
class owned_rounds<block_layout> {
 public:
  static constexpr bool are_one = true;

  owned_rounds(index_range loop, affine at, const block_layout& of, pe_t pe) {
    const auto begin = of.global_index(pe, 0), end = begin + of.local_size(pe);
    all_ = rounds_within(loop, at, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end), 0);
  }
  progression next() { return std::exchange(all_, {}); }

 private:
  progression all_;
};

template <>
class owned_rounds<block_cyclic_layout<1>> {
 public:
  static constexpr bool are_one = true;

  owned_rounds(index_range loop, affine at, const block_cyclic_layout<1>& of, pe_t pe)
      : all_(rounds_by_remainder(loop, at, of.pes(), pe)) {
    if (all_.count == 0) return;
    const auto pes = static_cast<std::int64_t>(of.pes());
    all_.place = static_cast<std::uint64_t>(plus(times(at.scale, all_.index), at.offset) / pes);
    // From a round to the next of this PE it is a multiple of the PEs, in elements.
    if (times(at.scale, loop.step) == 1)
      all_.place_step = 1;
    else if (all_.count > 1)
      all_.place_step = static_cast<std::uint64_t>(times(at.scale, all_.index_step) / pes);
  }
  progression next() { return std::exchange(all_, {}); }

 private:
  progression all_;
};

/// A progression for each block that has a round.
template <std::uint64_t Block>
class owned_rounds<block_cyclic_layout<Block>> {
 public:
  static constexpr bool are_one = false;

  owned_rounds(index_range loop, affine at, const block_cyclic_layout<Block>& of, pe_t pe)
      : loop_(loop), at_(at), pes_(of.pes()), pe_(pe), size_(static_cast<std::int64_t>(of.size())) {
    const auto rounds = static_cast<std::int64_t>(rounds_of(loop));
    if (rounds == 0) return;
    const auto first = plus(times(at.scale, loop.first), at.offset);
    const auto last = plus(first, times(times(at.scale, loop.step), rounds - 1));
    low_ = turn_from(std::min(first, last));
    high_ = turn_from(std::max(first, last) + block);
    down_ = last < first;
  }

  progression next() {
    while (low_ < high_) {
      const auto turn = down_ ? --high_ : low_++;
      const auto begin = (turn * pes_ + pe_) * block;
      const auto found = rounds_within(loop_, at_, begin, std::min(begin + block, size_),
                                       static_cast<std::uint64_t>(turn * block));
      if (found.count != 0) return found;
    }
    return {};
  }

 private:
  static constexpr auto block = static_cast<std::int64_t>(Block);

  /// The first turn in which this PE's block does not end before the element.
  std::int64_t turn_from(std::int64_t element) const {
    const auto number = element / block;
    return number <= pe_ ? 0 : (number - pe_ - 1) / pes_ + 1;
  }

  index_range loop_;
  affine at_;
  std::int64_t pes_, pe_, size_, low_ = 0, high_ = 0;
  bool down_ = false;
};

} // namespace detail

} // namespace windrow
