// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/teams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/fatal.hpp"
#include "pgas/core.hpp"
#include "pgas/team_state.hpp"
#include "shmem/contexts.hpp"
#include "shmem/define.hpp"
#include "transport/hosts/other_hosts.hpp"
#include "windrow/error.hpp"

shmem_team_object shmem_team_object_world, shmem_team_object_shared;

namespace windrow::shmem {

namespace {

std::vector<shmem_team_object*> made; ///< by the program, and not destroyed; for one thread at a time

bool is_predefined(const shmem_team_object* team) {
  return team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED;
}

bool exists(const shmem_team_object* team) {
  const auto lock = hot.core->exclusive();
  return is_predefined(team) || std::find(made.begin(), made.end(), team) != made.end();
}

void require_existing(const shmem_team_object* team, const char* routine) {
  if (!exists(team)) base::fatal(fmt::format("{}: the team does not exist (destroyed already?)", routine));
}

shmem_team_object* wrap(windrow::team members, const shmem_team_object& parent,
                        const shmem_team_config_t* config, long mask) {
  if (!members) return SHMEM_TEAM_INVALID;
  auto* team = new shmem_team_object{new windrow::team(std::move(members))};
  team->of_shared = parent.of_shared;
  if (config != nullptr && (mask & SHMEM_TEAM_NUM_CONTEXTS) != 0) team->num_contexts = config->num_contexts;
  const auto lock = hot.core->exclusive();
  made.push_back(team);
  return team;
}

void dispose(shmem_team_object* team) {
  while (!team->contexts.empty()) destroy_context(team->contexts.back());
  {
    const auto lock = hot.core->exclusive();
    std::erase(made, team);
  }
  delete team->members;
  delete team;
}

/// All members of `parent` form the teams that `choices` lists, one after the other; this PE is in at most
/// one.
struct choice {
  int start, stride, size;
};
windrow::team split(const windrow::team& parent, const std::vector<choice>& choices) {
  windrow::team mine;
  for (const auto& c : choices)
    if (auto team = parent.split_strided(c.start, c.stride, c.size)) mine = std::move(team);
  return mine;
}

bool is_possible(const choice& c, int pes) {
  return (c.stride != 0 || c.size == 1) && pgas::strided_pes{c.start, c.stride, c.size}.lies_within(pes);
}

std::vector<choice> rows(int pes, int width) {
  std::vector<choice> result;
  for (int start = 0; start < pes; start += width) result.push_back({start, 1, std::min(width, pes - start)});
  return result;
}
std::vector<choice> columns(int pes, int width) {
  std::vector<choice> result;
  result.reserve(static_cast<std::size_t>(width));
  for (int start = 0; start < width; ++start)
    result.push_back({start, width, (pes - start + width - 1) / width});
  return result;
}

// The PEs of each host, where these are evenly spaced; else each PE by itself.
std::vector<choice> neighbourhoods(const windrow::job& j) {
  const auto* const others = j.core().remote_hosts();
  if (others == nullptr) return {{0, 1, j.pes()}};
  const auto& map = others->map();
  std::vector<choice> result;
  for (int host = 0; host < map.hosts; ++host) {
    std::vector<int> there;
    for (int pe = 0; pe < static_cast<int>(map.host_of.size()); ++pe)
      if (map.of(pe) == host) there.push_back(pe);
    const int stride = there.size() < 2 ? 1 : there[1] - there[0];
    const auto uneven = [&](int a, int b) { return b - a != stride; };
    if (std::adjacent_find(there.begin(), there.end(), uneven) == there.end())
      result.push_back({there.front(), stride, static_cast<int>(there.size())});
    else
      for (const int pe : there) result.push_back({pe, 1, 1});
  }
  return result;
}

/// This PE. Which of its slots the team has is nobody else's business.
windrow::team alone(const windrow::job& j) {
  const auto& world = j.world().state();
  const auto free = world.free_slots();
  if (free == 0) pgas::refuse_team(1);
  const auto slot = static_cast<std::uint32_t>(std::countr_zero(free));
  world.take_slot(slot);
  return windrow::team(std::make_shared<pgas::team_state>(
      world, slot, pgas::strided_pes{.start = j.pe(), .stride = 1, .size = 1}));
}

// Those that have addresses of each other's memory.
windrow::team shared(const windrow::job& j) {
  return j.map().shares_addresses ? split(j.world(), neighbourhoods(j)) : alone(j);
}

} // namespace

// Of the same PEs too these are two teams: threads may be in a collective of each at a time.
void open_teams(windrow::job& j) {
  shmem_team_object_world.members = &j.world();
  shmem_team_object_shared.members = new windrow::team(shared(j));
  shmem_team_object_shared.of_shared = true;
  shmem_ctx_object_default = {0, 1, j.pes(), false, false, SHMEM_TEAM_WORLD};
}

void close_teams() {
  while (!made.empty()) dispose(made.back());
  for (auto* team : {SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED})
    while (!team->contexts.empty()) destroy_context(team->contexts.back());
  delete shmem_team_object_shared.members;
}

bool exists(const shmem_ctx_object* ctx) {
  const auto lock = hot.core->exclusive();
  const auto has = [ctx](const shmem_team_object* team) {
    return std::find(team->contexts.begin(), team->contexts.end(), ctx) != team->contexts.end();
  };
  return has(SHMEM_TEAM_WORLD) || has(SHMEM_TEAM_SHARED) || std::any_of(made.begin(), made.end(), has);
}

shmem_team_object& valid(shmem_team_object* team, const char* routine) {
  require_running(routine);
  if (team == SHMEM_TEAM_INVALID) base::fatal(fmt::format("{}: the team is SHMEM_TEAM_INVALID", routine));
  if (cold.debug) require_existing(team, routine);
  return *team;
}

int job_pe(const windrow::team& team, int member) {
  return team.state().members().at(member);
}

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

SHMEM_FUNCTION(int, shmem_team_my_pe, (shmem_team_t team)) {
  require_running(ROUTINE);
  return team == SHMEM_TEAM_INVALID ? -1 : team->members->pe();
}
SHMEM_FUNCTION(int, shmem_team_n_pes, (shmem_team_t team)) {
  require_running(ROUTINE);
  return team == SHMEM_TEAM_INVALID ? -1 : team->members->pes();
}

SHMEM_FUNCTION(int, shmem_team_get_config,
               (shmem_team_t team, long config_mask, shmem_team_config_t* config)) {
  require_running(ROUTINE);
  if (team == SHMEM_TEAM_INVALID) return -1;
  if ((config_mask & ~SHMEM_TEAM_NUM_CONTEXTS) != 0) return -1;
  if (config_mask == 0) return 0;
  require_local(config, sizeof *config, local_use::write, "config", ROUTINE);
  config->num_contexts = team->num_contexts;
  return 0;
}

SHMEM_FUNCTION(int, shmem_team_translate_pe, (shmem_team_t src_team, int src_pe, shmem_team_t dest_team)) {
  require_running(ROUTINE);
  if (src_team == SHMEM_TEAM_INVALID || dest_team == SHMEM_TEAM_INVALID) return -1;
  if (src_pe < 0 || src_pe >= src_team->members->pes()) return -1;
  return src_team->members->translate(src_pe, *dest_team->members);
}

SHMEM_FUNCTION(int, shmem_team_split_strided,
               (shmem_team_t parent_team, int start, int stride, int size, const shmem_team_config_t* config,
                long config_mask, shmem_team_t* new_team)) {
  require_running(ROUTINE);
  require_local(new_team, sizeof *new_team, local_use::write, "new_team", ROUTINE);
  *new_team = SHMEM_TEAM_INVALID;
  if (parent_team == SHMEM_TEAM_INVALID) return -1;
  note_call();
  const choice chosen{start, stride, size};
  if (!is_possible(chosen, parent_team->members->pes())) return -1;
  try {
    *new_team = wrap(split(*parent_team->members, {chosen}), *parent_team, config, config_mask);
  } catch (const windrow::error&) { // no team slot left, on any member
    return -1;
  }
  return 0;
}

SHMEM_FUNCTION(int, shmem_team_split_2d,
               (shmem_team_t parent_team, int xrange, const shmem_team_config_t* xaxis_config,
                long xaxis_mask, shmem_team_t* xaxis_team, const shmem_team_config_t* yaxis_config,
                long yaxis_mask, shmem_team_t* yaxis_team)) {
  require_running(ROUTINE);
  require_local(xaxis_team, sizeof *xaxis_team, local_use::write, "xaxis_team", ROUTINE);
  require_local(yaxis_team, sizeof *yaxis_team, local_use::write, "yaxis_team", ROUTINE);
  *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
  if (parent_team == SHMEM_TEAM_INVALID || xrange < 1) return -1;
  note_call();
  const auto& parent = *parent_team->members;
  const int width = std::min(xrange, parent.pes());
  try {
    auto x = split(parent, rows(parent.pes(), width));
    auto y = split(parent, columns(parent.pes(), width));
    *xaxis_team = wrap(std::move(x), *parent_team, xaxis_config, xaxis_mask);
    *yaxis_team = wrap(std::move(y), *parent_team, yaxis_config, yaxis_mask);
  } catch (const windrow::error&) {
    return -1;
  }
  return 0;
}

SHMEM_FUNCTION(void, shmem_team_destroy, (shmem_team_t team)) {
  if (cold.exits) return;
  require_running(ROUTINE);
  if (team == SHMEM_TEAM_INVALID) return;
  if (is_predefined(team))
    windrow::base::fatal(fmt::format("{}: the predefined teams cannot be destroyed", ROUTINE));
  require_existing(team, ROUTINE);
  team->members->barrier(); // contexts of other members may still be in use until they come here
  dispose(team);
}

SHMEM_FUNCTION(int, shmem_team_sync, (shmem_team_t team)) {
  note_call();
  const auto& t = valid(team, ROUTINE);
  SYNCHRONIZES;
  t.members->barrier();
  return 0;
}

SHMEM_FUNCTION(void*, shmem_team_ptr, (shmem_team_t team, const void* dest, int pe)) {
  require_running(ROUTINE);
  if (team == SHMEM_TEAM_INVALID || pe < 0 || pe >= team->members->pes()) return nullptr;
  return addressable_copy(dest, job_pe(*team->members, pe));
}
