// SPDX-License-Identifier: BSD-3-Clause
// The memory that a call of the library touches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "shmem/state.hpp"
#include "windrow/detail/overlap_calls.h"

namespace windrow::overlap {

/// Memory of blocks with a stride: from the first byte to the last.
struct extent {
  std::int64_t first;
  std::uint64_t bytes;
};
inline extent extent_of(const windrow_overlap_call& call, std::int64_t stride) {
  if (call.count == 0) return {0, 0};
  const auto size = static_cast<std::int64_t>(call.element_bytes);
  const auto last = static_cast<std::int64_t>(call.count - 1) * stride * size;
  const auto block = call.element_bytes * std::max<std::uint64_t>(call.block, 1);
  return {std::min<std::int64_t>(last, 0), static_cast<std::uint64_t>(std::abs(last)) + block};
}

/// The PE of the job that the call is about; -1 if there is none.
inline int peer_of(const windrow_overlap_call& call) {
  const auto* context = static_cast<const shmem_ctx_object*>(call.context);
  return call.pe < 0 || context == nullptr ? call.pe : context->start + call.pe * context->stride;
}

} // namespace windrow::overlap
