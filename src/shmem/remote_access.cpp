// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/remote_access.hpp"

#include "shmem/define.hpp"
#include "shmem/signals.hpp"

namespace windrow::shmem {

void put_anywhere(void* dest, const void* source, std::size_t bytes, int pe, until when, caller by) {
  if (!is_plausible(source) && bytes != 0) [[unlikely]]
    require_source(source, bytes, by.operation);
  direct::put_bytes(*hot.map, place_of(dest, bytes, pe, by.operation), source, bytes, when, by);
}

void get_anywhere(void* dest, const void* source, std::size_t bytes, int pe, until when, caller by) {
  if (!is_plausible(dest) && bytes != 0) [[unlikely]]
    require_dest(dest, bytes, by.operation);
  direct::get_bytes(*hot.map, place_of(source, bytes, pe, by.operation), dest, bytes, when, by);
}

detail::place strided_place(const void* first, std::ptrdiff_t stride, std::size_t block, std::size_t blocks,
                            int pe, const char* routine) {
  const auto last = static_cast<std::ptrdiff_t>(blocks - 1) * stride;
  const auto lowest = last < 0 ? last : 0;
  const auto reach = static_cast<std::size_t>(last < 0 ? -last : last) + block;
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
  direct::get_strided(*hot.map, from, dest, s, when, by);
}

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

#define TYPED(T, N, A, B)                                                                            \
  SHMEM_BOTH(void, N##_p, store(on, dest, value, pe, LAZY_CALL), T* dest, T value, int pe)           \
  SHMEM_BOTH(T, N##_g, load(on, source, pe, LAZY_CALL), const T* source, int pe)                     \
  SHMEM_BOTH(void, N##_put, put(on, dest, source, nelems, pe, until::copied, LAZY_CALL), T* dest,    \
             const T* source, size_t nelems, int pe)                                                 \
  SHMEM_BOTH(void, N##_get, get(on, dest, source, nelems, pe, until::complete, LAZY_CALL), T* dest,  \
             const T* source, size_t nelems, int pe)                                                 \
  SHMEM_BOTH(void, N##_put_nbi, put(on, dest, source, nelems, pe, until::begun, LAZY_CALL), T* dest, \
             const T* source, size_t nelems, int pe)                                                 \
  SHMEM_BOTH(void, N##_get_nbi, get(on, dest, source, nelems, pe, until::begun, LAZY_CALL), T* dest, \
             const T* source, size_t nelems, int pe)                                                 \
  STRIDED(T, N##_iput, N##_iget, N##_ibput, N##_ibget, sizeof(T))                                    \
  SIGNALLED(T, N##_put_signal, nelems * sizeof(T), until::copied)                                    \
  SIGNALLED(T, N##_put_signal_nbi, nelems * sizeof(T), until::begun)

#define STRIDED(T, iput, iget, ibput, ibget, size)                                                         \
  SHMEM_BOTH(void, iput,                                                                                   \
             put_strided(dest, source, in_bytes(dst, sst, 1, nelems, size), on.job_pe(pe, ROUTINE),        \
                         until::copied, CALL),                                                             \
             T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)                \
  SHMEM_BOTH(void, iget,                                                                                   \
             get_strided(dest, source, in_bytes(dst, sst, 1, nelems, size), on.job_pe(pe, ROUTINE),        \
                         until::complete, CALL),                                                           \
             T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)                \
  SHMEM_BOTH(void, ibput,                                                                                  \
             put_strided(dest, source, in_bytes(dst, sst, bsize, nblocks, size), on.job_pe(pe, ROUTINE),   \
                         until::copied, CALL),                                                             \
             T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) \
  SHMEM_BOTH(void, ibget,                                                                                  \
             get_strided(dest, source, in_bytes(dst, sst, bsize, nblocks, size), on.job_pe(pe, ROUTINE),   \
                         until::complete, CALL),                                                           \
             T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)

#define SIGNALLED(T, name, bytes, when)                                                                \
  SHMEM_BOTH(void, name,                                                                               \
             (put_bytes(on, dest, source, bytes, pe, when, LAZY_CALL), hot.map->fence(),               \
              signal_after_put(on, sig_addr, signal, sig_op, pe, LAZY_CALL)),                          \
             T* dest, const T* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, \
             int pe)

#define UNTYPED(S, bytes)                                                                                  \
  SHMEM_BOTH(void, put##S, put_bytes(on, dest, source, nelems*(bytes), pe, until::copied, LAZY_CALL),      \
             void* dest, const void* source, size_t nelems, int pe)                                        \
  SHMEM_BOTH(void, get##S, get_bytes(on, dest, source, nelems*(bytes), pe, until::complete, LAZY_CALL),    \
             void* dest, const void* source, size_t nelems, int pe)                                        \
  SHMEM_BOTH(void, put##S##_nbi, put_bytes(on, dest, source, nelems*(bytes), pe, until::begun, LAZY_CALL), \
             void* dest, const void* source, size_t nelems, int pe)                                        \
  SHMEM_BOTH(void, get##S##_nbi, get_bytes(on, dest, source, nelems*(bytes), pe, until::begun, LAZY_CALL), \
             void* dest, const void* source, size_t nelems, int pe)                                        \
  SIGNALLED(void, put##S##_signal, nelems*(bytes), until::copied)                                          \
  SIGNALLED(void, put##S##_signal_nbi, nelems*(bytes), until::begun)

#define SIZED(S, bytes, A, B) UNTYPED(S, bytes) STRIDED(void, iput##S, iget##S, ibput##S, ibget##S, bytes)

WINDROW_SHMEM_RMA_TYPES(TYPED, , )
UNTYPED(mem, 1)
WINDROW_SHMEM_SIZES(SIZED, , )

#undef TYPED
