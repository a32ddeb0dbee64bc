// SPDX-License-Identifier: BSD-3-Clause
// Blocks of fetches, as compiled code opens them: their record, and an item for each fetch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "compiler/inlined/contract.hpp"
#include "deferral/records.hpp"
#include "shmem/compiled_code.hpp"
#include "shmem/state.hpp"
#include "windrow/detail/deferred_calls.h"
#include "windrow/detail/inline.hpp"
#include "windrow/detail/lanes.hpp"
#include "windrow/detail/notes.hpp"

namespace windrow::shmem {

using aggregation::lanes;
using aggregation::verb;
using deferral::record;

inline auto& view = windrow_defer_view;

struct place {
  pe_t pe;
  std::uint64_t offset;
};

/// Where the operation goes, if it is one that is aggregated. There is a job.
WINDROW_INLINE bool find_place(const shmem_ctx_object* ctx, const void* object, int pe, place& found) {
  if (ctx == nullptr || !ctx->aggregated || static_cast<unsigned>(pe) >= static_cast<unsigned>(ctx->size))
    return false;
  found = {ctx->start + pe * ctx->stride, reinterpret_cast<std::uintptr_t>(object) - view.heap};
  return true;
}

// ---- records

using run_function = std::uint32_t (*)(deferral::record_queue&);

using contract::most_common;
using words = std::array<std::uint64_t, most_common>;

/// A record to be: what runs it, and how many values come in messages; and the rest. If it may be part of a
/// batch, with `common_words` values in front of all payloads.
struct block {
  run_function run;
  std::size_t bytes;
  void* parent;
  std::uint32_t level;
  std::uint32_t awaited;
  bool in_batch;
  unsigned common_words;
  words common;
};

/// Of it, in a batch that it would have to begin.
WINDROW_INLINE std::size_t bytes_to_begin(const block& b) {
  return record::size_with(b.in_batch ? 16 + b.common_words * sizeof(std::uint64_t) + b.bytes : b.bytes);
}

WINDROW_INLINE bool has_room(const deferral::record_queue& queue, const block& b) {
  return queue.room() >= bytes_to_begin(b);
}

WINDROW_INLINE std::byte* new_record(deferral::record_queue& queue, const block& b, record* parent,
                                     std::uint32_t pending) {
  auto* const at = queue.tail;
  queue.tail = at + record::size_with(b.bytes);
  auto* r =
      new (at) record{.run = b.run,
                      .parent = parent,
                      .size = record::size_with(b.bytes),
                      .level = static_cast<std::uint16_t>(b.level),
                      .kind = b.in_batch ? deferral::record_kind::batch : deferral::record_kind::in_runs,
                      .holders = 1,
                      .pending = pending};
  if (parent != nullptr) ++parent->holders;
  return static_cast<std::byte*>(r->payload());
}

template <class Use>
WINDROW_INLINE void for_common(unsigned common_words, Use use) {
  [&]<std::size_t... I>(std::index_sequence<I...>) WINDROW_INLINE_LAMBDA {
    ((I < common_words ? use(I) : void()), ...);
  }(std::make_index_sequence<most_common>());
}

WINDROW_INLINE void store_common(std::byte* to, unsigned common_words, const words& common) {
  for_common(common_words, [&](std::size_t i) WINDROW_INLINE_LAMBDA {
    std::memcpy(to + i * sizeof common[i], &common[i], sizeof common[i]);
  });
}

WINDROW_INLINE bool has_in_common(record& batch, const block& b) {
  std::uint64_t different = 0;
  for_common(b.common_words, [&](std::size_t i) WINDROW_INLINE_LAMBDA {
    std::uint64_t there;
    std::memcpy(&there, static_cast<std::byte*>(batch.payload()) + i * sizeof there, sizeof there);
    different |= there ^ b.common[i];
  });
  return different == 0;
}

WINDROW_INLINE void begin_batch(deferral::record_queue& queue, const block& b, record* parent) {
  queue.close_batch();
  auto* const common = new_record(queue, b, parent, 0);
  store_common(common, b.common_words, b.common);
  queue.batch = &record::of(common);
  queue.tail = common + b.common_words * sizeof(std::uint64_t);
}

/// The payload, and the note of a slot at its beginning.
struct opened {
  std::byte* payload;
  std::uint64_t note;
};

WINDROW_INLINE opened opened_at(std::byte* payload, const std::uint32_t* pending) {
  const auto distance = payload - reinterpret_cast<const std::byte*>(pending);
  return {payload, aggregation::counted_note_bits(pending, static_cast<std::uint64_t>(distance))};
}

WINDROW_INLINE opened add_record(deferral::record_queue& queue, const block& b) {
  auto* const parent = b.parent == nullptr ? nullptr : &record::of(b.parent);
  if (!b.in_batch) {
    queue.close_batch();
    auto* const payload = new_record(queue, b, parent, b.awaited);
    return opened_at(payload, deferral::pending_of(payload));
  }
  if (queue.batch == nullptr || queue.batch->run != b.run || queue.batch->parent != parent ||
      !has_in_common(*queue.batch, b)) [[unlikely]]
    begin_batch(queue, b, parent);
  queue.batch->pending += b.awaited;
  auto* const payload = queue.tail;
  if (payload == nullptr) __builtin_unreachable();
  queue.tail = payload + b.bytes;
  return opened_at(payload, &queue.batch->pending);
}

/// As many loads as this are under way together.
constexpr std::size_t most_loads = 128;

WINDROW_INLINE bool has_many_loads(const deferral::record_queue& queue, const block& b) {
  return b.in_batch && b.level == 0 && queue.batch != nullptr && queue.batch_bytes() > most_loads * b.bytes;
}

/// Whether there is room for the record. First of all, since it may run others.
WINDROW_INLINE bool prepare_record(const block& b) {
  if (view.lanes == nullptr) return false;
  const auto& queue = view.levels[b.level];
  if (b.awaited == 0 && has_many_loads(queue, b)) [[unlikely]]
    windrow_defer_run_ready();
  return has_room(queue, b);
}

/// Where a fetch will be stored; or the address of a value that is near.
struct found_room {
  aggregation::writer* in;
  aggregation::form kind;
  std::uint64_t offset;
  const std::byte* from;
};

static_assert(contract::fits<block>(contract::words_of_block) &&
              contract::fits<found_room>(contract::words_of_found) &&
              contract::fits<opened>(contract::words_of_opened));

/// Of an open run that has room for one.
WINDROW_INLINE bool has_room_for(const found_room& found, std::uint32_t fetches, std::size_t item_bytes) {
  return fetches == 1 || found.in->has_room(fetches * item_bytes);
}

/// Looks for room for the fetch, and for all others of the block, should they be of its kind. `near`: those
/// that only read need none, for their values can be loaded later.
template <verb V, class T, class... Operands>
WINDROW_INLINE bool find_room(found_room& found, const shmem_ctx_object* ctx, std::uint32_t fetches,
                              bool near, const T* object, int pe, Operands... operands) {
  place at;
  if (!find_place(ctx, object, pe, at)) return false;
  if constexpr (V == verb::fetch)
    if (near) {
      if (!view.lanes->reaches<T>(at.offset)) return false;
      const auto* from = reinterpret_cast<const std::byte*>(object) + (at.pe - view.pe) * view.stride;
      __builtin_prefetch(from);
      found = {nullptr, aggregation::form::constant, 0, from};
      return true;
    }
  const auto room = view.lanes->open_room_for<V, T>(at.pe, at.offset, operands...);
  if (room.in == nullptr) return false;
  found = {room.in, room.kind, at.offset, nullptr};
  return has_room_for(found, fetches, aggregation::item_bytes<V, T>(room.kind));
}

/// Has the engine make room for such fetches, if all that is missing is that; what is ready may run. First of
/// all, for the same reason.
template <verb V, class T, class... Operands>
WINDROW_INLINE void make_room(const shmem_ctx_object* ctx, std::uint32_t fetches, bool near, const T* object,
                              int pe, Operands... operands) {
  place at;
  if ((V == verb::fetch && near) || view.lanes == nullptr || !find_place(ctx, object, pe, at) ||
      !view.lanes->reaches<T>(at.offset))
    return;
  const auto room = view.lanes->open_room_for<V, T>(at.pe, at.offset, operands...);
  const auto form = room.in == nullptr ? view.lanes->form_for<V, T>(at.pe, operands...) : room.kind;
  const auto bytes = fetches * aggregation::item_bytes<V, T>(form);
  if (room.in != nullptr && room.in->has_room(bytes)) return;
  windrow_defer_make_room(
      form == aggregation::form::constant ? aggregation::kind_of<V, T>(aggregation::form::constant)
                                          : aggregation::kind_of<V, T>(aggregation::form::varying),
      at.pe, form == aggregation::form::constant ? aggregation::operand_bits(operands...) : 0,
      static_cast<std::uint32_t>(bytes));
}

template <verb V, class T, class... Operands>
WINDROW_INLINE void store_fetch(const found_room& found, const opened& record, bool near, std::size_t slot,
                                Operands... operands) {
  if constexpr (V == verb::fetch)
    if (near) {
      std::memcpy(record.payload + slot, &found.from, sizeof found.from);
      return;
    }
  const auto note = aggregation::behind(record.note, slot);
  lanes::fill<V, T>({found.in, found.kind}, found.offset, reinterpret_cast<T*>(note), operands...);
}

} // namespace windrow::shmem
