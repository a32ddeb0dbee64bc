// SPDX-License-Identifier: BSD-3-Clause
// Code at the owner: items of 32 bits for the place, the operands if they travel, the captured bytes
// (src/shmem/owner_calls.cpp); and there, the work on them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "aggregation/run.hpp"
#include "compiler/inlined/strips.hpp"
#include "windrow/detail/apply.hpp"
#include "windrow/detail/deferred_calls.h"

namespace windrow::shmem {

/// What is the same for many items: in the header of their run.
struct owner_run {
  const windrow_defer_owner_site* site;
  std::size_t captured_bytes;
  std::uint64_t common;
  bool operands_travel;
};

/// Where the captured bytes belong, or null.
template <verb V, class T, class... Operands>
WINDROW_INLINE std::byte* begin_owner_item(aggregation::writer& to, const owner_run& run, std::uint64_t index,
                                           Operands... operands) {
  if (to.is_full() || to.operand != run.common) return nullptr;
  const auto operand_bytes = run.operands_travel ? (std::size_t{0} + ... + sizeof operands) : 0;
  const auto narrow = static_cast<std::uint32_t>(index);
  auto* item = to.take(sizeof narrow + operand_bytes + run.captured_bytes);
  std::memcpy(item, &narrow, sizeof narrow);
  item += sizeof narrow;
  if (run.operands_travel) ((std::memcpy(item, &operands, sizeof operands), item += sizeof operands), ...);
  return item;
}

WINDROW_INLINE const aggregation::remote_function& function_of(const owner_run& run) {
  return reinterpret_cast<const aggregation::remote_function&>(run.site->in_place);
}

template <verb V, class T, class... Operands>
WINDROW_INLINE std::byte* open_owner_item(const owner_run& run, const shmem_ctx_object* ctx, const T* object,
                                          int pe, Operands... operands) {
  place at;
  if (view.lanes == nullptr || !find_place(ctx, object, pe, at) || !view.lanes->reaches<T>(at.offset))
    return nullptr;
  auto* to = view.lanes->open_room_for_call(function_of(run), at.pe);
  if (to == nullptr) // most often, that is all there is
    to = static_cast<aggregation::writer*>(windrow_defer_make_owner_room(run.site, at.pe, run.common));
  return to == nullptr ? nullptr : begin_owner_item<V, T>(*to, run, at.offset / sizeof(T), operands...);
}

/// What a loop keeps of where items go, and the place of that in what its function keeps; none if it keeps
/// nothing.
struct item_route {
  kept_route* kept;
  bool same_context; ///< as with updates
  kept_routes* routes;
  std::size_t number;
};

/// Like `open_owner_item`, along a route that is kept, if it is known; otherwise keeps it for the next time.
template <verb V, class T, class... Operands>
WINDROW_INLINE std::byte* open_owner_item_along(const item_route& along, const owner_run& run,
                                                const shmem_ctx_object* ctx, const T* object, int pe,
                                                Operands... operands) {
  auto& kept = *along.kept;
  const auto p = static_cast<unsigned>(pe);
  const auto index =
      std::rotr(reinterpret_cast<std::uintptr_t>(object) - kept.on.heap, std::countr_zero(sizeof(T)));
  if ((along.same_context || kept.on.ctx == ctx) && p < kept.on.pes && index < kept.to.reach) [[likely]] {
    auto& to = *reinterpret_cast<aggregation::writer*>(
        kept.to.first + static_cast<std::uintptr_t>(static_cast<std::ptrdiff_t>(p) * kept.to.stride));
    if (auto* const item = begin_owner_item<V, T>(to, run, index, operands...); item != nullptr) [[likely]]
      return item;
  }
  kept = {}; // nothing to be kept over the call, if there will be one
  auto* const item = open_owner_item<V, T>(run, ctx, object, pe, operands...);
  if (item == nullptr) return nullptr;
  constexpr auto size = static_cast<std::ptrdiff_t>(sizeof(aggregation::writer));
  kept.on = know(ctx);
  kept.to.reach = view.lanes->reach<T>();
  kept.to.first = reinterpret_cast<std::uintptr_t>(view.lanes->writers_for_calls(function_of(run))) +
                  static_cast<std::uintptr_t>(ctx->start * size);
  kept.to.stride = ctx->stride * size;
  if (along.routes != nullptr) along.routes->of[along.number] = kept;
  return item;
}

using owner_body = decltype(windrow_defer_owner_site::body);
using operand_maker = decltype(windrow_defer_owner_site::make_operands);

WINDROW_INLINE std::uint32_t index_of(const std::byte* item) {
  std::uint32_t index;
  std::memcpy(&index, item, sizeof index);
  return index;
}

template <class Access, verb V, class T>
WINDROW_INLINE void run_all(aggregation::run_header& run, const aggregation::work& w,
                            std::size_t captured_bytes, owner_body body, operand_maker make_operands) {
  const auto operand_bytes = make_operands == nullptr ? aggregation::operands_of(V) * sizeof(T) : 0;
  auto* const places = reinterpret_cast<T*>(w.segment);
  const auto item_bytes = sizeof(std::uint32_t) + operand_bytes + captured_bytes;
  const auto common = run.argument;
  const auto place_of = [=](const std::byte* item) WINDROW_INLINE_LAMBDA { return &places[index_of(item)]; };
  const auto one = [&](const std::byte* item) WINDROW_INLINE_LAMBDA {
    const auto* operands = item + sizeof(std::uint32_t);
    alignas(16) std::array<std::byte, WINDROW_DEFER_LARGEST_CAPTURE> captured;
    std::memcpy(captured.data(), operands + operand_bytes, captured_bytes);
    std::array<T, 2> values{};
    std::memcpy(values.data(), operands, operand_bytes);
    if (make_operands != nullptr) make_operands(captured.data(), common, values.data());
    const T before = aggregation::apply_to<Access, V, T>(*place_of(item), values.data());
    body(captured.data(), &before, values.data(), common);
  };
  aggregation::for_each_item<V>(run.items(), run.count, item_bytes, place_of, one);
}

template <verb V, class T>
WINDROW_INLINE void run_items(aggregation::run_header& run, const aggregation::work& w,
                              std::size_t captured_bytes, owner_body body, operand_maker make_operands) {
  aggregation::with_access(w, [&](auto access) WINDROW_INLINE_LAMBDA {
    run_all<typename decltype(access)::type, V, T>(run, w, captured_bytes, body, make_operands);
  });
}

} // namespace windrow::shmem
