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

/// Waits for a range on whatever thread: told when it is there, by the one that takes the answers.
struct range_waiter {
  std::size_t left; ///< bytes that are yet to come
  void (*all_there)(range_waiter&);
};

/// A counter, or one that waits, which is to know which pieces of a range are there.
class range_listener {
 public:
  /// `*counter`, if it is not null, is incremented for each piece that is appended, and decremented when it
  /// is there: on one thread.
  range_listener(std::uint32_t* counter) // NOLINT(google-explicit-constructor): mostly it is one
      : counter_or_waiter_(reinterpret_cast<std::uintptr_t>(counter)) {}
  explicit range_listener(range_waiter& w)
      : counter_or_waiter_(reinterpret_cast<std::uintptr_t>(&w) | is_waiter) {}

  void piece_leaves() const {
    if (counter_or_waiter_ != 0 && (counter_or_waiter_ & is_waiter) == 0) ++counter();
  }
  void piece_is_there(std::uint32_t bytes) const;

 private:
  static constexpr std::uintptr_t is_waiter = 1; ///< both are aligned to more

  std::uint32_t& counter() const { return *reinterpret_cast<std::uint32_t*>(counter_or_waiter_); }

  std::uintptr_t counter_or_waiter_;
};

/// A range of a PE's memory whose pieces travel as items; the owner writes the elements over them.
class range_fetch {
 public:
  /// To `out`. The range exists (`lanes::require_range`).
  range_fetch(lanes& by, pe_t owner, std::uint64_t offset, std::size_t bytes, std::uint32_t width,
              std::byte* out, range_listener = nullptr);

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
  range_listener listener_;
};

} // namespace windrow::aggregation
