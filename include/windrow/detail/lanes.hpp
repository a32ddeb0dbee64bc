// SPDX-License-Identifier: BSD-3-Clause
// The inlined part of the aggregation engine: appending an item to the open run of its kind and destination.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "windrow/detail/inline.hpp"
#include "windrow/detail/operations.hpp"
#include "windrow/detail/plain_access.hpp"
#include "windrow/detail/read_window.hpp"
#include "windrow/types.hpp"

namespace windrow::deferral {
class continuations;
}

namespace windrow::aggregation {

/// Where the next item of one kind for one PE goes. Closed: all null, so that `cursor == limit`.
struct writer {
  std::byte* cursor = nullptr;
  std::byte* limit = nullptr; ///< a whole number of items after the cursor
  std::uint64_t operand = 0;  ///< of a run of constant operands
  std::ptrdiff_t notes = 0;   ///< from an item to the sender's private note about it (fetching kinds)
};

class lanes {
 public:
  /// Appends an operation on the value at `offset` of `to`'s segment. `out` says where the reply goes, for
  /// verbs that reply: it is a note (detail/notes.hpp), or a function that makes one and is called when there
  /// is room for the item, right before it is stored.
  template <verb V, class Carrier, class Out, class... Operands>
  void append(pe_t to, std::uint64_t offset, Out out, Operands... operands) {
    constexpr auto width_log2 = std::countr_zero(sizeof(Carrier));
    // Rotating instead of shifting makes a misaligned offset a huge index, so one comparison checks both.
    const auto index = std::rotr(offset, width_log2);
    if (static_cast<unsigned>(to) < pes_ && index < reach_[width_log2]) [[likely]]
      append_checked<V, Carrier>(to, offset, std::move(out), operands...);
    else
      append_slowly<V, Carrier>(to, index, std::move(out), operands...);
  }

  /// The same for a place that is known to exist. hot: 8 instructions for a constant operand.
  template <verb V, class Carrier, class Out, class... Operands>
  void append_checked(pe_t to, std::uint64_t offset, Out out, Operands... operands) {
    writer& same = writer_of(kind_of<V, Carrier>(form::constant), to);
    const auto index = offset / sizeof(Carrier);
    if (matches<V>(same, operands...)) [[likely]] {
      if (same.cursor != same.limit) [[likely]]
        return store<V, form::constant, Carrier>(same, index, std::move(out));
    } else if (writer& other = writer_of(kind_of<V, Carrier>(form::varying), to);
               other.cursor != other.limit) {
      return store<V, form::varying, Carrier>(other, index, std::move(out), operands...);
    }
    // The writer tells which PE it is for: no register need hold that up to here.
    append_behind<V, Carrier>(same, index, std::move(out), operands...);
  }

  // For user-defined kinds (detail/message_kind.hpp).

  /// Ends the job if there is no PE `to`.
  void require_pe(pe_t to) const {
    if (static_cast<unsigned>(to) >= pes_) [[unlikely]]
      bad_target(to, 0, 0);
  }
  /// The writers of a user-defined kind, by PE. They stay where they are while the kind exists.
  writer* writers_of(kind_id user_kind) { return user_[user_kind - builtin_kinds]; }
  /// The writer, with room for `bytes`: one item, or a multiple of the kind's unit up to `largest_item`.
  /// Serves the inbox; may wait for a free block.
  writer& make_room(kind_id kind, pe_t to, std::uint64_t operand, std::uint32_t bytes);
  /// Bytes that an item can have, because it lies in one block.
  std::uint32_t largest_item() const { return largest_item_; }

  /// Carries out an operation on this PE's own memory at once, as if nobody else were there. False if there
  /// is no such place.
  template <verb V, class Carrier, class... Operands>
  WINDROW_INLINE bool change_own(std::uint64_t offset, Carrier* out, Operands... operands) {
    constexpr auto width_log2 = std::countr_zero(sizeof(Carrier));
    const auto index = std::rotr(offset, width_log2);
    if (index >= reach_[width_log2]) [[unlikely]]
      return false;
    const auto before = plain_access::apply<V>(reinterpret_cast<Carrier*>(own_)[index], operands...);
    if constexpr (replies(V)) *out = before;
    return true;
  }

  /// Loads from this host's memory, pipelined; complete with everything else.
  read_window& reads() { return reads_; }

  /// What waits for replies, or null (in tests of the engine alone).
  deferral::continuations* continuations() { return continuations_; }

 protected:
  writer& writer_of(kind_id kind, pe_t to) {
    return (kind < builtin_kinds ? builtin_[kind] : user_[kind - builtin_kinds])[static_cast<unsigned>(to)];
  }

  [[noreturn]] void bad_target(pe_t to, std::uint64_t offset, std::size_t size) const;

  std::array<writer*, builtin_kinds> builtin_{}; ///< by kind, then by PE
  writer** user_ = nullptr;                      ///< the same for the user-defined kinds
  unsigned pes_ = 0;
  std::uint32_t largest_item_ = 0;
  /// By log2 of the width: indices below it fit the narrow forms. 0 (every operation takes the slow path)
  /// where the heap is too large for them, and after the end of the job.
  std::array<std::uint64_t, 4> reach_{};
  std::byte* own_ = nullptr; ///< this PE's segment
  read_window reads_;
  deferral::continuations* continuations_ = nullptr;

 private:
  template <verb V, class Carrier, class Out, class... Operands>
  __attribute__((noinline)) void append_behind(const writer& same, std::uint64_t index, Out out,
                                               Operands... operands) {
    const auto to = &same - builtin_[kind_of<V, Carrier>(form::constant)];
    append_slowly<V, Carrier>(static_cast<pe_t>(to), index, std::move(out), operands...);
  }

  template <verb V, class... Operands>
  static bool matches(const writer& w, Operands... operands) {
    if constexpr (operands_of(V) == 0)
      return true;
    else if constexpr (operands_of(V) == 1)
      return ((w.operand == to_bits(operands)) && ...);
    else
      return false;
  }

  template <class Carrier, class Out>
  static Carrier* note_of(Out& out) {
    if constexpr (std::is_pointer_v<Out>)
      return out;
    else
      return out();
  }

  template <verb V, form F, class Carrier, class Out, class... Operands>
  static void store(writer& w, std::uint64_t index, Out out, Operands... operands) {
    using item_type = item<V, F, Carrier>;
    item_type value{};
    value.index = static_cast<decltype(value.index)>(index);
    if constexpr (item_layout<V, F, Carrier>::operands > 0) {
      if constexpr (replies(V)) {
        unsigned i = 0;
        ((value.operand[i++] = operands), ...);
      } else {
        ((value.operand = operands), ...);
      }
    }
    std::memcpy(w.cursor, &value, sizeof value);
    if constexpr (replies(V)) {
      const auto* note = note_of<Carrier>(out);
      std::memcpy(w.cursor + w.notes, &note, sizeof note);
    }
    w.cursor += sizeof value;
  }

  template <verb V, class Carrier, class Out, class... Operands>
  __attribute__((noinline)) void append_slowly(pe_t to, std::uint64_t index, Out out, Operands... operands) {
    constexpr auto width_log2 = std::countr_zero(sizeof(Carrier));
    if (static_cast<unsigned>(to) >= pes_ || index >= reachable(width_log2))
      bad_target(to, std::rotl(index, width_log2), sizeof(Carrier));
    if (index >= reach_[width_log2])
      return append_with_room<V, form::wide, Carrier>(to, index, std::move(out), 0, operands...);
    const writer& same = writer_of(kind_of<V, Carrier>(form::constant), to);
    if constexpr (operands_of(V) == 0)
      return append_with_room<V, form::constant, Carrier>(to, index, std::move(out), 0);
    else if constexpr (operands_of(V) == 1) {
      // A run of this kind with another operand is open: this item and its like go to the varying one.
      if (same.cursor == nullptr || matches<V>(same, operands...))
        return append_with_room<V, form::constant, Carrier>(to, index, std::move(out), to_bits(operands)...,
                                                            operands...);
    }
    append_with_room<V, form::varying, Carrier>(to, index, std::move(out), 0, operands...);
  }

  template <verb V, form F, class Carrier, class Out, class... Operands>
  void append_with_room(pe_t to, std::uint64_t index, Out out, std::uint64_t operand, Operands... operands) {
    constexpr auto kind = kind_of<V, Carrier>(F);
    writer* w = &writer_of(kind, to);
    if (w->cursor == w->limit) w = &make_room(kind, to, operand, sizeof(item<V, F, Carrier>));
    store<V, F, Carrier>(*w, index, std::move(out), operands...);
  }

  std::uint64_t reachable(int width_log2) const;
};

} // namespace windrow::aggregation
