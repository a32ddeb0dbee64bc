// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/context.hpp"

#include "aggregate/engine.hpp"
#include "defer/scheduler.hpp"

namespace windrow {

context::context(job& j, const team& members, style s)
    : job_(&j),
      sending_(s == aggregate && !j.engine().updates_own_memory()),
      changing_(s == aggregate && !sending_ ? &j.engine().items() : nullptr),
      beginning_(s == nonblocking && j.map().elsewhere != nullptr ? &j.map() : nullptr),
      near_(s == aggregate && j.engine().loads_directly() ? &j.map() : nullptr),
      members_(members),
      style_(s),
      number_(j.engine().next_number()) {}

void context::quiet() {
  job_->engine().quiesce(members_, {transport::wait_kind::quiet_context, -1, number_});
}

void context::quiet_own() {
  job_->engine().complete_own({transport::wait_kind::quiet_context, -1, number_});
}

} // namespace windrow
