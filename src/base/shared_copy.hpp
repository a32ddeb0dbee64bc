// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "windrow/detail/copy.hpp"

namespace windrow::base {

template <class Word>
bool store_if_whole(std::byte* to, const void* from, std::size_t bytes) {
  if (bytes != sizeof(Word) || reinterpret_cast<std::uintptr_t>(to) % sizeof(Word) != 0) return false;
  Word value;
  __builtin_memcpy(&value, from, sizeof value);
  __atomic_store_n(reinterpret_cast<Word*>(to), value, __ATOMIC_RELEASE);
  return true;
}
template <class Word>
bool load_if_whole(void* to, const std::byte* from, std::size_t bytes) {
  if (bytes != sizeof(Word) || reinterpret_cast<std::uintptr_t>(from) % sizeof(Word) != 0) return false;
  const Word value = __atomic_load_n(reinterpret_cast<const Word*>(from), __ATOMIC_SEQ_CST);
  __builtin_memcpy(to, &value, sizeof value);
  return true;
}

/// Copies to and from memory that others use at the same time. What is of the size of an integer, and aligned
/// like one, is stored and loaded once and as a whole.
inline void store_shared(std::byte* to, const void* from, std::size_t bytes) {
  if (store_if_whole<std::uint64_t>(to, from, bytes) || store_if_whole<std::uint32_t>(to, from, bytes) ||
      store_if_whole<std::uint16_t>(to, from, bytes) || store_if_whole<std::uint8_t>(to, from, bytes))
    return;
  detail::copy_bytes(to, from, bytes);
}
inline void load_shared(void* to, const std::byte* from, std::size_t bytes) {
  if (load_if_whole<std::uint64_t>(to, from, bytes) || load_if_whole<std::uint32_t>(to, from, bytes) ||
      load_if_whole<std::uint16_t>(to, from, bytes) || load_if_whole<std::uint8_t>(to, from, bytes))
    return;
  detail::copy_bytes(to, from, bytes);
}

} // namespace windrow::base
