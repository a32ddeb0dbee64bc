// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>

#include "apps/runner/energy.hpp"
#include "apps/runner/plan.hpp"

namespace windrow::apps {

/// Runs the plan, kernel after kernel. PE 0 writes one line of JSON for each event to `out`: {"event":
/// "start", …}, {"event": "turn", …} before each run, and {"event": "result", …} for each kernel and style.
/// Collective; true if every result of every run was right.
bool run(job&, const plan&, const workload&, const energy_meter&, std::ostream& out);

} // namespace windrow::apps
