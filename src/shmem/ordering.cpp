// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <atomic>

#include "aggregation/engine.hpp"
#include "base/fatal.hpp"
#include "deferral/scheduler.hpp"
#include "pgas/core.hpp"
#include "shmem/contexts.hpp"
#include "shmem/define.hpp"
#include "shmem/ordering.hpp"
#include "shmem/polling.hpp"
#include "shmem/remote_word.hpp"

namespace windrow::shmem {

void complete_aggregated(const shmem_ctx_object& on) {
  constexpr pgas::wait_reason what{aggregation::for_operations};
  auto& engine = cold.job->engine();
  if (!hot.core->has_threads())
    engine.complete_own(what);
  else if (on.of_one_thread)
    engine.threads_of_program().complete_own(what);
  else
    engine.threads_of_program().complete(what);
}

void require_one_thread(const char* routine) {
  if (hot.core->has_threads())
    base::fatal(
        fmt::format("{}: code is deferred with SHMEM_THREAD_MULTIPLE, where it must run as written; look at "
                    "windrow_defer_is_possible first",
                    routine));
}

void complete_begun() {
  complete_deferred();
  complete_direct();
}

namespace {

/// Whether there may be something to complete, or somebody follows calls.
bool has_begun() {
  return owes_deferred() || hot.map->under_way.load(std::memory_order_relaxed) || hot.map->trace != nullptr ||
         hot.core->follows_calls();
}

[[gnu::noinline]] void quiet_slowly(const shmem_ctx_object* aggregated, detail::caller by) {
  const pgas::synchronization call(*hot.core, by);
  if (aggregated != nullptr) complete_aggregated(*aggregated);
  complete_begun();
}
[[gnu::noinline]] void fence_slowly(const shmem_ctx_object* aggregated, detail::caller by) {
  const pgas::synchronization call(*hot.core, by);
  if (aggregated != nullptr) complete_aggregated(*aggregated);
  complete_deferred();
  hot.map->fence();
}

/// The context if it is aggregated, else null. Nothing can have been done on SHMEM_CTX_INVALID, so there is
/// nothing to complete.
const shmem_ctx_object* if_aggregated(const shmem_ctx_object* ctx, const char* routine) {
  if (ctx == SHMEM_CTX_INVALID) return nullptr;
  if (ctx->size == 0) no_such_context(routine);
  return ctx->aggregated ? ctx : nullptr;
}

int everyone_of_job() {
  return static_cast<int>(hot.pes);
}

/// Whether there are any; ends the job if one of them does not exist.
bool require_targets(const int* pes, std::size_t count, int existing, const char* routine) {
  require_running(routine);
  if (count == 0) return false;
  require_local(pes, count * sizeof *pes, local_use::read, "target_pes", routine);
  for (std::size_t i = 0; i < count; ++i)
    if (pes[i] < 0 || pes[i] >= existing)
      base::fatal(
          fmt::format("{}: PE {} does not exist; there are PEs 0 to {}", routine, pes[i], existing - 1));
  return true;
}

} // namespace

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

SHMEM_FUNCTION(void, shmem_quiet, (void)) {
  require_running(ROUTINE);
  polled();
  if (has_begun()) [[unlikely]]
    quiet_slowly(nullptr, CALL);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
SHMEM_FUNCTION(void, shmem_fence, (void)) {
  require_running(ROUTINE);
  polled();
  if (has_begun()) [[unlikely]]
    fence_slowly(nullptr, CALL);
  std::atomic_thread_fence(std::memory_order_release);
}

SHMEM_FUNCTION(void, shmem_ctx_quiet, (shmem_ctx_t ctx)) {
  require_running(ROUTINE);
  polled();
  const auto* const aggregated = if_aggregated(ctx, ROUTINE);
  if (aggregated != nullptr || has_begun()) quiet_slowly(aggregated, CALL);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

// Operations on all PEs complete together; that is no less than was asked for.
SHMEM_FUNCTION(void, shmem_pe_quiet, (const int* target_pes, size_t npes)) {
  if (require_targets(target_pes, npes, everyone_of_job(), ROUTINE)) pshmem_quiet();
}
SHMEM_FUNCTION(void, shmem_ctx_pe_quiet, (shmem_ctx_t ctx, const int* target_pes, size_t npes)) {
  const int pes = ctx == SHMEM_CTX_INVALID ? everyone_of_job() : ctx->size;
  if (require_targets(target_pes, npes, pes, ROUTINE)) pshmem_ctx_quiet(ctx);
}

SHMEM_FUNCTION(void, shmem_ctx_fence, (shmem_ctx_t ctx)) {
  require_running(ROUTINE);
  polled();
  const auto* const aggregated = if_aggregated(ctx, ROUTINE);
  if (aggregated != nullptr || has_begun()) fence_slowly(aggregated, CALL);
  std::atomic_thread_fence(std::memory_order_release);
}
