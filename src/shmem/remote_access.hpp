// SPDX-License-Identifier: BSD-3-Clause
// Puts and gets: loads, stores and copies, or items of the aggregation engine.
#pragma once

#include <bit>

#include "pgas/core.hpp"
#include "shmem/polling.hpp"
#include "shmem/remote_word.hpp"
#include "shmem/state.hpp"
#include "shmem/storing.hpp"
#include "windrow/detail/direct.hpp"

namespace windrow::shmem {

namespace direct = detail::direct;
using detail::caller;
using detail::until;

/// Values that a processor stores and loads whole, and that aggregated operations carry.
template <class T>
inline constexpr bool is_word = sizeof(T) <= 8;

/// A variable of this PE that others change.
template <class T>
T read(const T* at) {
  return direct::load<T>(reinterpret_cast<const std::byte*>(at));
}

/// Gives an operation to the engine; it is complete at quiet.
template <aggregation::verb V, class T, class... Operands>
void append(const T* place, T* out, int pe, const char* routine, Operands... operands) {
  using carrier = aggregation::carrier<T>;
  const auto offset = offset_of(place, sizeof(T), routine);
  const storing in;
  in.lanes().append<V, carrier>(pe, offset, reinterpret_cast<carrier*>(out),
                                std::bit_cast<carrier>(operands)...);
}

/// A load that is complete at quiet.
template <class T>
void load_later(T* out, const T* source, int pe, const char* routine) {
  if (!hot.loads_directly) return append<aggregation::verb::fetch>(source, out, pe, routine);
  const auto* at = remote(source, pe, routine);
  const storing in;
  in.lanes().loads().add(at, out);
}

// Direct operations. What is asked for `until` less than `complete` is complete at `complete_direct`. What is
// not in the heap or not plain, and addresses that are looked at closer, are apart, so that the usual case
// calls nothing.

template <class T>
[[gnu::noinline]] void store_anywhere(T* dest, T value, int pe, caller by) {
  const auto to = place_of(dest, sizeof(T), pe, by.operation);
  if (!to.plain) return hot.map->put_slowly(to.pe, to.offset, &value, sizeof value, until::copied, by);
  direct::store(direct::address(*hot.map, to), value);
}
template <class On, class T>
WINDROW_INLINE void store(On on, T* dest, T value, int pe, routine by) {
  const int target = on.job_pe(pe, by.name);
  if constexpr (is_word<T>)
    if (on.aggregated())
      return append<aggregation::verb::put>(dest, static_cast<T*>(nullptr), target, by.name, value);
  const auto to = place_in_heap(dest, target);
  if (!to.plain) [[unlikely]]
    return store_anywhere(dest, value, target, by.called());
  direct::store(direct::address(*hot.map, to), value);
}

template <class T>
[[gnu::noinline]] T load_anywhere(const T* source, int pe, caller by) {
  return direct::get<T>(*hot.map, place_of(source, sizeof(T), pe, by.operation), by);
}
template <class T>
[[gnu::noinline]] T load_anywhere_polled(const T* source, int pe, caller by) {
  return polled(load_anywhere(source, pe, by));
}
/// The value is needed now, so a context that aggregates makes no difference. `Anywhere` loads what is apart.
template <auto Anywhere, class On, class T>
WINDROW_INLINE T load_by(On on, const T* source, int pe, routine by) {
  const int target = on.job_pe(pe, by.name);
  if (!is_plain_in_heap(source, target)) [[unlikely]]
    return Anywhere(source, target, by.called());
  return polled(direct::load<T>(direct::address(*hot.map, place_in_heap(source, target))));
}
template <class On, class T>
WINDROW_INLINE T load(On on, const T* source, int pe, routine by) {
  return load_by<load_anywhere_polled<T>>(on, source, pe, by);
}

[[noreturn, gnu::cold]] void too_many(std::size_t count, std::size_t size, const char* routine);
/// Of so many elements. Ends the job if no memory holds them: a negative number that became a size, say.
inline std::size_t total_bytes(std::size_t count, std::size_t size, const char* routine) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) [[unlikely]]
    too_many(count, size, routine);
  return bytes;
}

void put_anywhere(void* dest, const void* source, std::size_t bytes, int pe, until, caller);
void get_anywhere(void* dest, const void* source, std::size_t bytes, int pe, until, caller);

template <class On>
WINDROW_INLINE void put_bytes(On on, void* dest, const void* source, std::size_t bytes, int pe, until when,
                              routine by) {
  const int target = on.job_pe(pe, by.name);
  const auto to = range_in_heap(dest, bytes, target);
  if (!to.plain || !is_plausible(source)) [[unlikely]]
    return put_anywhere(dest, source, bytes, target, when, by.called());
  detail::copy_bytes(direct::address(*hot.map, to), source, bytes);
}
template <class On>
WINDROW_INLINE void get_bytes(On on, void* dest, const void* source, std::size_t bytes, int pe, until when,
                              routine by) {
  const int target = on.job_pe(pe, by.name);
  const auto from = range_in_heap(source, bytes, target);
  if (!from.plain || !is_plausible(dest)) [[unlikely]]
    return get_anywhere(dest, source, bytes, target, when, by.called());
  polled();
  detail::copy_bytes(dest, direct::address(*hot.map, from), bytes);
}

template <class On, class T>
[[gnu::noinline, gnu::cold]] void append_inspected(On on, T* dest, const T* source, int pe,
                                                   const char* name) {
  require_source(source, sizeof(T), name);
  append<aggregation::verb::put>(dest, static_cast<T*>(nullptr), on.job_pe(pe, name), name, *source);
}
template <class On, class T>
WINDROW_INLINE void put(On on, T* dest, const T* source, std::size_t count, int pe, until when, routine by) {
  if (count != 1) return put_bytes(on, dest, source, total_bytes(count, sizeof(T), by.name), pe, when, by);
  if constexpr (is_word<T>)
    if (on.aggregated()) {
      if (!is_plausible(source)) [[unlikely]]
        return append_inspected(on, dest, source, pe, by.name);
      return store(on, dest, *source, pe, by);
    }
  const int target = on.job_pe(pe, by.name);
  const auto to = place_in_heap(dest, target);
  if (!to.plain || !is_plausible(source)) [[unlikely]]
    return put_anywhere(dest, source, sizeof(T), target, when, by.called());
  direct::store(direct::address(*hot.map, to), *source);
}

template <class On, class T>
[[gnu::noinline, gnu::cold]] void load_later_inspected(On on, T* dest, const T* source, int pe,
                                                       const char* name) {
  require_dest(dest, sizeof(T), name);
  load_later(dest, source, on.job_pe(pe, name), name);
}
template <class On, class T>
WINDROW_INLINE void get(On on, T* dest, const T* source, std::size_t count, int pe, until when, routine by) {
  if (count != 1) return get_bytes(on, dest, source, total_bytes(count, sizeof(T), by.name), pe, when, by);
  if constexpr (is_word<T>)
    if (on.aggregated()) {
      if (!is_plausible(dest)) [[unlikely]]
        return load_later_inspected(on, dest, source, pe, by.name);
      return load_later(dest, source, on.job_pe(pe, by.name), by.name);
    }
  const int target = on.job_pe(pe, by.name);
  const auto from = place_in_heap(source, target);
  if (!from.plain || !is_plausible(dest)) [[unlikely]]
    return get_anywhere(dest, source, sizeof(T), target, when, by.called());
  polled();
  *dest = direct::load<T>(direct::address(*hot.map, from));
}

// Strided ranges. Strides and blocks are in bytes.

/// `blocks` blocks of `block` elements of `size` bytes; strides, between the beginnings of blocks, in
/// elements.
inline detail::strides in_bytes(std::ptrdiff_t to, std::ptrdiff_t from, std::size_t block, std::size_t blocks,
                                std::size_t size, const char* routine) {
  return {detail::stride_in_bytes(to, size, routine), detail::stride_in_bytes(from, size, routine),
          total_bytes(block, size, routine), blocks};
}
/// Of blocks whose beginnings are `stride` bytes apart: the place of the first one, after a check of them
/// all.
detail::place strided_place(const void* first, std::ptrdiff_t stride, std::size_t block, std::size_t blocks,
                            int pe, const char* routine);
void put_strided(void* dest, const void* source, const detail::strides&, int job_pe, until, caller);
void get_strided(void* dest, const void* source, const detail::strides&, int job_pe, until, caller);

} // namespace windrow::shmem
