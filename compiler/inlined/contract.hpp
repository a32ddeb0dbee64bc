// SPDX-License-Identifier: BSD-3-Clause
// What the pass and the code in this folder agree on: the one makes room for what the other stores there, and
// calls it with as many arguments as it takes. Included by both, so it knows neither LLVM nor the library.
#pragma once

#include <cstddef>
#include <cstdint>

namespace windrow::contract {

/// Fetches of a block that is opened in place. Each takes some 40 instructions of code.
inline constexpr unsigned most_fetches = 4;

/// Words that the records of a batch have in common.
inline constexpr unsigned most_common = 10;

/// What of a record may be different each time around a loop: bits, for each common word one.
enum difference : unsigned { context_differs = 1, parent_differs = 2, common_differs = 4 };

/// Routes that a callback keeps from one payload to the next (kept_routes in inlined/strips.hpp).
inline constexpr unsigned most_routes = 4;

/// Words that the pass reserves in the frame of the program's functions for what is kept there: at least the
/// sizes of block, found_room, opened (inlined/blocks.hpp), strip, kept_route (inlined/strips.hpp).
inline constexpr unsigned words_of_block = 16;
inline constexpr unsigned words_of_found = 4;
inline constexpr unsigned words_of_opened = 2;
inline constexpr unsigned words_of_strip = 34;
inline constexpr unsigned words_of_route = 7;

/// Whether an object of the type fits there.
template <class T>
constexpr bool fits(unsigned words) {
  return sizeof(T) <= words * sizeof(std::uint64_t);
}

} // namespace windrow::contract
