// SPDX-License-Identifier: BSD-3-Clause
// Records behind ranges of near values, as compiled code opens and runs them: until the record runs it has
// the address, then the values are loaded behind its payload.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "compiler/inlined/blocks.hpp"
#include "windrow/detail/range_fetch.hpp"

namespace windrow::shmem {

/// What is in the payload until the values are loaded.
struct near_range {
  const std::byte* from;
  std::size_t bytes;
};

/// Whether all of the `count` elements, one at least, are in symmetric memory.
template <class T>
WINDROW_INLINE bool has_elements(std::uint64_t offset, std::size_t count) {
  const auto first = std::rotr(offset, std::countr_zero(sizeof(T)));
  const auto reach = view.lanes->reach<T>();
  return first < reach && count - 1 < reach - first;
}

/// Opens the record and stores where its range lies at `range_at` of the payload. Null, and nothing is done,
/// if there is no room or the range is not near.
template <class T>
WINDROW_INLINE std::byte* open_near_range(const block& b, std::size_t range_at, const shmem_ctx_object* ctx,
                                          const void* source, std::size_t count, int pe) {
  place at;
  if (!view.loads_directly || view.lanes == nullptr || !find_place(ctx, source, pe, at) ||
      !has_elements<T>(at.offset, count))
    return nullptr;
  auto& queue = view.levels[b.level];
  if (!has_room(queue, b)) return nullptr;
  const near_range range{static_cast<const std::byte*>(source) + (at.pe - view.pe) * view.stride,
                         count * sizeof(T)};
  aggregation::prefetch_range(range.from, range.bytes);
  auto* const payload = add_record(queue, b).payload;
  std::memcpy(payload + range_at, &range, sizeof range);
  return payload;
}

/// Runs the records that were opened in one place and follow one another, each behind its values.
WINDROW_INLINE std::uint32_t run_near_ranges(deferral::record_queue& queue, void (*body)(void*),
                                             std::size_t range_at, std::size_t values_at,
                                             std::uint32_t element_bytes) {
  const auto run = queue.oldest().run;
  std::uint32_t ran = 0;
  for (;;) {
    auto& record = queue.oldest();
    auto* const payload = static_cast<std::byte*>(record.payload());
    near_range range;
    std::memcpy(&range, payload + range_at, sizeof range);
    aggregation::copy_elements(payload + values_at, range.from, range.bytes, element_bytes);
    body(payload);
    ++ran;
    if (!queue.pass(record.size)) return windrow_defer_remove(&queue), ran;
    if (queue.empty() || queue.oldest().run != run || queue.oldest().pending != 0) return ran;
  }
}

} // namespace windrow::shmem
