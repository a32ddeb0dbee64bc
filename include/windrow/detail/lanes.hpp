// SPDX-License-Identifier: BSD-3-Clause
// The inlined part of the aggregation engine: finding room for an item in the open run of its kind and
// destination.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "windrow/detail/inline.hpp"
#include "windrow/detail/operations.hpp"
#include "windrow/detail/plain_access.hpp"
#include "windrow/detail/run.hpp"
#include "windrow/detail/store_item.hpp"
#include "windrow/detail/value_loads.hpp"
#include "windrow/detail/writer.hpp"
#include "windrow/types.hpp"

namespace windrow::aggregation {

/// Makes room where an open run has none: the engine.
class room_source {
 public:
  /// The writer, with room for `bytes`: one item, or a multiple of the kind's unit up to
  /// `lanes::largest_item`. Serves the inbox; may wait for a free block.
  virtual writer& make_room(kind_id kind, pe_t to, std::uint64_t operand, std::uint32_t bytes) = 0;
  /// The writer with room for an item of a function, in a run with that argument.
  virtual writer& make_room_for_call(const remote_function&, pe_t to, std::uint64_t argument) = 0;
  /// The open run of a function for `to`, if there is one, gets no more items.
  virtual void close_run_of_call(const remote_function&, pe_t to) = 0;
  /// Closes the open stretch for `to`, so that its room returns to the writer.
  virtual void close_stretch(pe_t to) = 0;
  /// Bytes of a segment that items can name.
  virtual std::uint64_t reachable_bytes() const = 0;
  /// Ends the job.
  [[noreturn]] virtual void bad_target(pe_t to, std::uint64_t offset, std::size_t size) const = 0;
  /// Ends the job if there is no such range.
  virtual void require_range(pe_t to, std::uint64_t offset, std::size_t bytes) const = 0;

 protected:
  ~room_source() = default;
};

/// The writers of the built-in kinds and of functions, by PE, of one thread that sends.
class lanes {
 public:
  /// `closed`: writers without room, by PE, for all kinds that have none yet.
  constexpr lanes(room_source& source, writer* closed) : source_(source) { builtin_.fill(closed); }
  lanes(const lanes&) = delete;
  lanes& operator=(const lanes&) = delete;

  // Operations on one value.

  /// Room for one item of an operation. The engine must not be called between obtaining it and `fill`.
  struct room {
    writer* in;
    form kind;
  };

  /// Appends an operation on the value at `offset` of `to`'s segment. `out` is where the reply goes, for
  /// verbs that reply: a note (detail/notes.hpp).
  template <verb V, class Carrier, class... Operands>
  void append(pe_t to, std::uint64_t offset, Carrier* out, Operands... operands) {
    // Rotating instead of shifting makes a misaligned offset a huge index, so one comparison checks both.
    const auto index = std::rotr(offset, std::countr_zero(sizeof(Carrier)));
    if (static_cast<unsigned>(to) < pes_ && index < reach<Carrier>()) [[likely]]
      append_checked<V, Carrier>(to, offset, out, operands...);
    else
      append_slowly<V, Carrier>(to, index, out, operands...);
  }

  /// Appends an operation on a place that is known to exist. hot: 8 instructions for a constant operand.
  template <verb V, class Carrier, class... Operands>
  void append_checked(pe_t to, std::uint64_t offset, Carrier* out, Operands... operands) {
    writer& same = writer_of(kind_of<V, Carrier>(form::constant), to);
    const auto index = offset / sizeof(Carrier);
    // The writer tells which PE it is for: no register need hold that up to there.
    if (!append_to_open_run<V, Carrier>(same, to, index, out, operands...)) [[unlikely]]
      append_behind<V, Carrier>(same, index, out, operands...);
  }
  /// Whether there is such a place, with a 32-bit index; and which.
  template <class Carrier>
  WINDROW_INLINE bool find_place(pe_t to, std::uint64_t offset, std::uint64_t& index) const {
    index = std::rotr(offset, std::countr_zero(sizeof(Carrier)));
    return static_cast<unsigned>(to) < pes_ && index < reach<Carrier>();
  }

  template <verb V, class Carrier, class... Operands>
  WINDROW_INLINE room room_for(pe_t to, std::uint64_t offset, Operands... operands) {
    if (static_cast<unsigned>(to) < pes_) [[likely]] {
      const auto found = open_room_for<V, Carrier>(to, offset, operands...);
      if (found.in != nullptr) [[likely]]
        return found;
    }
    return make_room_slowly<V, Carrier>(to, std::rotr(offset, std::countr_zero(sizeof(Carrier))),
                                        operands...);
  }
  /// Room at a PE that exists, without asking the engine: the writer is null where there is no room, or
  /// no such place.
  template <verb V, class Carrier, class... Operands>
  WINDROW_INLINE room open_room_for(pe_t to, std::uint64_t offset, Operands... operands) {
    if (!reaches<Carrier>(offset)) [[unlikely]]
      return {nullptr, form::constant};
    return open_room_in<V>(open_writers<V, Carrier>(form::constant)[to],
                           open_writers<V, Carrier>(form::varying)[to], operands...);
  }
  /// Room in one of these two writers, of its kinds, without asking the engine.
  template <verb V, class... Operands>
  WINDROW_INLINE static room open_room_in(writer& same, writer& other, Operands... operands) {
    const bool fits = matches<V>(same, operands...);
    if (fits && !same.is_full()) [[likely]]
      return {&same, form::constant};
    if constexpr (operands_of(V) > 0)
      if (takes_varying<V>(fits) && !other.is_full()) return {&other, form::varying};
    return {nullptr, form::constant};
  }
  /// The form of the run in which such an item would get room, if it has none.
  template <verb V, class Carrier, class... Operands>
  WINDROW_INLINE form form_for(pe_t to, Operands... operands) {
    if constexpr (operands_of(V) != 1) return operands_of(V) == 0 ? form::constant : form::varying;
    const writer& same = writer_of(kind_of<V, Carrier>(form::constant), to);
    const writer& other = writer_of(kind_of<V, Carrier>(form::varying), to);
    // A run of this kind with another operand may be open: then this item and its like go to the varying one.
    // Those that reply, and so keep their order, do so as long as that is open, and the engine closes this
    // one.
    const bool constant =
        same.cursor == nullptr ? !replies(V) || other.cursor == nullptr : matches<V>(same, operands...);
    return constant ? form::constant : form::varying;
  }
  /// The writers of an operation, by PE. Others take their place when the engine is called.
  template <verb V, class Carrier>
  WINDROW_INLINE writer* open_writers(form f) {
    return builtin_[kind_of<V, Carrier>(f)];
  }
  template <verb V, class Carrier, class... Operands>
  WINDROW_INLINE static void fill(const room& r, std::uint64_t offset, Carrier* note, Operands... operands) {
    const auto index = offset / sizeof(Carrier);
    if (r.kind == form::constant) [[likely]]
      store<V, form::constant, Carrier>(*r.in, index, note);
    else if (r.kind == form::varying)
      store<V, form::varying, Carrier>(*r.in, index, note, operands...);
    else
      store<V, form::wide, Carrier>(*r.in, index, note, operands...);
  }

  // Functions that owners call (detail/owner_call.hpp), at a PE that exists.

  /// A writer with room for an item of `f`.
  WINDROW_INLINE writer& room_for_call(const remote_function& f, pe_t to) {
    writer* const w = open_room_for_call(f, to);
    return w == nullptr ? source_.make_room_for_call(f, to, f.argument) : *w;
  }
  /// Room for a call in a run with that argument, for callers that pass many. Null where a run with another
  /// one is open, or one of `otherwise`, by which the others are called: so that all keep their order.
  WINDROW_INLINE writer* room_for_call(const remote_function& f, pe_t to, std::uint64_t argument,
                                       const remote_function& otherwise) {
    writer* w = open_room_for_call(f, to);
    if (w == nullptr) [[unlikely]]
      w = make_room_for_call(f, to, argument, otherwise);
    if (w == nullptr || w->operand != argument) [[unlikely]]
      return nullptr;
    if (w->cursor == nullptr) __builtin_unreachable(); // so that nobody looks again
    return w;
  }
  /// The function's writer with room for an item, or null if only the engine can make it.
  WINDROW_INLINE writer* open_room_for_call(const remote_function& f, pe_t to) {
    if (f.number >= function_count_) [[unlikely]]
      return nullptr;
    writer* const w = &functions_[f.number][static_cast<unsigned>(to)];
    return w->is_full() ? nullptr : w;
  }
  /// Room for a call that the engine makes, in a run with that argument; null in the same cases.
  writer* make_room_for_call(const remote_function& f, pe_t to, std::uint64_t argument,
                             const remote_function& otherwise) {
    if (has_other_argument(f, to, argument) || has_open_run(otherwise, to)) return nullptr;
    return &source_.make_room_for_call(f, to, argument);
  }
  /// Room for an item of `otherwise`, behind all of `f`.
  WINDROW_INLINE writer& room_for_other_call(const remote_function& f, pe_t to,
                                             const remote_function& otherwise) {
    writer* const w = open_room_for_call(otherwise, to);
    return w == nullptr ? make_room_for_other_call(f, to, otherwise) : *w;
  }
  /// The writers of a function that is known here, by PE.
  WINDROW_INLINE writer* writers_for_calls(const remote_function& f) { return functions_[f.number]; }

  // Ranges (detail/range_fetch.hpp) and user-defined kinds (detail/message_kind.hpp).

  writer& range_writer(pe_t to) { return writer_of(range_kind, to); }
  writer& make_room(kind_id kind, pe_t to, std::uint64_t operand, std::uint32_t bytes) {
    return source_.make_room(kind, to, operand, bytes);
  }
  /// Bytes that an item can have, because it lies in one block.
  std::uint32_t largest_item() const { return largest_item_; }

  // Places.

  /// Ends the job if there is no PE `to`.
  void require_pe(pe_t to) const {
    if (static_cast<unsigned>(to) >= pes_) [[unlikely]]
      source_.bad_target(to, 0, 0);
  }
  /// Ends the job if there is no such range.
  void require_range(pe_t to, std::uint64_t offset, std::size_t bytes) const {
    source_.require_range(to, offset, bytes);
  }
  /// The index of a place of `bytes` bytes, a power of two. Ends the job if there is no such place.
  std::uint64_t require_place(pe_t to, std::uint64_t offset, unsigned width_log2) const {
    const auto index = std::rotr(offset, static_cast<int>(width_log2));
    const bool narrow = static_cast<unsigned>(to) < pes_ && index < reach_[width_log2];
    if (!narrow && (static_cast<unsigned>(to) >= pes_ || index >= source_.reachable_bytes() >> width_log2))
        [[unlikely]]
      source_.bad_target(to, offset, std::size_t{1} << width_log2);
    return index;
  }
  /// Whether there is a place for a `Carrier` at the offset, with a 32-bit index.
  template <class Carrier>
  bool reaches(std::uint64_t offset) const {
    return std::rotr(offset, std::countr_zero(sizeof(Carrier))) < reach<Carrier>();
  }
  /// How many values of this width there are with 32-bit indices.
  template <class Carrier>
  std::uint64_t reach() const {
    return reach_[std::countr_zero(sizeof(Carrier))];
  }
  /// Whether all places of this width have 32-bit indices.
  bool has_narrow_places(unsigned width_log2) const { return reach_[width_log2] != 0; }

  // What is not sent.

  /// Carries out an operation on this PE's own memory at once, as if nobody else were there. False if there
  /// is no such place.
  template <verb V, class Carrier, class... Operands>
  WINDROW_INLINE bool change_own(std::uint64_t offset, Carrier* out, Operands... operands) {
    return reaches<Carrier>(offset) && change_own_checked<V>(offset, out, operands...);
  }
  /// Changes a place of this PE's own that is known to exist. False where updates are sent, and after the end
  /// of the job.
  template <verb V, class Carrier, class... Operands>
  WINDROW_INLINE bool change_own_checked(std::uint64_t offset, Carrier* out, Operands... operands) {
    if (own_ == nullptr) [[unlikely]]
      return false;
    const auto before = plain_access::apply<V>(*reinterpret_cast<Carrier*>(own_ + offset), operands...);
    if constexpr (replies(V)) *out = before;
    return true;
  }

  std::byte* own_segment() { return own_; }

  /// Loads from this host's memory; complete with everything else.
  value_loads& loads() { return loads_; }

 private:
  friend class sender;

  writer& writer_of(kind_id builtin, pe_t to) { return builtin_[builtin][static_cast<unsigned>(to)]; }
  bool has_open_run(const remote_function& f, pe_t to) const {
    return f.number < function_count_ && functions_[f.number][static_cast<unsigned>(to)].cursor != nullptr;
  }
  bool has_other_argument(const remote_function& f, pe_t to, std::uint64_t argument) const {
    return has_open_run(f, to) && functions_[f.number][static_cast<unsigned>(to)].operand != argument;
  }
  writer& make_room_for_other_call(const remote_function& f, pe_t to, const remote_function& otherwise) {
    writer& w = source_.make_room_for_call(otherwise, to, otherwise.argument); // handlers may run meanwhile
    source_.close_run_of_call(f, to);
    return w;
  }
  /// Whether an item may go to an open varying run, which `fits` the one of equal operands or not. Where
  /// order shows, no two are open.
  template <verb V>
  static constexpr bool takes_varying(bool fits) {
    return !fits || replies(V);
  }

  template <verb V, class Carrier, class... Operands>
  __attribute__((noinline)) void append_behind(const writer& same, std::uint64_t index, Carrier* out,
                                               Operands... operands) {
    const auto to = &same - builtin_[kind_of<V, Carrier>(form::constant)];
    append_slowly<V, Carrier>(static_cast<pe_t>(to), index, out, operands...);
  }
  template <verb V, class Carrier, class... Operands>
  WINDROW_INLINE bool append_to_open_run(writer& same, pe_t to, std::uint64_t index, Carrier* out,
                                         Operands... operands) {
    const bool fits = matches<V>(same, operands...);
    if (fits) [[likely]]
      if (!same.is_full()) [[likely]] {
        store<V, form::constant, Carrier>(same, index, out);
        return true;
      }
    writer& other = writer_of(kind_of<V, Carrier>(form::varying), to);
    if (!takes_varying<V>(fits) || other.is_full()) return false;
    store<V, form::varying, Carrier>(other, index, out, operands...);
    return true;
  }
  template <verb V, form F, class Carrier, class... Operands>
  WINDROW_INLINE static void store(writer& w, std::uint64_t index, Carrier* out, Operands... operands) {
    auto* const place = store_item<V, F, Carrier>(w, index, operands...);
    if constexpr (replies(V)) std::memcpy(w.note_of(place), &out, sizeof out);
  }

  template <verb V, class Carrier, class... Operands>
  __attribute__((noinline)) void append_slowly(pe_t to, std::uint64_t index, Carrier* out,
                                               Operands... operands) {
    const auto r = make_room_slowly<V, Carrier>(to, index, operands...);
    fill<V, Carrier>(r, std::rotl(index, std::countr_zero(sizeof(Carrier))), out, operands...);
  }
  template <verb V, class Carrier, class... Operands>
  __attribute__((noinline)) room make_room_slowly(pe_t to, std::uint64_t index, Operands... operands) {
    constexpr auto width_log2 = std::countr_zero(sizeof(Carrier));
    if (static_cast<unsigned>(to) >= pes_ || index >= source_.reachable_bytes() >> width_log2)
      source_.bad_target(to, std::rotl(index, width_log2), sizeof(Carrier));
    if constexpr (replies(V)) source_.close_stretch(to);
    if (index >= reach<Carrier>()) return room_in<V, form::wide, Carrier>(to, 0);
    if constexpr (operands_of(V) < 2)
      if (form_for<V, Carrier>(to, operands...) == form::constant)
        return room_in<V, form::constant, Carrier>(to, operand_bits(operands...));
    return room_in<V, form::varying, Carrier>(to, 0);
  }
  template <verb V, form F, class Carrier>
  room room_in(pe_t to, std::uint64_t operand) {
    constexpr auto kind = kind_of<V, Carrier>(F);
    writer* w = &writer_of(kind, to);
    if (w->is_full()) w = &make_room(kind, to, operand, sizeof(item<V, F, Carrier>));
    return {w, F};
  }

  room_source& source_;
  std::array<writer*, builtin_kinds> builtin_{}; ///< by kind, then by PE
  writer** functions_ = nullptr;                 ///< the same for functions called at owners, by number
  std::uint32_t function_count_ = 0;
  unsigned pes_ = 0;
  std::uint32_t largest_item_ = 0;
  /// By log2 of the width: indices below it fit the narrow forms. 0 (every operation takes the slow path)
  /// where the heap is too large for them, and after the end of the job.
  std::array<std::uint64_t, 4> reach_{};
  std::byte* own_ = nullptr; ///< this PE's segment, while updates are carried out at once; else null
  value_loads loads_;
};

/// Refuses everything with a sentence.
extern lanes no_lanes;
/// Of the calling thread: that of the PE and its workers each have their own, so an item needs neither a lock
/// nor an atomic instruction. A whole number of items lies before any call.
inline constinit thread_local lanes* lanes_of_thread = &no_lanes;
/// Bytes from the writers of no thread, which are closed, to those of this one, of any user-defined kind.
inline constinit thread_local std::ptrdiff_t row_of_thread = 0;

} // namespace windrow::aggregation
