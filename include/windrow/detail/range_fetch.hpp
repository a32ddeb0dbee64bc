// SPDX-License-Identifier: BSD-3-Clause
// Elements one behind the other that are fetched together: as items of the aggregation engine, or from
// loadable memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "windrow/detail/lanes.hpp"
#include "windrow/types.hpp"

namespace windrow::aggregation {

/// The size of elements that are read whole, although others change them meanwhile; 1 for all other ranges.
inline constexpr std::uint32_t bytes_only = 1;
template <class T>
inline constexpr std::uint32_t element_width =
    sizeof(T) <= 8 && std::has_single_bit(sizeof(T)) && alignof(T) == sizeof(T) ? sizeof(T) : bytes_only;

template <class Word>
void copy_words(std::byte* to, const std::byte* from, std::size_t bytes) {
#pragma GCC unroll 4
  for (std::size_t at = 0; at < bytes; at += sizeof(Word)) {
    const Word value = __atomic_load_n(reinterpret_cast<const Word*>(from + at), __ATOMIC_RELAXED);
    std::memcpy(to + at, &value, sizeof value);
  }
}

/// Copies elements of `width` bytes.
inline void copy_elements(std::byte* to, const std::byte* from, std::size_t bytes, std::uint32_t width) {
  if (width == 8)
    copy_words<std::uint64_t>(to, from, bytes);
  else if (width == 4)
    copy_words<std::uint32_t>(to, from, bytes);
  else if (width == 2)
    copy_words<std::uint16_t>(to, from, bytes);
  else if (bytes > 0)
    std::memcpy(to, from, bytes);
}

/// Brings the beginning of a range into the cache; the processor sees by itself where it goes on.
inline void prefetch_range(const void* from, std::size_t bytes) {
  constexpr std::size_t line = 64, most = 8 * line;
  const auto* const first = static_cast<const std::byte*>(from);
  for (std::size_t at = 0; at < std::min(bytes, most); at += line) __builtin_prefetch(first + at);
}

[[noreturn]] void bad_alignment(std::uint64_t offset, std::uint32_t width);
/// Ends the job if there can be no elements of that width.
inline void require_aligned(std::uint64_t offset, std::uint32_t width) {
  if (offset % width != 0) [[unlikely]]
    bad_alignment(offset, width);
}

/// A range of a PE's memory whose pieces travel as items; the owner writes the elements over them.
class range_fetch {
 public:
  /// To `out`; for each piece `*counter`, if it is not null, is incremented when it is appended, and
  /// decremented when it is there. The range exists (`lanes::require_range`).
  range_fetch(lanes& by, pe_t owner, std::uint64_t offset, std::size_t bytes, std::uint32_t width,
              std::byte* out, std::uint32_t* counter = nullptr);

  /// Appends all pieces but the last. Serves the inbox; may wait for free blocks.
  void append_front() {
    while (left_ > largest_piece()) append(make_room());
  }
  /// Room for the next piece. Nothing of the engine may be called between this and `append`.
  writer& make_room();
  /// Appends the next piece.
  void append(writer&);
  /// Appends all pieces.
  void append_all() {
    while (left_ > 0) append(make_room());
  }

 private:
  std::size_t largest_piece() const;
  std::uint32_t next_piece() const { return static_cast<std::uint32_t>(std::min(left_, largest_piece())); }

  lanes& by_;
  pe_t owner_;
  std::uint32_t width_;
  std::uint64_t offset_;
  std::size_t left_; ///< bytes
  std::byte* out_;
  std::uint32_t* counter_;
};

} // namespace windrow::aggregation
