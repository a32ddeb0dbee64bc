// SPDX-License-Identifier: BSD-3-Clause
// Records that have what they waited for, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "compiler/inlined/strips.hpp"

namespace windrow::shmem {

using deferral::record_kind;

/// Runs the records that were opened in one place and follow one another; behind one that has led to more
/// than may wait, none.
WINDROW_INLINE std::uint32_t run_records(deferral::record_queue& queue, void (*body)(void*),
                                         std::size_t bytes, bool leads_to_others) {
  const auto run = queue.oldest().run;
  std::uint32_t ran = 0;
  for (;;) {
    body(queue.oldest().payload());
    ++ran;
    const bool stops = leads_to_others && queue.oldest().kind == record_kind::crowded;
    if (!queue.pass(record::size_with(bytes))) return windrow_defer_remove(&queue), ran;
    if (stops || queue.empty() || queue.oldest().run != run || queue.oldest().pending != 0) return ran;
  }
}

/// Makes the rest of the oldest record, a batch, the oldest one: from `payloads` bytes of them on, a multiple
/// of 16.
WINDROW_INLINE void cut_batch(deferral::record_queue& queue, std::size_t common_bytes, std::size_t payloads) {
  auto& batch = queue.oldest();
  batch.kind = record_kind::batch;
  batch.size -= static_cast<std::uint32_t>(payloads);
  std::memmove(queue.head + payloads, queue.head, sizeof(record) + common_bytes);
  queue.head += payloads;
}

/// Runs the payloads of a batch, or of one that leads to more than may wait those up to there.
WINDROW_INLINE std::uint32_t run_batch(deferral::record_queue& queue,
                                       void (*body)(void* payload, const void* common, kept_routes*),
                                       std::size_t bytes, std::size_t common_bytes, bool leads_to_others) {
  auto& batch = queue.oldest();
  if (queue.batch == &batch) queue.close_batch();
  const auto* const common = static_cast<const std::byte*>(batch.payload());
  auto* const first = static_cast<std::byte*>(batch.payload()) + common_bytes;
  const auto* const end = reinterpret_cast<const std::byte*>(&batch) + batch.size;
  const auto payloads = static_cast<std::uint32_t>(static_cast<std::size_t>(end - first) / bytes);
  const auto stops_at = [&](const std::byte* next) WINDROW_INLINE_LAMBDA {
    return batch.kind == record_kind::crowded && next != end && (next - first) % 16 == 0;
  };
  kept_routes kept{};
  for (auto* payload = first; payload != end;) {
    body(payload, common, &kept);
    payload += bytes;
    if (!leads_to_others || !stops_at(payload)) continue;
    const auto done = static_cast<std::size_t>(payload - first);
    cut_batch(queue, common_bytes, done);
    return static_cast<std::uint32_t>(done / bytes);
  }
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
