// SPDX-License-Identifier: BSD-3-Clause
// Analysis 1: the latest place at which a transfer may be completed, in this run: the first event behind it
// that touches what it touches, or by which other PEs may learn that it is over.
#pragma once

#include <cstddef>
#include <vector>

#include "tools/overlap/model.hpp"

namespace windrow::overlap {

/// For each event of the PE the index of the event before which it must be complete: the number of events if
/// there is none, and its own index if it is no transfer.
///
/// A release always counts, whoever it is for. What waits for others counts for signals only, since they must
/// have been sent by then; and code that was not recorded counts for everything.
/// `at_target`: when it must be complete at its target. What a blocking call has done with memory of its own
/// PE is over when it returns, and ends nothing then.
std::vector<std::size_t> latest_places(const model&, int pe, bool at_target = false);

} // namespace windrow::overlap
