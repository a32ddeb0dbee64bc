// SPDX-License-Identifier: BSD-3-Clause
// Where items are stored: the one way into a block. Code that sends asks for a writer with room, takes the
// place of an item there, and fills it before anything else is done with the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace windrow::aggregation {

/// Where the next item of one kind for one PE goes. Closed: all null, so that it is full.
struct writer {
  std::byte* cursor = nullptr;
  std::byte* limit = nullptr; ///< a whole number of items after the cursor
  std::uint64_t operand = 0;  ///< of a run of constant operands; of function runs, their argument
  std::ptrdiff_t notes = 0;   ///< from an item to the sender's private note about it (fetching kinds)

  /// Whether there is no room for another item, where all items of the kind have one size.
  bool is_full() const { return cursor == limit; }
  bool has_room(std::size_t bytes) const { return static_cast<std::size_t>(limit - cursor) >= bytes; }
  /// The place of the next item, of `bytes` bytes, for which there is room.
  std::byte* take(std::size_t bytes) {
    auto* const place = cursor;
    cursor = place + bytes;
    return place;
  }
  /// Takes the place of an item and fills it.
  template <class T>
  void put(const T& item) {
    std::memcpy(cursor, &item, sizeof item); // before, so that one instruction moves the cursor in memory
    take(sizeof item);
  }
  /// Where the sender keeps what it must know about the item at `place` (detail/notes.hpp).
  std::byte* note_of(std::byte* place) const { return place + notes; }
};

/// A function that owners call for each item of a run. Process-wide; `number` is this process's own.
struct remote_function {
  std::uint32_t number;
  std::uint32_t item_bytes : 31;
  /// Whether it writes a reply over each item. The argument is then the address of what takes the replies at
  /// the sender (kind_entry::deliver).
  std::uint32_t answers : 1;
  std::uint64_t code;     ///< which function it is, for every PE
  std::uint64_t argument; ///< for the header of its runs, if it is always the same
};

} // namespace windrow::aggregation
