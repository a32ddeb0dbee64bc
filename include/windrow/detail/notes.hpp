// SPDX-License-Identifier: BSD-3-Clause
// What a PE remembers about an item whose reply it waits for, at the item's place in the block's notes: 64
// bits, or for a stretch of items twice as many at the place of the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace windrow::aggregation {

// A note is the address of the *slot* that the reply is stored to. Addresses have 48 bits; if the other 16
// are not 0, the note is *counted*: the address is that of a counter, which the reply decrements, and they
// tell how many bytes behind it the slot lies. So notes that follow one another mostly have the same address.
// The distance 1, at which no slot can lie, marks a *stretch*: items one behind the other whose slots are at
// equal distances. The address is that of the first slot, and the next 64 bits are how many, and the
// distance. A single item is no stretch, so there is always room for both.

inline constexpr int note_address_bits = 48;
inline constexpr std::uint64_t stretch_mark = 1;
/// How far behind its counter a slot can be.
inline constexpr std::size_t farthest_slot = 65535;

inline bool is_counted(std::uint64_t note) {
  return note >> note_address_bits != 0;
}
/// The address in a note, where no other note's address has the same bits.
inline std::uint64_t address_bits_of(std::uint64_t note) {
  return note << (64 - note_address_bits);
}
inline std::byte* address_of(std::uint64_t note) {
  return reinterpret_cast<std::byte*>(note & ((std::uint64_t{1} << note_address_bits) - 1));
}
inline std::uint64_t distance_of(std::uint64_t note) {
  return note >> note_address_bits;
}

/// Of a slot `distance` bytes behind its counter.
inline std::uint64_t counted_note_bits(const std::uint32_t* counter, std::uint64_t distance) {
  return reinterpret_cast<std::uintptr_t>(counter) + (distance << note_address_bits);
}

/// Of a slot `bytes` behind that of the counted `note`.
inline std::uint64_t behind(std::uint64_t note, std::uint64_t bytes) {
  return note + (bytes << note_address_bits);
}

/// The note of a slot with a counter before it, by at most `farthest_slot` bytes. To be stored, not to be
/// used as the pointer that it looks like.
template <class T>
T* counted_note(T* slot, const std::uint32_t* counter) {
  const auto distance = reinterpret_cast<std::uintptr_t>(slot) - reinterpret_cast<std::uintptr_t>(counter);
  return reinterpret_cast<T*>(counted_note_bits(counter, distance));
}

struct stretch_note {
  std::byte* slot; ///< of the first item
  std::uint32_t items;
  std::uint32_t distance; ///< from a slot to the next
};
inline bool is_stretch(std::uint64_t note) {
  return note >> note_address_bits == stretch_mark;
}
inline void store_stretch(std::byte* notes, const stretch_note& s) {
  const std::uint64_t words[] = {reinterpret_cast<std::uintptr_t>(s.slot) | stretch_mark << note_address_bits,
                                 std::uint64_t{s.distance} << 32 | s.items};
  std::memcpy(notes, words, s.items > 1 ? sizeof words : 0);
  if (s.items == 1) std::memcpy(notes, &s.slot, sizeof s.slot);
}
inline stretch_note load_stretch(const std::byte* notes) {
  std::uint64_t words[2];
  std::memcpy(words, notes, sizeof words);
  return {address_of(words[0]), static_cast<std::uint32_t>(words[1]),
          static_cast<std::uint32_t>(words[1] >> 32)};
}

} // namespace windrow::aggregation
