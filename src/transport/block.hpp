// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "windrow/types.hpp"

namespace windrow::transport {

/// The unit of transfer of aggregated traffic. The sender fills the payload, the receiver works on it in
/// place, and the block then goes back to its sender, possibly with replies written over the requests: one
/// journey out, one home.
struct alignas(32) block {
  std::uint32_t next; ///< link in an inbox; meaningless elsewhere
  pe_t source;        ///< whose block it is
  std::uint32_t used; ///< bytes of payload filled
  std::uint32_t home; ///< 1 on the way back to its source
  std::uint64_t
      sent_ns; ///< when it was committed; on the way home, at a distance (hook/), when it was sent home
  pe_t target; ///< whom it was committed to
  std::uint32_t brings_answers; ///< its owner writes answers over the payload

  std::byte* payload() { return reinterpret_cast<std::byte*>(this + 1); }
  const std::byte* payload() const { return reinterpret_cast<const std::byte*>(this + 1); }
};

static_assert(sizeof(block) == 32);

} // namespace windrow::transport
