// SPDX-License-Identifier: BSD-3-Clause
// How PEs tell each other which function or constant object they mean, although each may be loaded elsewhere.
#pragma once

#include <cstdint>

namespace windrow::aggregation {

/// What means the same object of the program, or of a library that it has loaded, on every PE: which file (by
/// its build id) and the offset in it. Ends the job if the address is in none. Slow.
std::uint64_t portable_address(const void* object);
/// The address here. Ends the job if this PE has not loaded that file.
const void* local_address(std::uint64_t portable);

} // namespace windrow::aggregation
