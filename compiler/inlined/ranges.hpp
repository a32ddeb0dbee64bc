// SPDX-License-Identifier: BSD-3-Clause
// Records behind ranges of near values, as compiled code opens them: they have the address, and the values
// are loaded from there when they are needed.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "compiler/inlined/blocks.hpp"
#include "windrow/detail/range_fetch.hpp"

namespace windrow::shmem {

/// Whether all of the `count` elements, one at least, are in symmetric memory.
template <class T>
WINDROW_INLINE bool has_elements(std::uint64_t offset, std::size_t count) {
  const auto first = std::rotr(offset, std::countr_zero(sizeof(T)));
  const auto reach = view.lanes->reach<T>();
  return first < reach && count - 1 < reach - first;
}

/// Opens the record and stores where its range lies at `slot` of the payload. Null, and nothing is done, if
/// there is no room or the range is not near.
template <class T>
WINDROW_INLINE std::byte* open_near_range(const block& b, std::size_t slot, const shmem_ctx_object* ctx,
                                          const void* source, std::size_t count, int pe) {
  place at;
  if (!view.loads_directly || !prepare_record(b) || !find_place(ctx, source, pe, at) ||
      !has_elements<T>(at.offset, count))
    return nullptr;
  const auto* const from = static_cast<const std::byte*>(source) + (at.pe - view.pe) * view.stride;
  aggregation::prefetch_range(from, count * sizeof(T));
  auto* const payload = add_record(view.levels[b.level], b).payload;
  std::memcpy(payload + slot, &from, sizeof from);
  return payload;
}

} // namespace windrow::shmem
