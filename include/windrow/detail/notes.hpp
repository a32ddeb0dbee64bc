// SPDX-License-Identifier: BSD-3-Clause
// What a PE remembers about an item whose reply it waits for: 64 bits at the item's place in the block's
// notes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace windrow::aggregation {

// A note is the address of the *slot* that the reply is stored to. Addresses have 48 bits; if the other 16
// are not 0, the note is *counted*: the address is that of a counter, which the reply decrements, and they
// tell how many bytes behind it the slot lies. So notes that follow one another mostly have the same address.

inline constexpr int note_address_bits = 48;
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

} // namespace windrow::aggregation
