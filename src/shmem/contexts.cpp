// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/contexts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "aggregation/engine.hpp"
#include "base/fatal.hpp"
#include "pgas/core.hpp"
#include "pgas/team_state.hpp"
#include "shmem/define.hpp"
#include "shmem/ordering.hpp"
#include "shmem/polling.hpp"
#include "shmem/storing.hpp"
#include "shmem/teams.hpp"
#include "shmem/versions.hpp"
#include "shmemx.h"

shmem_ctx_object shmem_ctx_object_default;

namespace windrow::shmem {

namespace {

// The other options allow what this library does not need: operations without aggregation have no state at
// all.
int create_context(shmem_team_object* team, long options, shmem_ctx_object** ctx, const char* routine) {
  require_local(ctx, sizeof *ctx, local_use::write, "ctx", routine);
  *ctx = SHMEM_CTX_INVALID;
  constexpr long known = SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE | SHMEMX_CTX_AGGREGATE;
  if (team == SHMEM_TEAM_INVALID || (options & ~known) != 0) return -1;
  const auto& members = team->members->state().members();
  *ctx = new shmem_ctx_object{members.start,
                              members.stride,
                              members.size,
                              (options & SHMEMX_CTX_AGGREGATE) != 0,
                              (options & SHMEM_CTX_PRIVATE) != 0,
                              team};
  if (!(*ctx)->aggregated) add_plain_context(*ctx);
  const auto lock = hot.core->exclusive();
  team->contexts.push_back(*ctx);
  return 0;
}

// A context that is used after its end has no PEs: so the last ones are kept.
void retire(shmem_ctx_object* ctx) {
  constexpr std::size_t kept = 64;
  static auto& retired = *new std::deque<std::unique_ptr<shmem_ctx_object>>; // a program may end by at_exit
  const auto lock = hot.core->exclusive();
  ctx->size = 0;
  retired.emplace_back(ctx);
  if (retired.size() > kept) retired.pop_front();
}

} // namespace

aggregation::sender& begin_to_send() {
  return cold.job->engine().threads_of_program().join();
}

void destroy_context(shmem_ctx_object* ctx) {
  if (ctx->aggregated) complete_aggregated(*ctx);
  complete_begun(); // some of it may use the context
  {
    const auto lock = hot.core->exclusive();
    std::erase(ctx->team->contexts, ctx);
  }
  if (!ctx->aggregated) remove_plain_context(ctx);
  retire(ctx);
}

void no_such_context(const char* routine) {
  base::fatal(fmt::format("{}: the context does not exist (destroyed already, or with its team?)", routine));
}

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

SHMEM_FUNCTION(int, shmem_ctx_create, (long options, shmem_ctx_t* ctx)) {
  require_running(ROUTINE);
  return create_context(SHMEM_TEAM_WORLD, options, ctx, ROUTINE);
}
SHMEM_FUNCTION(int, shmem_team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t* ctx)) {
  require_running(ROUTINE);
  return create_context(team, options, ctx, ROUTINE);
}

SHMEM_FUNCTION(void, shmem_ctx_destroy, (shmem_ctx_t ctx)) {
  if (cold.exits) return;
  require_running(ROUTINE);
  if (ctx == SHMEM_CTX_INVALID) return complete_deferred(); // as shmem_ctx_quiet does
  if (ctx == SHMEM_CTX_DEFAULT)
    windrow::base::fatal(fmt::format("{}: SHMEM_CTX_DEFAULT cannot be destroyed", ROUTINE));
  if (!exists(ctx)) no_such_context(ROUTINE);
  polled();
  destroy_context(ctx);
}

SHMEM_FUNCTION(int, shmem_ctx_get_team, (shmem_ctx_t ctx, shmem_team_t* team)) {
  require_running(ROUTINE);
  require_local(team, sizeof *team, local_use::write, "team", ROUTINE);
  *team = ctx == SHMEM_CTX_INVALID ? SHMEM_TEAM_INVALID : ctx->team;
  return ctx == SHMEM_CTX_INVALID ? -1 : 0;
}

// Sessions are hints that nothing here needs.
SHMEM_FUNCTION(void, shmem_ctx_session_start, (shmem_ctx_t, long, const shmem_ctx_session_config_t*, long)) {
  require_running(ROUTINE);
}
SHMEM_FUNCTION(void, shmem_ctx_session_stop, (shmem_ctx_t)) {
  require_running(ROUTINE);
}
