// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/context.hpp"

#include "aggregate/engine.hpp"

namespace windrow {

context::context(job& j, const team& members, style s)
    : job_(&j),
      lanes_(&j.engine()),
      members_(members),
      style_(s),
      loads_directly_(j.engine().loads_directly()) {}

void context::quiet() {
  job_->engine().quiesce(members_);
}

void context::quiet_own() {
  job_->engine().complete_own();
}

} // namespace windrow
