// SPDX-License-Identifier: BSD-3-Clause
// How long the recorded run would take in another network: its events again, with the work between them as it
// was, and transfers as LogGP has them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tools/overlap/model.hpp"
#include "transport/sim/model.hpp"

namespace windrow::overlap {

/// Whether the event, a blocking transfer or a quiet, is put off as the runtime of plans does.
using put_off_function = std::function<bool(const event&)>;

struct replayed {
  std::uint64_t time_ps = 0;   ///< until the last PE ends
  std::uint64_t waited_ps = 0; ///< of the PE that has waited longest: all that is not its own work
};

/// Throws windrow::error if an event waits for one that the recording does not have.
replayed replay(const model&, const transport::model& network, const put_off_function&);

/// `network`, but with all times 0.
transport::model without_costs(transport::model network);

} // namespace windrow::overlap
