// SPDX-License-Identifier: BSD-3-Clause
// Puts and gets: loads, stores and copies, or items of the aggregation engine.
#pragma once

#include <bit>

#include "pgas/core.hpp"
#include "shmem/far_memory.hpp"
#include "shmem/state.hpp"
#include "windrow/detail/copy.hpp"

namespace windrow::shmem {

/// Values that a processor stores and loads whole, and that aggregated operations carry.
template <class T>
inline constexpr bool is_word = sizeof(T) <= 8;

// Releasing and acquiring: on the usual processors plain instructions, and threads of one PE may signal with
// them.
template <class T>
void write(T* at, T value) {
  if constexpr (is_word<T>)
    __atomic_store(at, &value, __ATOMIC_RELEASE);
  else
    *at = value;
}
template <class T>
T read(const T* at) {
  if constexpr (is_word<T>) {
    T value;
    __atomic_load(at, &value, __ATOMIC_ACQUIRE);
    return value;
  } else {
    return *at;
  }
}

/// Gives an operation to the engine; it is complete at quiet.
template <aggregation::verb V, class T, class... Operands>
void append(const T* place, T* out, int pe, const char* routine, Operands... operands) {
  using carrier = aggregation::carrier<T>;
  const auto offset = offset_of(place, sizeof(T), routine);
  const auto lock = hot.core->exclusive();
  hot.lanes->append<V, carrier>(pe, offset, reinterpret_cast<carrier*>(out),
                                std::bit_cast<carrier>(operands)...);
}

/// A load that is complete at quiet.
template <class T>
void load_later(T* out, const T* source, int pe, const char* routine) {
  if (!hot.loads_directly) return append<aggregation::verb::fetch>(source, out, pe, routine);
  const auto* at = remote(source, pe, routine);
  const auto lock = hot.core->exclusive();
  hot.lanes->reads().add({at, out});
}

template <class On, class T>
void store(On on, T* dest, T value, int pe, const char* routine) {
  if constexpr (is_word<T>)
    if (on.aggregated())
      return append<aggregation::verb::put>(dest, static_cast<T*>(nullptr), on.job_pe(pe, routine), routine,
                                            value);
  auto* const to = remote(dest, on.job_pe(pe, routine), routine);
  if (is_elsewhere(to)) [[unlikely]]
    return begin_copy_elsewhere(to, &value, sizeof value);
  write(to, value);
}

/// The value is needed now, so a context that aggregates makes no difference.
template <class On, class T>
T load(On on, const T* source, int pe, const char* routine) {
  const auto* const from = remote(source, on.job_pe(pe, routine), routine);
  if (is_elsewhere(from)) [[unlikely]] {
    T value;
    copy_elsewhere(&value, from, sizeof value);
    return value;
  }
  return read(from);
}

template <class On>
void put_bytes(On on, void* dest, const void* source, std::size_t bytes, int pe, const char* routine) {
  if (bytes != 0) require_source(source, bytes, routine);
  begin_copy(remote_bytes(dest, bytes, on.job_pe(pe, routine), routine), source, bytes);
}
template <class On>
void get_bytes(On on, void* dest, const void* source, std::size_t bytes, int pe, const char* routine) {
  if (bytes != 0) require_dest(dest, bytes, routine);
  copy(dest, remote_bytes(source, bytes, on.job_pe(pe, routine), routine), bytes);
}

// Apart, so that one comparison is all that the usual call knows of it.
template <class On, class T>
[[gnu::noinline, gnu::cold]] void put_one_inspected(On on, T* dest, const T* source, int pe,
                                                    const char* routine) {
  require_source(source, sizeof(T), routine);
  store(on, dest, *source, pe, routine);
}
template <class On, class T>
void put(On on, T* dest, const T* source, std::size_t count, int pe, const char* routine) {
  if (count != 1) return put_bytes(on, dest, source, count * sizeof(T), pe, routine);
  if (!is_plausible(source)) [[unlikely]]
    return put_one_inspected(on, dest, source, pe, routine);
  store(on, dest, *source, pe, routine);
}
template <class On, class T>
void get_one(On on, T* dest, const T* source, int pe, const char* routine) {
  if constexpr (is_word<T>)
    if (on.aggregated()) return load_later(dest, source, on.job_pe(pe, routine), routine);
  *dest = load(on, source, pe, routine);
}
template <class On, class T>
[[gnu::noinline, gnu::cold]] void get_one_inspected(On on, T* dest, const T* source, int pe,
                                                    const char* routine) {
  require_dest(dest, sizeof(T), routine);
  get_one(on, dest, source, pe, routine);
}
template <class On, class T>
void get(On on, T* dest, const T* source, std::size_t count, int pe, const char* routine) {
  if (count != 1) return get_bytes(on, dest, source, count * sizeof(T), pe, routine);
  if (!is_plausible(dest)) [[unlikely]]
    return get_one_inspected(on, dest, source, pe, routine);
  get_one(on, dest, source, pe, routine);
}

/// The same, complete at quiet.
template <class On>
void get_bytes_later(On on, void* dest, const void* source, std::size_t bytes, int pe, const char* routine) {
  if (bytes != 0) require_dest(dest, bytes, routine);
  begin_copy(dest, remote_bytes(source, bytes, on.job_pe(pe, routine), routine), bytes);
}
template <class On, class T>
void get_later(On on, T* dest, const T* source, std::size_t count, int pe, const char* routine) {
  if (count == 1 && hot.elsewhere == nullptr) return get(on, dest, source, count, pe, routine);
  if (count == 1) require_dest(dest, sizeof(T), routine);
  if constexpr (is_word<T>)
    if (count == 1 && on.aggregated()) return load_later(dest, source, on.job_pe(pe, routine), routine);
  get_bytes_later(on, dest, source, count * sizeof(T), pe, routine);
}

/// `blocks` blocks of `block` elements of `size` bytes; strides, between the beginnings of blocks, in
/// elements.
struct strides {
  std::ptrdiff_t to, from;
  std::size_t block, blocks;
  std::size_t size;
  bool empty() const { return block == 0 || blocks == 0; }
};
/// The remote address of the first element, after a check of the whole range that a stride leads over.
std::byte* remote_strided(const void* first, std::ptrdiff_t stride, const strides&, int pe,
                          const char* routine);
/// Complete at `complete_elsewhere`.
void begin_copy_strided(std::byte* to, const std::byte* from, const strides&);
/// Complete when it returns.
void copy_strided(std::byte* to, const std::byte* from, const strides&);

template <class On>
void put_strided(On on, void* dest, const void* source, const strides& s, int pe, const char* routine) {
  if (!s.empty()) require_source(source, s.size, routine);
  auto* to = remote_strided(dest, s.to, s, on.job_pe(pe, routine), routine);
  begin_copy_strided(to, static_cast<const std::byte*>(source), s);
}
template <class On>
void get_strided(On on, void* dest, const void* source, const strides& s, int pe, const char* routine) {
  if (!s.empty()) require_dest(dest, s.size, routine);
  const auto* from = remote_strided(source, s.from, s, on.job_pe(pe, routine), routine);
  copy_strided(static_cast<std::byte*>(dest), from, s);
}

} // namespace windrow::shmem
