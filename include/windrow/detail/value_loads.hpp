// SPDX-License-Identifier: BSD-3-Clause
// Aggregated loads of single values from memory that this processor can reach. Those that miss the caches are
// pipelined. Of memory that is in a cache, the load itself is the fastest way: the processor has enough of
// them under way, and each way through a window costs more instructions than it has.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "windrow/detail/inline.hpp"
#include "windrow/detail/load_window.hpp"
#include "windrow/detail/verbs.hpp"

namespace windrow::aggregation {

/// `*out = *from`, of a value of 1, 2, 4 or 8 bytes.
class value_load {
 public:
  value_load() = default;
  template <class T>
  value_load(const T* from, T* out)
      : from_(from), out_(out), width_log2_(static_cast<unsigned>(std::countr_zero(sizeof(T)))) {}

  /// One load instruction, so that a value which is changed meanwhile is read whole.
  template <class Bits>
  static void carry_out(const void* from, void* out) {
    const Bits value = __atomic_load_n(static_cast<const Bits*>(from), __ATOMIC_RELAXED);
    std::memcpy(out, &value, sizeof value);
  }
  const void* from() const { return from_; }
  void prefetch() const { __builtin_prefetch(from_); }
  void finish() const {
    if (out_ == nullptr) return;
    if (width_log2_ == 3) [[likely]]
      return carry_out<std::uint64_t>(from_, out_);
    if (width_log2_ == 2) return carry_out<std::uint32_t>(from_, out_);
    if (width_log2_ == 1) return carry_out<std::uint16_t>(from_, out_);
    carry_out<std::uint8_t>(from_, out_);
  }

 private:
  const void* from_ = nullptr;
  void* out_ = nullptr; ///< null: none
  unsigned width_log2_ = 0;
};

/// The loads of one thread. Now and then it looks where those of a window came from: if all were within
/// memory that fits a cache, and that has been read often enough to be there, the next ones are carried out
/// at once.
class value_loads {
 public:
  /// All loads are from segments of `pes` PEs, which begin `stride` bytes apart from `first` on.
  void set_memory(const std::byte* first, std::size_t stride, std::size_t pes) {
    first_ = first;
    stride_ = stride;
    pes_ = pes;
  }

  /// Carried out at some time before the return of `drain`, in the order of the calls.
  template <class T>
  WINDROW_INLINE void add(const T* from, T* out) {
    bytes_ += sizeof(T);
    if (--at_once_ >= 0)
      value_load::carry_out<detail::bits_of<T>>(from, out);
    else if (window_.add({from, out})) [[unlikely]]
      end_round();
  }
  void drain() { window_.drain(); }
  /// Whether the next one will be carried out at once.
  bool at_once() const { return at_once_ > 0; }

  /// Loads so far, and their bytes.
  std::uint64_t count() const { return promised_ - static_cast<std::uint64_t>(at_once_); }
  std::uint64_t bytes() const { return bytes_; }

 private:
  /// Of a segment, whichever PE's.
  struct range {
    std::uint64_t begin = 0, end = 0;
  };

  void end_round();
  void look();
  range range_of_round() const;
  /// On all PEs.
  std::uint64_t bytes_in(const range& r) const { return (r.end - r.begin) * pes_; }

  load_window<value_load> window_;
  std::int64_t at_once_ = 0;   ///< loads still to be carried out at once; negative where none are
  std::uint64_t promised_ = 0; ///< `count()` when there are none any more
  std::uint64_t bytes_ = 0;
  std::uint32_t rounds_left_ = 4; ///< of the window, until the next look
  const std::byte* first_ = nullptr;
  std::size_t stride_ = 1, pes_ = 1;
  range touched_;           ///< where the loads of some time came from, as far as they were looked at
  std::uint64_t since_ = 0; ///< the first of them
};

} // namespace windrow::aggregation
