// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <mutex>

#include "aggregate/engine.hpp"
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
  cold.job->engine().complete_own({transport::wait_kind::quiet_context});
}

void complete_begun() {
  complete_deferred();
  complete_elsewhere();
}

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

SHMEM_FUNCTION(void, shmem_quiet, (void)) {
  running_job(ROUTINE);
  complete_begun();
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
SHMEM_FUNCTION(void, shmem_fence, (void)) {
  running_job(ROUTINE);
  complete_deferred();
  std::atomic_thread_fence(std::memory_order_release);
}

// Nothing can have been done on SHMEM_CTX_INVALID, so there is nothing to complete.
SHMEM_FUNCTION(void, shmem_ctx_quiet, (shmem_ctx_t ctx)) {
  require_running(ROUTINE);
  if (ctx != SHMEM_CTX_INVALID && ctx->aggregated) complete_aggregated();
  complete_begun();
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
SHMEM_FUNCTION(void, shmem_ctx_fence, (shmem_ctx_t ctx)) {
  require_running(ROUTINE);
  if (ctx != SHMEM_CTX_INVALID && ctx->aggregated) complete_aggregated();
  complete_deferred();
  std::atomic_thread_fence(std::memory_order_release);
}
