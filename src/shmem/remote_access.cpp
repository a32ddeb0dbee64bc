// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/remote_access.hpp"

#include "shmem/define.hpp"
#include "shmem/signals.hpp"

namespace windrow::shmem {

std::byte* remote_strided(const void* first, std::ptrdiff_t stride, const strides& s, int pe,
                          const char* routine) {
  if (s.empty()) return remote_bytes(first, 0, pe, routine);
  const auto size = static_cast<std::ptrdiff_t>(s.size);
  const auto last = static_cast<std::ptrdiff_t>(s.blocks - 1) * stride * size;
  const auto lowest = last < 0 ? last : 0;
  const auto reach = static_cast<std::size_t>(last < 0 ? -last : last) + s.block * s.size;
  return remote_bytes(static_cast<const std::byte*>(first) + lowest, reach, pe, routine) - lowest;
}

namespace {

template <std::size_t Size>
void copy_elements(std::byte* to, const std::byte* from, const strides& s) {
  constexpr auto size = static_cast<std::ptrdiff_t>(Size);
  for (std::size_t i = 0; i < s.blocks; ++i, to += s.to * size, from += s.from * size)
    std::memcpy(to, from, Size);
}

} // namespace

void begin_copy_strided(std::byte* to, const std::byte* from, const strides& s) {
  if (s.block == 0) return; // addresses may be null then
  if (hot.elsewhere == nullptr && s.block == 1 && s.size == 4) return copy_elements<4>(to, from, s);
  if (hot.elsewhere == nullptr && s.block == 1 && s.size == 8) return copy_elements<8>(to, from, s);
  const auto size = static_cast<std::ptrdiff_t>(s.size);
  for (std::size_t i = 0; i < s.blocks; ++i, to += s.to * size, from += s.from * size)
    begin_copy(to, from, s.block * s.size);
}

void copy_strided(std::byte* to, const std::byte* from, const strides& s) {
  begin_copy_strided(to, from, s);
  complete_elsewhere();
}

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

#define TYPED(T, N, A, B)                                                                                   \
  SHMEM_BOTH(void, N##_p, store(on, dest, value, pe, ROUTINE), T* dest, T value, int pe)                    \
  SHMEM_BOTH(T, N##_g, load(on, source, pe, ROUTINE), const T* source, int pe)                              \
  SHMEM_BOTH(void, N##_put, put(on, dest, source, nelems, pe, ROUTINE), T* dest, const T* source,           \
             size_t nelems, int pe)                                                                         \
  SHMEM_BOTH(void, N##_get, get(on, dest, source, nelems, pe, ROUTINE), T* dest, const T* source,           \
             size_t nelems, int pe)                                                                         \
  SHMEM_BOTH(void, N##_put_nbi, put(on, dest, source, nelems, pe, ROUTINE), T* dest, const T* source,       \
             size_t nelems, int pe)                                                                         \
  SHMEM_BOTH(void, N##_get_nbi, get_later(on, dest, source, nelems, pe, ROUTINE), T* dest, const T* source, \
             size_t nelems, int pe)                                                                         \
  STRIDED(T, N##_iput, N##_iget, N##_ibput, N##_ibget, sizeof(T))                                           \
  SIGNALLED(T, N##_put_signal, N##_put_signal_nbi,                                                          \
            put_bytes(on, dest, source, nelems * sizeof(T), pe, ROUTINE))

#define STRIDED(T, iput, iget, ibput, ibget, size)                                                         \
  SHMEM_BOTH(void, iput, put_strided(on, dest, source, {dst, sst, 1, nelems, size}, pe, ROUTINE), T* dest, \
             const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)                         \
  SHMEM_BOTH(void, iget, get_strided(on, dest, source, {dst, sst, 1, nelems, size}, pe, ROUTINE), T* dest, \
             const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)                         \
  SHMEM_BOTH(void, ibput, put_strided(on, dest, source, {dst, sst, bsize, nblocks, size}, pe, ROUTINE),    \
             T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) \
  SHMEM_BOTH(void, ibget, get_strided(on, dest, source, {dst, sst, bsize, nblocks, size}, pe, ROUTINE),    \
             T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)

#define SIGNALLED(T, name, name_nbi, put)                                                                 \
  SHMEM_BOTH(void, name, (put, signal_after_put(on, sig_addr, signal, sig_op, pe, ROUTINE)), T* dest,     \
             const T* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe)     \
  SHMEM_BOTH(void, name_nbi, (put, signal_after_put(on, sig_addr, signal, sig_op, pe, ROUTINE)), T* dest, \
             const T* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe)

#define UNTYPED(S, bytes)                                                                                    \
  SHMEM_BOTH(void, put##S, put_bytes(on, dest, source, nelems*(bytes), pe, ROUTINE), void* dest,             \
             const void* source, size_t nelems, int pe)                                                      \
  SHMEM_BOTH(void, get##S, get_bytes(on, dest, source, nelems*(bytes), pe, ROUTINE), void* dest,             \
             const void* source, size_t nelems, int pe)                                                      \
  SHMEM_BOTH(void, put##S##_nbi, put_bytes(on, dest, source, nelems*(bytes), pe, ROUTINE), void* dest,       \
             const void* source, size_t nelems, int pe)                                                      \
  SHMEM_BOTH(void, get##S##_nbi, get_bytes_later(on, dest, source, nelems*(bytes), pe, ROUTINE), void* dest, \
             const void* source, size_t nelems, int pe)                                                      \
  SIGNALLED(void, put##S##_signal, put##S##_signal_nbi,                                                      \
            put_bytes(on, dest, source, nelems*(bytes), pe, ROUTINE))

#define SIZED(S, bytes, A, B) UNTYPED(S, bytes) STRIDED(void, iput##S, iget##S, ibput##S, ibget##S, bytes)

WINDROW_SHMEM_RMA_TYPES(TYPED, , )
UNTYPED(mem, 1)
WINDROW_SHMEM_SIZES(SIZED, , )

#undef TYPED
