// SPDX-License-Identifier: BSD-3-Clause
// The memory that a call of the library touches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "overlap/recording.hpp"
#include "shmem/c_interface.hpp"
#include "shmem/state.hpp"
#include "windrow/detail/overlap_calls.h"

namespace windrow::overlap {

/// What the call touches, by address, from `at` on: blocks that begin `stride` elements apart, which may go
/// downwards and may overlap.
inline range memory_of(const windrow_overlap_call& call, const void* at, std::int64_t stride) {
  const auto block = call.element_bytes * call.block;
  if (at == nullptr || call.count == 0 || block == 0) return {};
  const auto step = stride * static_cast<std::int64_t>(call.element_bytes);
  const auto last = static_cast<std::int64_t>(call.count - 1) * step;
  range memory;
  memory.begin =
      reinterpret_cast<std::uintptr_t>(at) + static_cast<std::uint64_t>(std::min<std::int64_t>(last, 0));
  memory.bytes = static_cast<std::uint64_t>(std::abs(last)) + block;
  if (call.count == 1 || static_cast<std::uint64_t>(std::abs(step)) <= block) return memory;
  memory.block = block;
  memory.stride = static_cast<std::uint64_t>(std::abs(step));
  return memory;
}

/// The PE of the job that the call is about; -1 if there is none.
inline int peer_of(const windrow_overlap_call& call) {
  const auto* context = static_cast<const shmem_ctx_object*>(call.context);
  return call.pe < 0 || context == nullptr ? call.pe : context->start + call.pe * context->stride;
}

/// Memory of a PE by the address that loads and stores here have for it, if there is one.
inline std::optional<range> reached_here(range memory, int pe) {
  const auto* const here = pshmem_ptr(reinterpret_cast<const void*>(memory.begin), pe);
  if (here == nullptr) return std::nullopt;
  memory.begin = reinterpret_cast<std::uintptr_t>(here);
  return memory;
}

} // namespace windrow::overlap
