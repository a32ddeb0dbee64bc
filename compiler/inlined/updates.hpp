// SPDX-License-Identifier: BSD-3-Clause
// Updates, stored in the open run of their kind.
#pragma once

#include "compiler/inlined/strips.hpp"

namespace windrow::shmem {

template <verb V, class T, class... Operands>
WINDROW_INLINE bool update(const shmem_ctx_object* ctx, const T* object, int pe, Operands... operands) {
  place at;
  if (view.lanes == nullptr || !find_place(ctx, object, pe, at)) return false;
  const auto room = view.lanes->open_room_for<V, T>(at.pe, at.offset, operands...);
  if (room.in == nullptr) return false;
  lanes::fill<V, T>(room, at.offset, nullptr, operands...);
  return true;
}

/// Like `update`, along a route that has been kept, if it is known and has room; otherwise keeps it for the
/// next time. `same_context`: there is only one (and a route that is not known has no PEs).
template <verb V, class T, class... Operands>
WINDROW_INLINE bool update_along(kept_route& kept, bool same_context, const shmem_ctx_object* ctx,
                                 const T* object, int pe, Operands... operands) {
  found_room found;
  if ((same_context || kept.on.ctx == ctx) &&
      find_room<V, T>(found, kept.on, kept.to, 1, false, object, pe, operands...)) [[likely]] {
    lanes::fill<V, T>({found.in, found.kind}, found.offset, nullptr, operands...);
    return true;
  }
  kept = {}; // nothing to be kept over the call, if there will be one
  if (!update<V, T>(ctx, object, pe, operands...)) return false;
  kept.on = know(ctx);
  make_route<V, T>(kept.to, false, ctx);
  return true;
}

} // namespace windrow::shmem
