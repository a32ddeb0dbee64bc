// SPDX-License-Identifier: BSD-3-Clause
// The one way to symmetric memory, for every direct operation of the C++ interface, of contexts that do not
// aggregate, and of OpenSHMEM. Where load and store reach it, it is used at once; all else (other hosts,
// imitated distances, checks, misuse) is behind one predicted branch, in `memory_map`. Values of 1, 2, 4 and
// 8 bytes are stored (releasing) and loaded (in sequential consistency) whole, so that PEs and threads may
// signal with them.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "windrow/detail/atomic_access.hpp"
#include "windrow/detail/copy.hpp"
#include "windrow/detail/inline.hpp"
#include "windrow/detail/memory_map.hpp"

namespace windrow::detail::direct {

/// Values that a processor stores and loads whole.
template <class T>
inline constexpr bool is_whole = std::has_single_bit(sizeof(T)) && sizeof(T) <= 8 && alignof(T) == sizeof(T);

inline std::byte* address(const memory_map& map, place at) {
  return map.segment(at.pe) + at.offset;
}

/// Behind a call that looks for the place that it was called from: it is not to become a jump.
WINDROW_INLINE void stay() {
  asm volatile("");
}

template <class T>
WINDROW_INLINE void store(std::byte* at, const T& value) {
  if constexpr (is_whole<T>)
    __atomic_store_n(reinterpret_cast<bits_of<T>*>(at), std::bit_cast<bits_of<T>>(value), __ATOMIC_RELEASE);
  else
    std::memcpy(at, &value, sizeof value);
}
template <class T>
WINDROW_INLINE T load(const std::byte* at) {
  if constexpr (is_whole<T>) {
    return std::bit_cast<T>(__atomic_load_n(reinterpret_cast<const bits_of<T>*>(at), __ATOMIC_SEQ_CST));
  } else {
    alignas(T) std::byte value[sizeof(T)];
    std::memcpy(value, at, sizeof value);
    return std::bit_cast<T>(value);
  }
}

// A value by itself need not be in memory where it is plain.
template <class T>
[[gnu::noinline, gnu::cold]] void put_value_slowly(memory_map& map, pe_t to, std::size_t offset, T value,
                                                   until when, const char* operation) {
  map.put_slowly(to, offset, &value, sizeof value, when, {operation, __builtin_return_address(0)});
}
/// Not `until::begun`: the caller has the value.
template <class T>
WINDROW_INLINE void put(memory_map& map, place to, T value, until when, const char* operation) {
  if (!to.plain) [[unlikely]] {
    put_value_slowly(map, to.pe, to.offset, value, when, operation);
    return stay();
  }
  store(address(map, to), value);
}
/// Complete when it returns.
template <class T>
WINDROW_INLINE T get(memory_map& map, place from, caller by) {
  if (!from.plain) [[unlikely]] {
    alignas(T) std::byte value[sizeof(T)];
    map.get_slowly(from.pe, from.offset, value, sizeof(T), until::complete, by);
    return std::bit_cast<T>(value);
  }
  return load<T>(address(map, from));
}
template <class T>
WINDROW_INLINE void get(memory_map& map, place from, T* to, until when, caller by) {
  if (!from.plain) [[unlikely]] {
    map.get_slowly(from.pe, from.offset, to, sizeof(T), when, by);
    return stay();
  }
  *to = load<T>(address(map, from));
}

// An atomic operation that only reads. It may be of a flag, so it ends what WINDROW_BULK has kept and read
// ahead, as those do that change something.
template <class T>
WINDROW_INLINE T fetch(memory_map& map, place from, caller by) {
  if (!from.plain) [[unlikely]]
    map.settle();
  return get<T>(map, from, by);
}
template <class T>
WINDROW_INLINE void fetch(memory_map& map, place from, T* to, until when, caller by) {
  if (!from.plain) [[unlikely]]
    map.settle();
  get(map, from, to, when, by);
}

WINDROW_INLINE void put_bytes(memory_map& map, place to, const void* from, std::size_t bytes, until when,
                              caller by) {
  if (!to.plain) [[unlikely]] {
    map.put_slowly(to.pe, to.offset, from, bytes, when, by);
    return stay();
  }
  copy_bytes(address(map, to), from, bytes);
}
WINDROW_INLINE void get_bytes(memory_map& map, place from, void* to, std::size_t bytes, until when,
                              caller by) {
  if (!from.plain) [[unlikely]] {
    map.get_slowly(from.pe, from.offset, to, bytes, when, by);
    return stay();
  }
  copy_bytes(to, address(map, from), bytes);
}

inline void put_strided(memory_map& map, place to, const void* from, const strides& s, until when,
                        caller by) {
  if (!to.plain) [[unlikely]]
    return map.put_strided_slowly(to.pe, to.offset, from, s, when, by);
  copy_strided(address(map, to), static_cast<const std::byte*>(from), s);
}
inline void get_strided(memory_map& map, place from, void* to, const strides& s, until when, caller by) {
  if (!from.plain) [[unlikely]]
    return map.get_strided_slowly(from.pe, from.offset, to, s, when, by);
  copy_strided(static_cast<std::byte*>(to), address(map, from), s);
}

/// Whether atomic instructions will do. Atomic operations are announced before.
WINDROW_INLINE bool is_plain_atomic(const memory_map& map, place at) {
  return at.plain && map.plain_atomics.load(std::memory_order_acquire);
}
/// Carries out the operation where they do. Returns the value before.
template <std::memory_order Order, verb V, class T, class... Operands>
WINDROW_INLINE T apply(const memory_map& map, place at, Operands... operands) {
  return atomic_access<Order>::template apply<V>(*reinterpret_cast<T*>(address(map, at)), operands...);
}

/// An atomic operation, complete when it returns. Returns the value before.
template <std::memory_order Order, verb V, class T, class... Operands>
WINDROW_INLINE T change(memory_map& map, place at, caller by, Operands... operands) {
  if (!is_plain_atomic(map, at)) [[unlikely]]
    return from_bits<T>(map.change_slowly(at.pe, at.offset, change_of<V, T>(operands...), by));
  return apply<Order, V, T>(map, at, operands...);
}
/// Another one, complete at `memory_map::complete`; the value before is then at `before`, unless that is
/// null.
template <std::memory_order Order, verb V, class T, class... Operands>
WINDROW_INLINE void begin_change(memory_map& map, place at, T* before, caller by, Operands... operands) {
  if (!is_plain_atomic(map, at)) [[unlikely]] {
    map.change_later(at.pe, at.offset, change_of<V, T>(operands...), before, sizeof(T), by);
    return stay();
  }
  const T old = apply<Order, V, T>(map, at, operands...);
  if (before != nullptr) *before = old;
}

} // namespace windrow::detail::direct
