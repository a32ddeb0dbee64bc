// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/runner/plan.hpp"

namespace windrow::apps {

/// What the plan says to work on, the whole graph on every PE: reading a file is cheaper than sending it
/// around, and the kernels keep only a part. Collective: if any PE cannot read it, one says why and all end
/// here.
workload load(job&, const plan&);

} // namespace windrow::apps
