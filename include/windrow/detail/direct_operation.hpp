// SPDX-License-Identifier: BSD-3-Clause
// What direct operations on symmetric memory have in common.
#pragma once

#include <cstddef>
#include <cstdint>

#include "windrow/types.hpp"

namespace windrow::detail {

/// What may be expected of a direct operation when its call returns. What is not complete then is at
/// `memory_map::complete`.
enum class until : std::uint8_t {
  complete, ///< it has happened, and its result is here
  copied,   ///< a put's source has been read
  begun,    ///< nothing
};

/// The caller of an operation, for messages and traces.
struct caller {
  const char* operation = nullptr; ///< as the program calls it; lives as long as the program
  const void* site = nullptr;      ///< where the call returns to; null: where that of `memory_map` does
};

/// Bytes of symmetric memory.
struct place {
  pe_t pe;
  bool plain; ///< they exist, and are used by load and store at once
  std::size_t offset;
};

/// Of blocks whose beginnings are `stride` bytes apart: where the lowest byte is, seen from the first block,
/// and how many bytes there are from it to the end of the highest block. Ends the job if no memory holds
/// them.
struct strided_extent {
  std::ptrdiff_t lowest;
  std::size_t reach;
};
strided_extent extent_of(std::ptrdiff_t stride, std::size_t block, std::size_t blocks, const char* operation);
/// `elements` in bytes. Ends the job if that cannot be counted.
std::ptrdiff_t stride_in_bytes(std::ptrdiff_t elements, std::size_t size, const char* operation);

} // namespace windrow::detail
