// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace windrow::pgas {

/// How many direct operations of this process were left under way when they returned, since it began. Any
/// thread may ask.
std::uint64_t operations_begun();

} // namespace windrow::pgas
