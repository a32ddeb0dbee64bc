// SPDX-License-Identifier: BSD-3-Clause
// Items one behind the other in an open run whose replies go to slots at equal distances.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "windrow/detail/inline.hpp"
#include "windrow/detail/notes.hpp"
#include "windrow/detail/operations.hpp"
#include "windrow/detail/store_item.hpp"
#include "windrow/detail/writer.hpp"

namespace windrow::aggregation {

/// Such items need one note for all (detail/notes.hpp). While a stretch is open, all room of the run is its
/// own: the writer looks full, and code that wants it closes the stretch. Closed: all null but the slot.
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

  /// Expected to be: compilers think that pointers rarely are equal, and would add two jumps to the path of
  /// nearly every item.
  bool is_open(const void* by) const {
    return __builtin_expect(user == by, 1) != 0 && __builtin_expect(item != limit, 1) != 0;
  }
  /// The place of the next item, for which there is room.
  std::byte* take(std::size_t bytes) {
    auto* const place = item;
    item = place + bytes;
    return place;
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
    store_stretch(from->note_of(first), {slot - std::size_t{items} * slot_distance, items, slot_distance});
    from->cursor = item;
    user = nullptr;
    item = limit = nullptr;
  }
};

/// Tells apart whose stretches of what items there are.
template <verb V, form F, class Carrier, class User>
inline constexpr char stretch_user = 0;

/// Stores an operation on the place with that index in a stretch of `User`'s. False if it has no room.
template <verb V, class Carrier, class User, class... Operands>
WINDROW_INLINE bool try_extend(stretch& s, std::uint64_t index, Operands... operands) {
  if (s.is_open(&stretch_user<V, form::constant, Carrier, User>) && matches<V>(s, operands...)) [[likely]] {
    store_item<V, form::constant, Carrier>(s, index);
    return true;
  }
  if constexpr (operands_of(V) > 0)
    if (s.is_open(&stretch_user<V, form::varying, Carrier, User>)) {
      store_item<V, form::varying, Carrier>(s, index, operands...);
      return true;
    }
  return false;
}

/// Opens a stretch of `User`'s for at most `most` items in a run of that form, where there is room for one,
/// and stores the first. Its slots are `distance` bytes from one to the next.
template <verb V, class Carrier, class User, class... Operands>
WINDROW_INLINE void begin_stretch(stretch& s, writer& run, form f, std::uint32_t distance, std::size_t most,
                                  std::uint64_t index, Operands... operands) {
  const auto open = [&](const char& user) {
    s.open(run, &user, static_cast<std::uint32_t>(item_bytes<V, Carrier>(f)), distance, most);
  };
  if (f == form::constant) {
    open(stretch_user<V, form::constant, Carrier, User>);
    store_item<V, form::constant, Carrier>(s, index);
  } else if (f == form::varying) {
    open(stretch_user<V, form::varying, Carrier, User>);
    store_item<V, form::varying, Carrier>(s, index, operands...);
  } else {
    open(stretch_user<V, form::wide, Carrier, User>);
    store_item<V, form::wide, Carrier>(s, index, operands...);
  }
}

} // namespace windrow::aggregation
