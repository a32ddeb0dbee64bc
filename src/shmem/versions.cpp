// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/versions.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "pgas/core.hpp"
#include "shmem/environment.hpp"
#include "shmem/tools.hpp"
#include "windrow/detail/deferred_calls.h"

namespace windrow::shmem {

namespace {

enum function_version : int { as_written, with_deferred_code, as_written_and_checked };

struct version_counts {
  std::uint64_t deferred, written;
};

std::atomic<std::uint64_t> runs_deferred, runs_written;
std::vector<const shmem_ctx_object*> plain_contexts; // but the default one

// WINDROW_DEFER_ALWAYS, to see what that costs, and for tests.
bool defers_always() {
  static const bool chosen = base::flag_option("WINDROW_DEFER_ALWAYS", false);
  return chosen;
}

bool never_aggregates(const shmem_ctx_object* ctx) {
  if (ctx == nullptr) return false; // not known
  return ctx == &shmem_ctx_object_default ||
         std::find(plain_contexts.begin(), plain_contexts.end(), ctx) != plain_contexts.end();
}

// The cache that one core has for itself, which a load takes some nanoseconds from.
std::size_t cache_of_a_core() {
  constexpr std::size_t where_unknown = 256 << 10;
  static const long told = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return told > 0 ? static_cast<std::size_t>(told) : where_unknown;
}

// Of all PEs; what is not in use is not read. Before shmem_init, in the function that calls it, nobody knows.
bool symmetric_memory_fits_a_cache() {
  return hot.core != nullptr &&
         (hot.core->symmetric_heap().in_use() + hot.data_bytes) * hot.pes <= cache_of_a_core();
}

// In the function that calls shmem_init, too.
bool checks_promises() {
  return cold.now == phase::before ? asked_for("SHMEM_DEBUG", "SMA_DEBUG") : cold.debug;
}

} // namespace

void add_plain_context(const shmem_ctx_object* ctx) {
  const auto lock = hot.core->exclusive();
  plain_contexts.push_back(ctx);
}

void remove_plain_context(const shmem_ctx_object* ctx) {
  const auto lock = hot.core->exclusive();
  std::erase(plain_contexts, ctx);
}

void report_versions() {
  const auto all = cold.job->world().allgather(version_counts{runs_deferred.load(), runs_written.load()});
  const auto any = [](const version_counts& one) { return one.deferred + one.written > 0; };
  if (hot.pe != 0 || std::none_of(all.begin(), all.end(), any)) return;
  std::string text = "functions with #pragma shmem defer\n  PE  deferred as written";
  for (std::size_t pe = 0; pe < all.size(); ++pe)
    text += fmt::format("\n{:>4} {:>9} {:>10}", pe, all[pe].deferred, all[pe].written);
  base::say(text);
}

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

extern "C" int windrow_defer_choose(shmem_ctx_t ctx, int gain) {
  const bool gains_near = gain > 1 || (gain == 1 && !symmetric_memory_fits_a_cache());
  const bool checks = checks_promises();
  const bool gains = gains_near || !hot.loads_directly || checks || defers_always();
  // Only where there are no threads may code be deferred, so that nobody changes the list meanwhile.
  // A tool wants to see the calls of the program.
  if (cold.now > phase::running || windrow_defer_is_possible() == 0 || !gains || never_aggregates(ctx) ||
      has_tool()) {
    runs_written.fetch_add(1, std::memory_order_relaxed);
    return as_written;
  }
  runs_deferred.store(runs_deferred.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  return checks ? as_written_and_checked : with_deferred_code;
}
