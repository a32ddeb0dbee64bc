// SPDX-License-Identifier: BSD-3-Clause
// What a PE remembers about an item whose reply it waits for: 64 bits at the item's place in the block's
// notes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace windrow::aggregation {

// A note is the address of the *slot* that the reply is stored to. Addresses have 48 bits; the other 16 tell,
// if they are not 0, how many bytes before the slot a counter lies that the reply decrements.

inline constexpr int note_address_bits = 48;
/// How far behind its counter a slot can be.
inline constexpr std::size_t farthest_slot = 65535;

inline void* slot_of(std::uint64_t note) {
  return reinterpret_cast<void*>(note & ((std::uint64_t{1} << note_address_bits) - 1));
}
inline bool is_counted(std::uint64_t note) {
  return note >> note_address_bits != 0;
}
inline std::uint32_t* counter_of(std::uint64_t note) {
  return reinterpret_cast<std::uint32_t*>(static_cast<std::byte*>(slot_of(note)) -
                                          (note >> note_address_bits));
}

/// The note of a slot with a counter before it, by at most `farthest_slot` bytes. To be stored, not to be
/// used as the pointer that it looks like.
template <class T>
T* counted_note(T* slot, const std::uint32_t* counter) {
  const auto at = reinterpret_cast<std::uintptr_t>(slot);
  return reinterpret_cast<T*>(at | (at - reinterpret_cast<std::uintptr_t>(counter)) << note_address_bits);
}

} // namespace windrow::aggregation
