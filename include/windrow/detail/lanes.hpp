// SPDX-License-Identifier: BSD-3-Clause
// The inlined part of the aggregation engine: appending an item to the open run of its kind and destination.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "windrow/detail/inline.hpp"
#include "windrow/detail/notes.hpp"
#include "windrow/detail/operations.hpp"
#include "windrow/detail/plain_access.hpp"
#include "windrow/detail/read_window.hpp"
#include "windrow/detail/run.hpp"
#include "windrow/types.hpp"

namespace windrow::deferral {
class continuations;
struct closure_queue;
} // namespace windrow::deferral

namespace windrow::aggregation {

/// Where the next item of one kind for one PE goes. Closed: all null, so that `cursor == limit`.
struct writer {
  std::byte* cursor = nullptr;
  std::byte* limit = nullptr; ///< a whole number of items after the cursor
  std::uint64_t operand = 0;  ///< of a run of constant operands; of function runs, their argument
  std::ptrdiff_t notes = 0;   ///< from an item to the sender's private note about it (fetching kinds)
};

/// Items one behind the other in an open run whose slots are at equal distances, so that they need one note
/// for all (detail/notes.hpp). While it is open, all room of the run is its own: the writer looks full, and
/// whoever wants it closes the stretch. Closed: all null but the slot.
struct stretch {
  const void* user = nullptr; ///< of what kind its items and slots are
  std::byte* item = nullptr;  ///< where the next item goes
  std::byte* limit = nullptr; ///< up to here there is room for items, and for their slots
  std::byte* slot = nullptr;  ///< of the next item
  std::uint64_t operand = 0;  ///< of the run
  writer* from = nullptr;     ///< of the run
  std::byte* first = nullptr; ///< its first item
  std::uint32_t item_bytes = 0;
  std::uint32_t slot_distance = 0;

  /// Expected to be: compilers think that pointers rarely are equal, and would make the way of nearly every
  /// item two jumps longer.
  bool is_open(const void* by) const {
    return __builtin_expect(user == by, 1) != 0 && __builtin_expect(item != limit, 1) != 0;
  }

  /// Takes what room the writer has, for at most `most` items, to be stored by `by`.
  void open(writer& w, const void* by, std::uint32_t item_size, std::uint32_t distance, std::size_t most) {
    const auto room = std::min(static_cast<std::size_t>(w.limit - w.cursor) / item_size, most);
    user = by;
    item = first = w.cursor;
    limit = w.cursor + room * item_size;
    operand = w.operand;
    from = &w;
    item_bytes = item_size;
    slot_distance = distance;
    w.cursor = w.limit;
  }
  void close() {
    if (user == nullptr) return;
    const auto items = static_cast<std::uint32_t>(item - first) / item_bytes;
    store_stretch(first + from->notes, {slot - std::size_t{items} * slot_distance, items, slot_distance});
    from->cursor = item;
    user = nullptr;
    item = limit = nullptr;
  }
};

/// A function that owners call for each item of a run. Process-wide; `number` is this process's own.
struct remote_function {
  std::uint32_t number;
  std::uint32_t item_bytes;
  std::uint64_t code;     ///< which function it is, for every PE
  std::uint64_t argument; ///< for the header of its runs, if it is always the same
};

class lanes {
 public:
  /// Room for one item of an operation, wherever it is. Nothing of the engine may be called before `fill`.
  struct room {
    writer* in;
    form kind;
  };

  /// Appends an operation on the value at `offset` of `to`'s segment. `out` is where the reply goes, for
  /// verbs that reply: a note (detail/notes.hpp).
  template <verb V, class Carrier, class... Operands>
  void append(pe_t to, std::uint64_t offset, Carrier* out, Operands... operands) {
    constexpr auto width_log2 = std::countr_zero(sizeof(Carrier));
    // Rotating instead of shifting makes a misaligned offset a huge index, so one comparison checks both.
    const auto index = std::rotr(offset, width_log2);
    if (static_cast<unsigned>(to) < pes_ && index < reach_[width_log2]) [[likely]]
      append_checked<V, Carrier>(to, offset, out, operands...);
    else
      append_slowly<V, Carrier>(to, index, out, operands...);
  }

  /// The same for a place that is known to exist. hot: 8 instructions for a constant operand.
  template <verb V, class Carrier, class... Operands>
  void append_checked(pe_t to, std::uint64_t offset, Carrier* out, Operands... operands) {
    writer& same = writer_of(kind_of<V, Carrier>(form::constant), to);
    const auto index = offset / sizeof(Carrier);
    // The writer tells which PE it is for: no register need hold that up to there.
    if (!append_to_open_run<V, Carrier>(same, to, index, out, operands...)) [[unlikely]]
      append_behind<V, Carrier>(same, index, out, operands...);
  }
  /// Appends an operation on the place with that index to a stretch of `User`'s. False if it has no
  /// room.
  template <verb V, class Carrier, class User, class... Operands>
  WINDROW_INLINE static bool try_extend(stretch& s, std::uint64_t index, Operands... operands) {
    if (s.is_open(user<V, form::constant, Carrier, User>) && matches<V>(s, operands...)) [[likely]] {
      store_item<V, form::constant, Carrier>(s.item, index);
      return true;
    }
    if constexpr (operands_of(V) > 0)
      if (s.is_open(user<V, form::varying, Carrier, User>)) {
        store_item<V, form::varying, Carrier>(s.item, index, operands...);
        return true;
      }
    return false;
  }
  /// Opens a stretch of `User`'s for at most `most` items, where `room_for` has found room, and appends the
  /// first. Its slots are `distance` bytes from one to the next.
  template <verb V, class Carrier, class User, class... Operands>
  WINDROW_INLINE static void begin_stretch(stretch& s, const room& r, std::uint32_t distance,
                                           std::size_t most, std::uint64_t offset, Operands... operands) {
    const auto index = offset / sizeof(Carrier);
    if (r.kind == form::constant) {
      open_stretch<V, form::constant, Carrier, User>(s, *r.in, distance, most);
      store_item<V, form::constant, Carrier>(s.item, index);
    } else if (r.kind == form::varying) {
      open_stretch<V, form::varying, Carrier, User>(s, *r.in, distance, most);
      store_item<V, form::varying, Carrier>(s.item, index, operands...);
    } else {
      open_stretch<V, form::wide, Carrier, User>(s, *r.in, distance, most);
      store_item<V, form::wide, Carrier>(s.item, index, operands...);
    }
  }
  /// Whether there is such a place, with a 32-bit index; and which.
  template <class Carrier>
  WINDROW_INLINE bool find_place(pe_t to, std::uint64_t offset, std::uint64_t& index) const {
    index = std::rotr(offset, std::countr_zero(sizeof(Carrier)));
    return static_cast<unsigned>(to) < pes_ && index < reach_[std::countr_zero(sizeof(Carrier))];
  }

  template <verb V, class Carrier, class... Operands>
  WINDROW_INLINE room room_for(pe_t to, std::uint64_t offset, Operands... operands) {
    constexpr auto width_log2 = std::countr_zero(sizeof(Carrier));
    if (static_cast<unsigned>(to) < pes_) [[likely]] {
      const auto found = open_room_for<V, Carrier>(to, offset, operands...);
      if (found.in != nullptr) [[likely]]
        return found;
    }
    return make_room_slowly<V, Carrier>(to, std::rotr(offset, width_log2), operands...);
  }
  /// The same at a PE that exists, without asking the engine: the writer is null where there is no room, or
  /// no such place.
  template <verb V, class Carrier, class... Operands>
  WINDROW_INLINE room open_room_for(pe_t to, std::uint64_t offset, Operands... operands) {
    if (!reaches<Carrier>(offset)) [[unlikely]]
      return {nullptr, form::constant};
    return open_room_in<V>(open_writers<V, Carrier>(form::constant)[to],
                           open_writers<V, Carrier>(form::varying)[to], operands...);
  }
  /// The same of these two writers, of its kinds.
  template <verb V, class... Operands>
  WINDROW_INLINE static room open_room_in(writer& same, writer& other, Operands... operands) {
    const bool fits = matches<V>(same, operands...);
    if (fits && same.cursor != same.limit) [[likely]]
      return {&same, form::constant};
    if constexpr (operands_of(V) > 0)
      if (!fits && other.cursor != other.limit) return {&other, form::varying};
    return {nullptr, form::constant};
  }
  /// The form of the run in which such an item would get room, if it has none.
  template <verb V, class Carrier, class... Operands>
  WINDROW_INLINE form form_for(pe_t to, Operands... operands) {
    const writer& same = writer_of(kind_of<V, Carrier>(form::constant), to);
    // A run of this kind with another operand may be open: then this item and its like go to the varying one.
    const bool constant = operands_of(V) == 0 ||
                          (operands_of(V) == 1 && (same.cursor == nullptr || matches<V>(same, operands...)));
    return constant ? form::constant : form::varying;
  }
  /// Of a run of constant operands.
  template <class... Operands>
  static std::uint64_t operand_bits(Operands... operands) {
    if constexpr (sizeof...(operands) == 1)
      return (to_bits(operands), ...);
    else
      return 0;
  }
  /// The writers of an operation, by PE. Others take their place when the engine is called.
  template <verb V, class Carrier>
  WINDROW_INLINE writer* open_writers(form f) {
    return builtin_[kind_of<V, Carrier>(f)];
  }
  template <verb V, class Carrier>
  static constexpr std::size_t item_bytes(form f) {
    if (f == form::constant) return sizeof(item<V, form::constant, Carrier>);
    return f == form::varying ? sizeof(item<V, form::varying, Carrier>)
                              : sizeof(item<V, form::wide, Carrier>);
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

  // For ranges (detail/range_fetch.hpp).

  writer& range_writer(pe_t to) { return writer_of(range_kind, to); }
  /// Ends the job if there is no such range.
  void require_range(pe_t to, std::uint64_t offset, std::size_t bytes) const;

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

  /// Room for an item of a function, of `Bytes` bytes, at its owner `to`, which exists.
  template <std::uint32_t Bytes>
  WINDROW_INLINE std::byte* append_call(const remote_function& f, pe_t to) {
    writer* w = open_room_for_call(f, to);
    if (w == nullptr) [[unlikely]]
      w = &make_room_for_call(f, to, f.argument);
    auto* place = w->cursor;
    w->cursor = place + Bytes;
    return place;
  }
  /// The function's writer with room for an item, or null if only the engine can make it.
  WINDROW_INLINE writer* open_room_for_call(const remote_function& f, pe_t to) {
    if (f.number >= function_count_) [[unlikely]]
      return nullptr;
    writer* const w = &functions_[f.number][static_cast<unsigned>(to)];
    return w->cursor == w->limit ? nullptr : w;
  }
  /// The same, made by the engine, in a run with that argument; null where a run with another one is open.
  writer* make_room_for_call_with(const remote_function& f, pe_t to, std::uint64_t argument) {
    return has_other_argument(f, to, argument) ? nullptr : &make_room_for_call(f, to, argument);
  }
  /// The writers of a function that is known here, by PE.
  WINDROW_INLINE writer* writers_for_calls(const remote_function& f) { return functions_[f.number]; }
  /// The same in a run with that argument, for who passes many. Null where a run with another one is open.
  template <std::uint32_t Bytes>
  WINDROW_INLINE std::byte* try_append_call(const remote_function& f, pe_t to, std::uint64_t argument) {
    writer* w = open_room_for_call(f, to);
    if (w == nullptr) [[unlikely]]
      w = make_room_for_call_with(f, to, argument);
    if (w == nullptr || w->operand != argument) [[unlikely]]
      return nullptr;
    auto* place = w->cursor;
    if (place == nullptr) __builtin_unreachable(); // so that nobody looks again
    w->cursor = place + Bytes;
    return place;
  }
  /// The same two for items whose size only `f` knows.
  std::byte* append_call(const remote_function& f, pe_t to) {
    auto* place = append_call<0>(f, to);
    writer_of(first_own_function + f.number, to).cursor += f.item_bytes;
    return place;
  }
  std::byte* try_append_call(const remote_function& f, pe_t to, std::uint64_t argument) {
    auto* place = try_append_call<0>(f, to, argument);
    if (place != nullptr) writer_of(first_own_function + f.number, to).cursor += f.item_bytes;
    return place;
  }
  /// The index of a place of `bytes` bytes, a power of two. Ends the job if there is no such place.
  std::uint64_t require_place(pe_t to, std::uint64_t offset, unsigned width_log2) const {
    const auto index = std::rotr(offset, static_cast<int>(width_log2));
    const bool narrow = static_cast<unsigned>(to) < pes_ && index < reach_[width_log2];
    if (!narrow && (static_cast<unsigned>(to) >= pes_ || index >= reachable(static_cast<int>(width_log2))))
        [[unlikely]]
      bad_target(to, offset, std::size_t{1} << width_log2);
    return index;
  }
  /// Whether there is a place for a `Carrier` at the offset, with a 32-bit index.
  template <class Carrier>
  bool reaches(std::uint64_t offset) const {
    constexpr auto width_log2 = std::countr_zero(sizeof(Carrier));
    return std::rotr(offset, width_log2) < reach_[width_log2];
  }
  /// How many values of this width there are with 32-bit indices.
  template <class Carrier>
  std::uint64_t reach() const {
    return reach_[std::countr_zero(sizeof(Carrier))];
  }
  /// Whether all places of this width have 32-bit indices.
  bool has_narrow_places(unsigned width_log2) const { return reach_[width_log2] != 0; }

  /// Carries out an operation on this PE's own memory at once, as if nobody else were there. False if there
  /// is no such place.
  template <verb V, class Carrier, class... Operands>
  WINDROW_INLINE bool change_own(std::uint64_t offset, Carrier* out, Operands... operands) {
    const auto index = std::rotr(offset, std::countr_zero(sizeof(Carrier)));
    return index < reach_[std::countr_zero(sizeof(Carrier))] &&
           change_own_checked<V>(offset, out, operands...);
  }
  /// The same for a place that is known to exist. False after the end of the job.
  template <verb V, class Carrier, class... Operands>
  WINDROW_INLINE bool change_own_checked(std::uint64_t offset, Carrier* out, Operands... operands) {
    if (own_ == nullptr) [[unlikely]]
      return false;
    const auto before = plain_access::apply<V>(*reinterpret_cast<Carrier*>(own_ + offset), operands...);
    if constexpr (replies(V)) *out = before;
    return true;
  }

  std::byte* own_segment() { return own_; }

  /// Loads from this host's memory, pipelined; complete with everything else.
  read_window& reads() { return reads_; }

  /// What waits for replies, or null (in tests of the engine alone); and for those of each PE.
  deferral::continuations* continuations() { return continuations_; }
  deferral::closure_queue* answers() { return answers_; }

 protected:
  writer& writer_of(kind_id kind, pe_t to) {
    if (kind >= first_own_function) return functions_[kind - first_own_function][static_cast<unsigned>(to)];
    return (kind < builtin_kinds ? builtin_[kind] : user_[kind - builtin_kinds])[static_cast<unsigned>(to)];
  }
  writer& make_room_for_call(const remote_function&, pe_t to, std::uint64_t argument);
  /// From now on all room of the open runs for `to` is their writers'.
  void close_stretch(pe_t to);

  [[noreturn]] void bad_target(pe_t to, std::uint64_t offset, std::size_t size) const;

  std::array<writer*, builtin_kinds> builtin_{}; ///< by kind, then by PE
  writer** user_ = nullptr;                      ///< the same for the user-defined kinds
  writer** functions_ = nullptr;                 ///< the same for functions called at owners, by number
  std::uint32_t function_count_ = 0;
  unsigned pes_ = 0;
  std::uint32_t largest_item_ = 0;
  /// By log2 of the width: indices below it fit the narrow forms. 0 (every operation takes the slow path)
  /// where the heap is too large for them, and after the end of the job.
  std::array<std::uint64_t, 4> reach_{};
  std::byte* own_ = nullptr; ///< this PE's segment; null after the end of the job
  read_window reads_;
  deferral::continuations* continuations_ = nullptr;
  deferral::closure_queue* answers_ = nullptr;

 private:
  bool has_other_argument(const remote_function& f, pe_t to, std::uint64_t argument) const {
    if (f.number >= function_count_) return false;
    const writer& w = functions_[f.number][static_cast<unsigned>(to)];
    return w.cursor != nullptr && w.operand != argument;
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
    if (matches<V>(same, operands...)) [[likely]] {
      if (same.cursor == same.limit) [[unlikely]]
        return false;
      store<V, form::constant, Carrier>(same, index, out);
      return true;
    }
    writer& other = writer_of(kind_of<V, Carrier>(form::varying), to);
    if (other.cursor == other.limit) return false;
    store<V, form::varying, Carrier>(other, index, out, operands...);
    return true;
  }

  /// Tells apart whose stretches of what items there are.
  template <verb V, form F, class Carrier, class User>
  static constexpr char user_mark = 0;
  template <verb V, form F, class Carrier, class User>
  static constexpr const void* user = &user_mark<V, F, Carrier, User>;

  template <verb V, form F, class Carrier, class User>
  WINDROW_INLINE static void open_stretch(stretch& s, writer& w, std::uint32_t distance, std::size_t most) {
    s.open(w, user<V, F, Carrier, User>, sizeof(item<V, F, Carrier>), distance, most);
  }

  /// `w`: a writer or a stretch.
  template <verb V, class Run, class... Operands>
  static bool matches(const Run& w, Operands... operands) {
    if constexpr (operands_of(V) == 0)
      return true;
    else if constexpr (operands_of(V) == 1)
      return ((w.operand == to_bits(operands)) && ...);
    else
      return false;
  }

  template <verb V, form F, class Carrier, class... Operands>
  static void store(writer& w, std::uint64_t index, Carrier* out, Operands... operands) {
    auto* const at = w.cursor; // the compiler thinks that the item could overlap the writer
    store_item<V, F, Carrier>(w.cursor, index, operands...);
    if constexpr (replies(V)) std::memcpy(at + w.notes, &out, sizeof out);
  }
  /// Stores an item at the cursor, and moves that.
  template <verb V, form F, class Carrier, class... Operands>
  WINDROW_INLINE static void store_item(std::byte*& cursor, std::uint64_t index, Operands... operands) {
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
    auto* const at = cursor;
    std::memcpy(at, &value, sizeof value);
    cursor = at + sizeof value;
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
    if (static_cast<unsigned>(to) >= pes_ || index >= reachable(width_log2))
      bad_target(to, std::rotl(index, width_log2), sizeof(Carrier));
    if constexpr (replies(V)) close_stretch(to);
    if (index >= reach_[width_log2]) return room_in<V, form::wide, Carrier>(to, 0);
    if constexpr (operands_of(V) < 2)
      if (form_for<V, Carrier>(to, operands...) == form::constant)
        return room_in<V, form::constant, Carrier>(to, operand_bits(operands...));
    return room_in<V, form::varying, Carrier>(to, 0);
  }

  template <verb V, form F, class Carrier>
  room room_in(pe_t to, std::uint64_t operand) {
    constexpr auto kind = kind_of<V, Carrier>(F);
    writer* w = &writer_of(kind, to);
    if (w->cursor == w->limit) w = &make_room(kind, to, operand, sizeof(item<V, F, Carrier>));
    return {w, F};
  }

  std::uint64_t reachable(int width_log2) const;
};

} // namespace windrow::aggregation
