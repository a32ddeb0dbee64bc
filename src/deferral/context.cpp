// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/context.hpp"

#include "aggregation/engine.hpp"
#include "deferral/scheduler.hpp"
#include "pgas/synchronization.hpp"

namespace windrow {

context::context(job& j, const team& members, style s)
    : job_(&j),
      sending_(s == aggregate && !j.engine().may_update_at_once()),
      changing_(s == aggregate && !sending_ ? &j.engine().items() : nullptr),
      loads_from_(s == aggregate && j.engine().loads_directly() ? &j.map() : nullptr),
      members_(members),
      style_(s),
      number_(j.engine().next_number()) {}

void context::barrier() {
  members_.member("context::barrier");
  const pgas::synchronization call(job_->core(), {"context::barrier", __builtin_return_address(0)}, number_);
  job_->engine().quiesce(members_, {aggregation::for_operations, -1, number_});
}

void context::complete_own() {
  const pgas::synchronization call(job_->core(), {"context::complete_own", __builtin_return_address(0)},
                                   number_);
  job_->engine().complete_own({aggregation::for_operations, -1, number_});
}

void context::complete_if_allowed() {
  if (job_->engine().may_wait_here()) complete_own();
}

} // namespace windrow
