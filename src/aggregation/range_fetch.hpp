// SPDX-License-Identifier: BSD-3-Clause
// Both sides of the items of `range_kind`.
#pragma once

#include "aggregation/run.hpp"

namespace windrow::aggregation {

/// Items take whole units of this many bytes.
inline constexpr std::uint32_t range_unit = 8;

/// At the owner: writes the elements over the items.
void read_ranges(run_header&, const work&, void*);
/// Back at the sender: copies them to where they belong.
void deliver_ranges(run_header&, const std::byte* notes);

} // namespace windrow::aggregation
