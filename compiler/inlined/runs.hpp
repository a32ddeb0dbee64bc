// SPDX-License-Identifier: BSD-3-Clause
// Records that have what they waited for, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "compiler/inlined/strips.hpp"

namespace windrow::shmem {

/// Runs the records that were opened in one place and follow one another.
WINDROW_INLINE std::uint32_t run_records(deferral::record_queue& queue, void (*body)(void*),
                                         std::size_t bytes) {
  const auto run = queue.oldest().run;
  std::uint32_t ran = 0;
  for (;;) {
    body(queue.oldest().payload());
    ++ran;
    if (!queue.pass(record::size_with(bytes))) return windrow_defer_remove(&queue), ran;
    if (queue.empty() || queue.oldest().run != run || queue.oldest().pending != 0) return ran;
  }
}

/// Runs the payloads of a batch.
WINDROW_INLINE std::uint32_t run_batch(deferral::record_queue& queue,
                                       void (*body)(void* payload, const void* common, kept_routes*),
                                       std::size_t bytes, std::size_t common_bytes) {
  auto& batch = queue.oldest();
  if (queue.batch == &batch) queue.close_batch();
  const auto* const common = static_cast<const std::byte*>(batch.payload());
  auto* payload = static_cast<std::byte*>(batch.payload()) + common_bytes;
  const auto* const end = reinterpret_cast<const std::byte*>(&batch) + batch.size;
  const auto payloads = static_cast<std::uint32_t>(static_cast<std::size_t>(end - payload) / bytes);
  kept_routes kept{};
  for (; payload != end; payload += bytes) body(payload, common, &kept);
  windrow_defer_remove(&queue);
  return payloads;
}

/// The value, in place of its address.
template <class T>
WINDROW_INLINE void load_into(std::byte* slot) {
  const T* from;
  std::memcpy(&from, slot, sizeof from);
  T value;
  __atomic_load(from, &value, __ATOMIC_RELAXED);
  std::memcpy(slot, &value, sizeof value);
}

} // namespace windrow::shmem
