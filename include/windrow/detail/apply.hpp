// SPDX-License-Identifier: BSD-3-Clause
// The owner's side of operations on single values: how a run of items is worked through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "windrow/detail/atomic_access.hpp"
#include "windrow/detail/inline.hpp"
#include "windrow/detail/operations.hpp"
#include "windrow/detail/plain_access.hpp"
#include "windrow/detail/run.hpp"

namespace windrow::aggregation {

/// How items are carried out where others may change the place too. Their order is that of their blocks.
using atomic_access = detail::atomic_access<std::memory_order_relaxed>;

/// How far ahead, in items, the places of a run are fetched into the cache. Atomic instructions do not
/// overlap, so their cache misses would otherwise be paid one after the other; plain ones overlap by
/// themselves up to the size of the processor's window, which this widens.
inline constexpr std::uint32_t prefetch_distance = 32;

/// Calls `one(item)` for `count` items of `item_bytes`, in order, of which `place_of(item)` is the place.
template <verb V, class PlaceOf, class One>
WINDROW_INLINE void for_each_item(std::byte* item, std::uint32_t count, std::size_t item_bytes,
                                  PlaceOf place_of, One one) {
  const auto ahead = count > prefetch_distance ? count - prefetch_distance : 0;
#pragma GCC unroll 8
  for (std::uint32_t i = 0; i < ahead; ++i, item += item_bytes) {
    __builtin_prefetch(place_of(item + prefetch_distance * item_bytes), V != verb::fetch);
    one(item);
  }
  for (std::uint32_t i = ahead; i < count; ++i, item += item_bytes) one(item);
}

/// Calls `use` with how the items of a run change their places, as a std::type_identity.
template <class Use>
WINDROW_INLINE void with_access(const work& w, Use use) {
  if (w.exclusive)
    use(std::type_identity<plain_access>());
  else
    use(std::type_identity<atomic_access>());
}

/// The operation, with as many of the operands as it has. Returns the value before.
template <class Access, verb V, class T>
WINDROW_INLINE T apply_to(T& place, const T* operands) {
  if constexpr (operands_of(V) == 0)
    return Access::template apply<V, T>(place);
  else if constexpr (operands_of(V) == 1)
    return Access::template apply<V, T>(place, operands[0]);
  else
    return Access::template apply<V, T>(place, operands[0], operands[1]);
}

} // namespace windrow::aggregation
