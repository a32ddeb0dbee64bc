// SPDX-License-Identifier: BSD-3-Clause
// The beginning and the end of the job, and questions about it.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "aggregation/engine.hpp"
#include "base/fatal.hpp"
#include "deferral/scheduler.hpp"
#include "job/report.hpp"
#include "pgas/core.hpp"
#include "pgas/owner_process.hpp"
#include "pgas/synchronization.hpp"
#include "shmem/active_sets.hpp"
#include "shmem/begun_transfers.hpp"
#include "shmem/compiled_code.hpp"
#include "shmem/data_segments.hpp"
#include "shmem/define.hpp"
#include "shmem/environment.hpp"
#include "shmem/gathers.hpp"
#include "shmem/late_writes.hpp"
#include "shmem/ordering.hpp"
#include "shmem/teams.hpp"
#include "shmem/versions.hpp"
#include "shmemx.h"
#include "transport/shm/placement.hpp"
#include "windrow/version.hpp"

namespace windrow::shmem {

namespace {

windrow::job* own_job = nullptr; ///< made by shmem_init, unless the program had made one

void heat_up() {
  auto& core = cold.job->core();
  auto& engine = cold.job->engine();
  hot.pe = core.pe();
  hot.pes = static_cast<unsigned>(core.pes());
  hot.map = &core.map();
  hot.stride = static_cast<std::ptrdiff_t>(core.map().stride);
  hot.heap = reinterpret_cast<std::uintptr_t>(core.map().segment(core.pe()));
  hot.heap_bytes = cold.debug ? 0 : core.link().symmetric().bytes;
  const auto data = largest_data();
  hot.data = data.begin;
  hot.data_bytes = cold.debug ? 0 : data.bytes;
  hot.data_offset = data.offset;
  hot.lanes = core.has_threads() ? nullptr : &engine.items();
  hot.core = &core;
  hot.deferred = &deferral::scheduler_of(*cold.job);
  hot.loads_directly = engine.loads_directly();
  hot.plausible = cold.debug ? ~std::uintptr_t{0} : 1;
  if (cold.debug) core.enable_checks();
  tell_compiled_code_of_far_pes(true);
}

// One thread, and no checks.
void open_to_compiled_code() {
  const bool open = !cold.debug && cold.thread_level <= SHMEM_THREAD_FUNNELED;
  windrow_defer_view = {.lanes = open ? hot.lanes : nullptr,
                        .levels = hot.deferred->record_levels(),
                        .heap = hot.heap,
                        .stride = hot.stride,
                        .pe = hot.pe,
                        .loads_directly = hot.loads_directly};
}

void close() {
  cold.now = phase::after;
  windrow_defer_view.lanes = nullptr;
  tell_compiled_code_of_far_pes(false);
  hot.heap_bytes = hot.data_bytes = 0;
  hot.pes = 0;
}

// The job of this interface is over, as far as anybody can see, but may go on with the next shmem_init. (It
// is not destroyed: its memory map must outlive every late call.)
void rest(windrow::job& j) {
  auto& core = j.core();
  if (!core.link().may_rest()) return j.finalize();
  if (core.prints_stats()) report_counters(core, j.stats(), j.world());
  core.symmetric_heap().release_all();
  forget_allocations();
  core.link().set_state(transport::pe_state::resting);
  core.end_trace();
  j.barrier(); // who comes back sees that all were at rest
  core.end_trace_file();
}

// The others may come later, or have ended.
void wake_up(pgas::core& core, const char* routine) {
  core.link().set_state(transport::pe_state::running);
  for (int pe = 0; pe < core.pes(); ++pe) {
    core.wait({pgas::for_value}, [&] { return core.link().state_of(pe) != transport::pe_state::resting; });
    if (core.link().state_of(pe) != transport::pe_state::running)
      base::fatal(fmt::format("{}: PE {} has ended after its last shmem_finalize", routine, pe));
  }
}

void report_what_compiled_code_did() {
  if (!hot.core->prints_stats()) return;
  const pgas::own_questions asks(*hot.core);
  report_versions();
  report_gathers();
  report_late_writes();
  report_begun_transfers();
}

// Code that runs at owners may call whatever the program may, until nothing is under way to any PE.
void end() {
  cold.inits = cold.thread_level = 0;
  complete_begun();
  cold.job->engine().quiesce(cold.job->world(), {aggregation::for_operations});
  close_teams();
  report_what_compiled_code_did();
  cold.job->barrier();
  close();
  close_active_sets();
  if (own_job != nullptr) rest(*own_job);
}

// A program may return from main without shmem_finalize. One that ends with an error must not wait for the
// others, which may be anywhere: the launcher tells them.
void at_exit(int status, void*) {
  if (cold.now == phase::running && status == 0 && !pgas::in_forked_child()) end();
  cold.exits = true;
}

// A program may keep addresses in symmetric memory for others to use.
void tell_of_different_heaps(windrow::job& j) {
  if (!cold.debug && !j.core().checks() && !j.core().prints_stats()) return;
  const pgas::own_questions asks(j.core());
  const auto heap = reinterpret_cast<std::uintptr_t>(j.core().map().segment(j.pe()));
  const auto lowest = j.world().min(heap), highest = j.world().max(heap);
  if (lowest == highest || j.pe() != 0 || !transport::wants_same_addresses()) return;
  base::say(
      "shmem_init: symmetric heaps are at different addresses in different PEs, because some program or "
      "library "
      "has its own memory where they were to be, or they are too large; an address is good for its own PE "
      "only");
}

void begin_first() {
  cold.job = windrow::job::of_this_process();
  if (cold.job == nullptr) cold.job = own_job = new windrow::job;
  tell_of_different_heaps(*cold.job);
  adopt_data(*cold.job);
  ::on_exit(at_exit, nullptr);
  if (cold.job->pe() == 0) print_environment();
}

// Variables are symmetric as they were.
void begin_again(const char* routine) {
  if (pgas::in_forked_child()) not_running(routine);
  if (windrow::job::of_this_process() != cold.job)
    base::fatal(fmt::format("{}: the windrow::job that shmem_init has used before is destroyed", routine));
  if (own_job == nullptr) return;
  if (!own_job->core().link().may_rest())
    base::fatal(
        fmt::format("{} was called after shmem_finalize; between hosts, with MPI, and in a simulated "
                    "network a program can do so only once",
                    routine));
  wake_up(own_job->core(), routine);
  own_job->core().resume_trace();
}

void begin(const char* routine) {
  cold.debug = asked_for("SHMEM_DEBUG", "SMA_DEBUG");
  if (cold.now == phase::before)
    begin_first();
  else
    begin_again(routine);
  heat_up();
  open_teams(*cold.job);
  open_active_sets();
  cold.now = phase::running;
  cold.job->core().when_closed(close);
  cold.job->barrier();
}

// What is deferred runs before that, and nothing is deferred from then on. What the one thread has stored is
// complete: its sender is not that of any thread from then on.
void allow_threads() {
  cold.job->engine().complete_own({aggregation::for_operations});
  complete_begun();
  hot.core->allow_threads();
  cold.job->engine().allow_program_threads();
  cold.job->engine().choose_route();
  hot.lanes = nullptr;
}

int init(int level, const char* routine) {
  if (cold.now != phase::running) begin(routine);
  ++cold.inits;
  if (level < SHMEM_THREAD_SINGLE || level > SHMEM_THREAD_MULTIPLE) level = SHMEM_THREAD_MULTIPLE;
  // Where PEs take turns, the turn is the whole PE's.
  if (level == SHMEM_THREAD_MULTIPLE && hot.core->link().takes_turns()) level = SHMEM_THREAD_SERIALIZED;
  if (level == SHMEM_THREAD_SERIALIZED) hot.core->allow_threads_in_turn();
  if (level == SHMEM_THREAD_MULTIPLE && !hot.core->has_threads()) allow_threads();
  if (level > cold.thread_level) cold.thread_level = level;
  open_to_compiled_code();
  return cold.thread_level;
}

} // namespace

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

windrow::job& shmemx_job() {
  return running_job("shmemx_job");
}

SHMEM_FUNCTION(void, shmem_init, (void)) {
  init(SHMEM_THREAD_SINGLE, ROUTINE);
}
SHMEM_FUNCTION(int, shmem_init_thread, (int requested, int* provided)) {
  const int level = init(requested, ROUTINE);
  require_local(provided, sizeof *provided, local_use::write, "provided", ROUTINE);
  *provided = level;
  return 0;
}
SHMEM_FUNCTION(void, start_pes, (int)) {
  if (cold.now != phase::running) init(SHMEM_THREAD_SINGLE, ROUTINE); // later calls do nothing
}
SHMEM_FUNCTION(void, shmem_query_thread, (int* provided)) {
  require_running(ROUTINE);
  require_local(provided, sizeof *provided, local_use::write, "provided", ROUTINE);
  *provided = cold.thread_level;
}
SHMEM_FUNCTION(void, shmem_query_initialized, (int* initialized)) {
  require_local(initialized, sizeof *initialized, local_use::write, "initialized", ROUTINE);
  *initialized = cold.now == phase::running ? 1 : 0;
}

// The last call counts, as many as there were of shmem_init. Handlers of exit, and destructors of the
// program's variables, may come to it, and to what releases something, when exit, or shmem_global_exit, has
// done all there was to do.
SHMEM_FUNCTION(void, shmem_finalize, (void)) {
  if (cold.exits) return;
  require_running(ROUTINE);
  if (--cold.inits <= 0) return end();
  complete_begun();
  cold.job->barrier();
}

SHMEM_FUNCTION(void, shmem_global_exit, (int status)) {
  require_running(ROUTINE);
  static std::atomic_flag called;
  while (called.test_and_set()) ::pause(); // another thread ends the process
  cold.now = phase::ending;                // nothing collective is possible any more
  cold.exits = ends_process = true;
  hot.core->end_in_mid_job();
  if ((status & 0xff) == 0) hot.core->link().end_job(); // the system keeps no more of it
  std::exit(status);
}

SHMEM_FUNCTION(int, shmem_my_pe, (void)) {
  if (hot.pes == 0) [[unlikely]]
    require_running(ROUTINE);
  return hot.pe;
}
SHMEM_FUNCTION(int, _my_pe, (void)) {
  if (hot.pes == 0) [[unlikely]]
    require_running(ROUTINE);
  return hot.pe;
}
SHMEM_FUNCTION(int, shmem_n_pes, (void)) {
  if (hot.pes == 0) [[unlikely]]
    require_running(ROUTINE);
  return static_cast<int>(hot.pes);
}
SHMEM_FUNCTION(int, _num_pes, (void)) {
  if (hot.pes == 0) [[unlikely]]
    require_running(ROUTINE);
  return static_cast<int>(hot.pes);
}

SHMEM_FUNCTION(int, shmem_pe_accessible, (int pe)) {
  require_running(ROUTINE);
  return static_cast<unsigned>(pe) < hot.pes;
}
SHMEM_FUNCTION(int, shmem_addr_accessible, (const void* addr, int pe)) {
  require_running(ROUTINE);
  return static_cast<unsigned>(pe) < hot.pes && find_symmetric(addr, 1).has_value();
}
SHMEM_FUNCTION(void*, shmem_ptr, (const void* dest, int pe)) {
  require_running(ROUTINE);
  return static_cast<unsigned>(pe) < hot.pes ? addressable_copy(dest, pe) : nullptr;
}

SHMEM_FUNCTION(void, shmem_info_get_version, (int* major, int* minor)) {
  require_local(major, sizeof *major, local_use::write, "major", ROUTINE);
  require_local(minor, sizeof *minor, local_use::write, "minor", ROUTINE);
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
}
SHMEM_FUNCTION(void, shmem_info_get_name, (char* name)) {
  require_local(name, sizeof SHMEM_VENDOR_STRING, local_use::write, "name", ROUTINE);
  std::memcpy(name, SHMEM_VENDOR_STRING, sizeof SHMEM_VENDOR_STRING);
}
SHMEM_FUNCTION(void, shmem_pcontrol, (int, ...)) {}

// Memory is coherent.
SHMEM_FUNCTION(void, shmem_clear_cache_inv, (void)) {}
SHMEM_FUNCTION(void, shmem_clear_cache_line_inv, (void*)) {}
SHMEM_FUNCTION(void, shmem_set_cache_inv, (void)) {}
SHMEM_FUNCTION(void, shmem_set_cache_line_inv, (void*)) {}
SHMEM_FUNCTION(void, shmem_udcflush, (void)) {}
SHMEM_FUNCTION(void, shmem_udcflush_line, (void*)) {}

// Not a routine of OpenSHMEM, so without a profiling entry; a program may have a shmem_wtime of its own.
extern "C" double shmemx_wtime() {
  return static_cast<double>(windrow::os::now_ns()) * 1e-9;
}
extern "C" __attribute__((weak, alias("shmemx_wtime"))) double shmem_wtime();
