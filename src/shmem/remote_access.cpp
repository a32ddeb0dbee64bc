// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/remote_access.hpp"

#include <fmt/format.h>

#include "base/fatal.hpp"
#include "shmem/define.hpp"
#include "shmem/signals.hpp"

namespace windrow::shmem {

void too_many(std::size_t count, std::size_t size, const char* routine) {
  base::fatal(fmt::format("{}: {} elements of {} bytes are more than any memory holds (a negative number?)",
                          routine, count, size));
}

void put_anywhere(void* dest, const void* source, std::size_t bytes, int pe, until when, caller by) {
  if (!is_plausible(source) && bytes != 0) [[unlikely]]
    require_source(source, bytes, by.operation);
  direct::put_bytes(*hot.map, place_of(dest, bytes, pe, by.operation), source, bytes, when, by);
}

void get_anywhere(void* dest, const void* source, std::size_t bytes, int pe, until when, caller by) {
  if (!is_plausible(dest) && bytes != 0) [[unlikely]]
    require_dest(dest, bytes, by.operation);
  polled();
  direct::get_bytes(*hot.map, place_of(source, bytes, pe, by.operation), dest, bytes, when, by);
}

detail::place strided_place(const void* first, std::ptrdiff_t stride, std::size_t block, std::size_t blocks,
                            int pe, const char* routine) {
  const auto [lowest, reach] = detail::extent_of(stride, block, blocks, routine);
  const auto* const begin = static_cast<const std::byte*>(first) + lowest;
  auto place = range_in_heap(begin, reach, pe);
  if (!place.plain) [[unlikely]]
    place = place_of(begin, reach, pe, routine);
  place.offset -= static_cast<std::size_t>(lowest);
  return place;
}

void put_strided(void* dest, const void* source, const detail::strides& s, int job_pe, until when,
                 caller by) {
  if (s.block == 0 || s.blocks == 0) return put_anywhere(dest, source, 0, job_pe, when, by);
  require_source(source, s.block, by.operation);
  const auto to = strided_place(dest, s.to, s.block, s.blocks, job_pe, by.operation);
  direct::put_strided(*hot.map, to, source, s, when, by);
}

void get_strided(void* dest, const void* source, const detail::strides& s, int job_pe, until when,
                 caller by) {
  if (s.block == 0 || s.blocks == 0) return get_anywhere(dest, source, 0, job_pe, when, by);
  require_dest(dest, s.block, by.operation);
  const auto from = strided_place(source, s.from, s.block, s.blocks, job_pe, by.operation);
  polled();
  direct::get_strided(*hot.map, from, dest, s, when, by);
}

namespace routines {

namespace {

// By value.

template <class On, class T>
WINDROW_INLINE void p(On on, routine by, T* dest, T value, int pe) {
  store(on, dest, value, pe, by);
}
template <class On, class T>
WINDROW_INLINE T g(On on, routine by, const T* source, int pe) {
  return load(on, source, pe, by);
}

// Of many elements of a type, or of `size` bytes each.

template <class On, class T>
WINDROW_INLINE void put(On on, routine by, T* dest, const T* source, std::size_t count, int pe) {
  shmem::put(on, dest, source, count, pe, until::copied, by);
}
template <class On, class T>
WINDROW_INLINE void get(On on, routine by, T* dest, const T* source, std::size_t count, int pe) {
  shmem::get(on, dest, source, count, pe, until::complete, by);
}
template <class On, class T>
WINDROW_INLINE void put_nbi(On on, routine by, T* dest, const T* source, std::size_t count, int pe) {
  shmem::put(on, dest, source, count, pe, until::begun, by);
}
template <class On, class T>
WINDROW_INLINE void get_nbi(On on, routine by, T* dest, const T* source, std::size_t count, int pe) {
  shmem::get(on, dest, source, count, pe, until::begun, by);
}

template <std::size_t size, class On>
WINDROW_INLINE void put_untyped(On on, routine by, void* dest, const void* source, std::size_t count,
                                int pe) {
  put_bytes(on, dest, source, total_bytes(count, size, by.name), pe, until::copied, by);
}
template <std::size_t size, class On>
WINDROW_INLINE void get_untyped(On on, routine by, void* dest, const void* source, std::size_t count,
                                int pe) {
  get_bytes(on, dest, source, total_bytes(count, size, by.name), pe, until::complete, by);
}
template <std::size_t size, class On>
WINDROW_INLINE void put_untyped_nbi(On on, routine by, void* dest, const void* source, std::size_t count,
                                    int pe) {
  put_bytes(on, dest, source, total_bytes(count, size, by.name), pe, until::begun, by);
}
template <std::size_t size, class On>
WINDROW_INLINE void get_untyped_nbi(On on, routine by, void* dest, const void* source, std::size_t count,
                                    int pe) {
  get_bytes(on, dest, source, total_bytes(count, size, by.name), pe, until::begun, by);
}

// Strided ones: of single elements, and of blocks.

template <std::size_t size, class On>
WINDROW_INLINE void iput(On on, routine by, void* dest, const void* source, std::ptrdiff_t to,
                         std::ptrdiff_t from, std::size_t count, int pe) {
  put_strided(dest, source, in_bytes(to, from, 1, count, size, by.name), on.job_pe(pe, by.name),
              until::copied, by.called());
}
template <std::size_t size, class On>
WINDROW_INLINE void iget(On on, routine by, void* dest, const void* source, std::ptrdiff_t to,
                         std::ptrdiff_t from, std::size_t count, int pe) {
  get_strided(dest, source, in_bytes(to, from, 1, count, size, by.name), on.job_pe(pe, by.name),
              until::complete, by.called());
}
template <std::size_t size, class On>
WINDROW_INLINE void ibput(On on, routine by, void* dest, const void* source, std::ptrdiff_t to,
                          std::ptrdiff_t from, std::size_t block, std::size_t blocks, int pe) {
  put_strided(dest, source, in_bytes(to, from, block, blocks, size, by.name), on.job_pe(pe, by.name),
              until::copied, by.called());
}
template <std::size_t size, class On>
WINDROW_INLINE void ibget(On on, routine by, void* dest, const void* source, std::ptrdiff_t to,
                          std::ptrdiff_t from, std::size_t block, std::size_t blocks, int pe) {
  get_strided(dest, source, in_bytes(to, from, block, blocks, size, by.name), on.job_pe(pe, by.name),
              until::complete, by.called());
}

// With a signal behind.

template <class On>
WINDROW_INLINE void put_and_signal(On on, routine by, void* dest, const void* source, std::size_t bytes,
                                   std::uint64_t* signal, std::uint64_t value, int op, int pe, until when) {
  put_bytes(on, dest, source, bytes, pe, when, by);
  hot.map->fence();
  signal_after_put(on, signal, value, op, pe, by);
}
template <std::size_t size, class On>
WINDROW_INLINE void put_signal(On on, routine by, void* dest, const void* source, std::size_t count,
                               std::uint64_t* signal, std::uint64_t value, int op, int pe) {
  put_and_signal(on, by, dest, source, total_bytes(count, size, by.name), signal, value, op, pe,
                 until::copied);
}
template <std::size_t size, class On>
WINDROW_INLINE void put_signal_nbi(On on, routine by, void* dest, const void* source, std::size_t count,
                                   std::uint64_t* signal, std::uint64_t value, int op, int pe) {
  put_and_signal(on, by, dest, source, total_bytes(count, size, by.name), signal, value, op, pe,
                 until::begun);
}

} // namespace

} // namespace routines

} // namespace windrow::shmem

WINDROW_SHMEM_RMA_TYPES(WINDROW_SHMEM_RMA, , )
WINDROW_SHMEM_UNTYPED(mem, 1)
WINDROW_SHMEM_SIZES(WINDROW_SHMEM_UNTYPED_STRIDED, , )
