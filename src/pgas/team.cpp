// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/team.hpp"

#include <fmt/format.h>

#include "base/fatal.hpp"
#include "pgas/synchronization.hpp"
#include "pgas/team_state.hpp"

namespace windrow {

pgas::team_state& team::member(const char* call) const {
  if (!state_)
    base::fatal(fmt::format("{}: this PE is not a member of the team (its handle is empty)", call));
  return *state_;
}

pe_t team::pe() const {
  return member("team::pe").pe();
}
pe_t team::pes() const {
  return member("team::pes").pes();
}

pe_t team::translate(pe_t pe, const team& other) const {
  const auto& here = member("team::translate");
  here.require_member(pe, "team::translate", "PE");
  return other ? other.state_->members().member(here.members().at(pe)) : -1;
}

team team::split_strided(pe_t start, pe_t stride, pe_t size) const {
  return team(member("split_strided").split(start, stride, size));
}

void team::barrier() const {
  auto& t = member("barrier");
  const pgas::synchronization call(t, {"barrier", __builtin_return_address(0)});
  t.barrier();
}
void team::barrier_notify() const {
  member("barrier_notify").barrier_notify();
}
void team::barrier_wait() const {
  auto& t = member("barrier_wait");
  const pgas::synchronization call(t, {"barrier_wait", __builtin_return_address(0)});
  t.barrier_wait();
}

} // namespace windrow
