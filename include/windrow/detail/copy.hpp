// SPDX-License-Identifier: BSD-3-Clause
// How puts and gets of ranges copy.
#pragma once

#include <cstddef>
#include <cstring>

namespace windrow::detail {

inline constexpr std::size_t shortest_long_copy = 2048;

/// `copy_bytes` for `shortest_long_copy` bytes and more; fastest up to about the size of a core's own cache.
void copy_long(void* to, const void* from, std::size_t bytes);

/// As memcpy: the ranges must not overlap unless they are the same. Both may be null when `bytes` is 0. When
/// it returns, a release by this thread makes the bytes visible as it does any other stores. Thread-safe.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes >= shortest_long_copy) return copy_long(to, from, bytes);
  if (bytes != 0) std::memcpy(to, from, bytes);
}

/// `blocks` blocks of `block` bytes; their beginnings are so many bytes apart here and there.
struct strides {
  std::ptrdiff_t to, from;
  std::size_t block, blocks;
};

/// Copies blocks, as if one after the other, between ranges that do not overlap.
void copy_strided(std::byte* to, const std::byte* from, const strides&);

} // namespace windrow::detail
