// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <atomic>
#include <mutex>

#include "aggregate/engine.hpp"
#include "base/fatal.hpp"
#include "defer/scheduler.hpp"
#include "os/cpu.hpp"
#include "pgas/core.hpp"
#include "shmem/define.hpp"
#include "shmem/far_memory.hpp"
#include "shmem/ordering.hpp"

namespace windrow::shmem {

namespace {

// What another thread has deferred before this call is to run in it. That thread may be deferring more.
void await_commits(std::unique_lock<std::recursive_mutex>& lock) {
  while (lock && hot.deferred->opened_elsewhere()) {
    lock.unlock();
    os::yield();
    lock.lock();
  }
}

} // namespace

void complete_aggregated() {
  auto lock = hot.core->exclusive();
  await_commits(lock);
  cold.job->engine().complete_own({aggregation::for_quiet});
}

void complete_begun() {
  complete_deferred();
  complete_direct();
}

namespace {

/// Whether there may be something to complete, or somebody traces.
bool has_begun() {
  return owes_deferred() || hot.map->under_way.load(std::memory_order_relaxed) || hot.map->trace != nullptr;
}

[[gnu::noinline]] void quiet_slowly(bool aggregated, detail::caller by) {
  const pgas::synchronization call(*hot.core, by);
  if (aggregated) complete_aggregated();
  complete_begun();
}
[[gnu::noinline]] void fence_slowly(bool aggregated, detail::caller by) {
  const pgas::synchronization call(*hot.core, by);
  if (aggregated) complete_aggregated();
  complete_deferred();
  hot.map->fence();
}

// Nothing can have been done on SHMEM_CTX_INVALID, so there is nothing to complete.
bool is_aggregated(shmem_ctx_object* ctx) {
  return ctx != SHMEM_CTX_INVALID && ctx->aggregated;
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
  if (has_begun()) [[unlikely]]
    quiet_slowly(false, CALL);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
SHMEM_FUNCTION(void, shmem_fence, (void)) {
  require_running(ROUTINE);
  if (has_begun()) [[unlikely]]
    fence_slowly(false, CALL);
  std::atomic_thread_fence(std::memory_order_release);
}

SHMEM_FUNCTION(void, shmem_ctx_quiet, (shmem_ctx_t ctx)) {
  require_running(ROUTINE);
  if (is_aggregated(ctx) || has_begun()) quiet_slowly(is_aggregated(ctx), CALL);
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
  if (is_aggregated(ctx) || has_begun()) fence_slowly(is_aggregated(ctx), CALL);
  std::atomic_thread_fence(std::memory_order_release);
}
