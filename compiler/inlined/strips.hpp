// SPDX-License-Identifier: BSD-3-Clause
// Strip mining: a loop that opens records of one batch, and does nothing else with the library, has what that
// takes in local variables, hence in registers, as long as there is room: the batch's end, the context, the
// writers. Only the writers' cursors are in memory. What is kept is given back before the library is called,
// and where the loop ends; the library's own state is behind meanwhile, and nobody looks.
#pragma once

#include <algorithm>
#include <bit>

#include "compiler/inlined/blocks.hpp"

namespace windrow::shmem {

/// What is known of a context; of none: no PEs.
struct known_context {
  const shmem_ctx_object* ctx;
  std::uint64_t pes;
  std::uintptr_t heap;
};

WINDROW_INLINE known_context know(const shmem_ctx_object* ctx) {
  return {ctx, static_cast<unsigned>(ctx->size), view.heap};
}

/// Where items, or loads, of one operation go: what can be known for all PEs at once. Of the context's PE p,
/// the writers lie at `first + p * stride` and `first_varying + p * stride`; or, where values are near, its
/// memory begins `first + p * stride` bytes behind this PE's.
struct route {
  std::uint64_t reach;
  std::uintptr_t first, first_varying;
  std::ptrdiff_t stride;
};

struct strip {
  std::byte* tail;            ///< where the next payload goes; null: nothing is kept
  std::byte* limit;           ///< a whole number of payloads behind it
  std::uint64_t counter_note; ///< what makes the note of a slot of the slot's address
  std::uint64_t near;         ///< whether what only reads is loaded later
  known_context on;
  void* parent;
  words common;
  std::array<route, contract::most_fetches> routes;
};

static_assert(contract::fits<strip>(contract::words_of_strip));

/// Whether the next record can be in the strip: there is room, and nothing is different.
WINDROW_INLINE bool has_room(const strip& s, unsigned differs, const shmem_ctx_object* ctx,
                             const void* parent, unsigned common_words, const words& common) {
  if (s.tail == s.limit) [[unlikely]]
    return false;
  if ((differs & contract::context_differs) != 0 && s.on.ctx != ctx) return false;
  if ((differs & contract::parent_differs) != 0 && s.parent != parent) return false;
  std::uint64_t different = 0;
  for_common(common_words, [&](std::size_t i) WINDROW_INLINE_LAMBDA {
    if ((differs & contract::common_differs << i) != 0) different |= s.common[i] ^ common[i];
  });
  return different == 0;
}

/// What `find_room` does.
template <verb V, class T, class... Operands>
WINDROW_INLINE bool find_room(found_room& found, const known_context& on, const route& to,
                              std::uint32_t fetches, bool near, const T* object, int pe,
                              Operands... operands) {
  const auto p = static_cast<unsigned>(pe);
  if (p >= on.pes) return false;
  const auto index =
      std::rotr(reinterpret_cast<std::uintptr_t>(object) - on.heap, std::countr_zero(sizeof(T)));
  if (index >= to.reach) return false;
  const auto offset = static_cast<std::ptrdiff_t>(p) * to.stride;
  if constexpr (V == verb::fetch)
    if (near) {
      const auto* from = reinterpret_cast<const std::byte*>(object) + to.first + offset;
      __builtin_prefetch(from);
      found = {nullptr, aggregation::form::constant, 0, from};
      return true;
    }
  const auto at = static_cast<std::uintptr_t>(offset);
  auto* varying = reinterpret_cast<aggregation::writer*>(to.first_varying + at);
  __asm__("" : "+r"(varying)); // in one register, as there are few left
  const auto room =
      lanes::open_room_in<V>(*reinterpret_cast<aggregation::writer*>(to.first + at), *varying, operands...);
  if (room.in == nullptr) return false;
  found = {room.in, room.kind, index * sizeof(T), nullptr};
  return has_room_for(found, fetches, aggregation::item_bytes<V, T>(room.kind));
}

WINDROW_INLINE opened add_record(strip& s, std::size_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(s.tail);
  const opened record{s.tail, aggregation::behind(s.counter_note, at)};
  s.tail += bytes;
  return record;
}

/// How many payloads the open batch can take before the queue is to be looked at.
WINDROW_INLINE std::size_t capacity(const deferral::record_queue& queue, const block& b) {
  const auto spare = bytes_to_begin(b); // so that the queue never has less room than without strips
  const auto fitting = queue.room() < spare ? 0 : (queue.room() - spare) / b.bytes + 1;
  if (b.awaited > 0 || b.level > 0) return fitting;
  const auto loads = queue.batch_bytes() > most_loads * b.bytes
                         ? 0
                         : (most_loads * b.bytes - queue.batch_bytes()) / b.bytes + 1;
  return std::min(fitting, loads);
}

/// Behind a record that has been added to the open batch.
WINDROW_INLINE void begin_strip(strip& s, const block& b, bool near, const shmem_ctx_object* ctx) {
  const auto& queue = view.levels[b.level];
  const auto next = opened_at(queue.tail, &queue.batch->pending);
  s.tail = next.payload;
  s.limit = next.payload + capacity(queue, b) * b.bytes;
  s.counter_note = aggregation::behind(next.note, -reinterpret_cast<std::uintptr_t>(next.payload));
  s.near = near ? 1 : 0;
  s.on = know(ctx);
  s.parent = b.parent;
  s.common = b.common;
}

template <verb V, class T>
WINDROW_INLINE void make_route(route& to, bool near, const shmem_ctx_object* ctx) {
  to.reach = view.lanes->reach<T>();
  if (V == verb::fetch && near) {
    to.first = static_cast<std::uintptr_t>((ctx->start - view.pe) * view.stride);
    to.stride = ctx->stride * view.stride;
    return;
  }
  constexpr auto size = static_cast<std::ptrdiff_t>(sizeof(aggregation::writer));
  const auto first = [&](aggregation::form f) WINDROW_INLINE_LAMBDA {
    return reinterpret_cast<std::uintptr_t>(view.lanes->open_writers<V, T>(f)) +
           static_cast<std::uintptr_t>(ctx->start * size);
  };
  to.first = first(aggregation::form::constant);
  to.first_varying = first(aggregation::form::varying);
  to.stride = ctx->stride * size;
}

/// Gives back what is kept: before anything else is done with the library.
WINDROW_INLINE void end_strip(strip& s, std::size_t bytes, std::uint32_t level, std::uint32_t fetches,
                              std::uint32_t loads) {
  if (s.tail == nullptr) return;
  auto& queue = view.levels[level];
  const auto records = static_cast<std::uint32_t>(static_cast<std::size_t>(s.tail - queue.tail) / bytes);
  queue.batch->pending += records * (s.near != 0 ? fetches - loads : fetches);
  queue.tail = s.tail;
  s = {}; // all of it, so that nothing need be kept over the calls that follow
}

/// What deferred code that runs again and again remembers of where its updates and items went. It stays true
/// whatever the library does meanwhile: writers are closed, not destroyed.
struct kept_route {
  known_context on;
  route to;
};
static_assert(contract::fits<kept_route>(contract::words_of_route));
struct kept_routes {
  std::array<kept_route, contract::most_routes> of; ///< by place in the code
};

} // namespace windrow::shmem
