// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "pgas/core.hpp"
#include "windrow/team.hpp"

namespace windrow {

/// Prints the counters of all PEs as one table on PE 0's standard error. Collective.
void report_counters(pgas::core&, const counters& own, const team& world);

} // namespace windrow
