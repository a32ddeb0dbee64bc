// SPDX-License-Identifier: BSD-3-Clause
// Where a job begins and ends: transport, PGAS core, aggregation engine, and the rooms above them.
#include "windrow/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "aggregation/engine.hpp"
#include "base/fatal.hpp"
#include "base/option_names.hpp"
#include "base/options.hpp"
#include "job/report.hpp"
#include "job/room.hpp"
#include "job/start.hpp"
#include "os/fork.hpp"
#include "pgas/core.hpp"
#include "pgas/owner_process.hpp"
#include "pgas/team_state.hpp"
#include "transport/bulk/bulk_transport.hpp"
#include "transport/hook/adverse_memory.hpp"
#include "transport/hook/faulty_transport.hpp"
#include "transport/hook/hook_transport.hpp"
#include "transport/host/heap_size.hpp"
#include "transport/sim/pe_fibers.hpp"
#include "transport/sim/sim_transport.hpp"
#include "transport/threads/threads.hpp"
#include "windrow/error.hpp"
#include "windrow/simulation.hpp"

namespace windrow {

namespace {

/// Threads of this PE that send.
int senders_on(const transport::transport& link) {
  int most = 1;
  for (const auto* type : all_rooms())
    if (type->senders != nullptr) most = std::max(most, type->senders(link));
  return most;
}

} // namespace

struct job::state {
  explicit state(std::unique_ptr<transport::transport> link)
      : senders(senders_on(*link)), core(std::move(link)), engine(core, senders) {
    for (const auto* type : all_rooms())
      rooms.push_back(type->begin != nullptr ? type->begin(core, engine) : nullptr);
  }
  ~state() {
    while (!rooms.empty()) rooms.pop_back();
  }

  // The other PEs are told.
  void end_early() {
    core.link().set_state(transport::pe_state::failed);
    for (const auto& r : rooms)
      if (r != nullptr) r->end_early();
  }

  void close_in_child() {
    core.close_in_child();
    engine.close_in_child();
    for (const auto& r : rooms)
      if (r != nullptr) r->close_in_child();
  }

  const int senders;
  pgas::core core;
  aggregation::engine engine;
  std::vector<std::unique_ptr<room>> rooms; ///< as in all_rooms; some null
  bool finalized = false;
  const int exceptions = std::uncaught_exceptions(); ///< of code that the job is no part of
  os::in_forked_children in_children{[this] { close_in_child(); }};
};

namespace {

std::atomic<job*> job_of_this_process;

// Code that the library calls has nobody to catch its exceptions.
void end_after_exception(const std::string& what) {
  const auto* const j = job_of_this_process.load();
  if (j == nullptr || !pgas::may_use_job() || j->map().now() == detail::running::program) return;
  base::fatal(fmt::format(
      "an exception left {}: {}",
      j->map().now() == detail::running::handler ? "a handler of messages" : "deferred code", what));
}

// An uncaught windrow::error is the environment's fault, not the program's: its sentence is all a user needs.
void install_terminate_handler() {
  static const auto previous = std::get_terminate();
  std::set_terminate([] {
    try {
      if (auto current = std::current_exception()) std::rethrow_exception(current);
    } catch (const error& e) {
      base::fatal(e.what());
    } catch (...) {
      end_after_exception(base::text_of_exception());
    }
    previous(); // which says what it is
  });
}

/// As WINDROW_FAULTS, WINDROW_DELAY, WINDROW_SIM and WINDROW_ADVERSARY say, and ready for WINDROW_BULK; each
/// sees those before it.
std::unique_ptr<transport::transport> with_hooks(std::unique_ptr<transport::transport> link) {
  link = transport::with_faults(std::move(link));
  link = transport::with_adversary(transport::with_model(transport::with_delay(std::move(link))));
  return transport::with_bulk(std::move(link));
}

std::unique_ptr<transport::transport> start() {
  install_terminate_handler();
  auto link = with_hooks(start_transport());
  base::set_speaker(fmt::format("PE {}", link->pe()));
  if (link->pe() == 0) base::tell_misspelt_options();
  return link;
}

} // namespace

template <int Major, int Minor, int Patch, std::uint64_t Layout>
const char detail::library<Major, Minor, Patch, Layout>::has_these_headers = 0;
template struct detail::library<WINDROW_VERSION_MAJOR, WINDROW_VERSION_MINOR, WINDROW_VERSION_PATCH,
                                detail::shared_layout>;

job::job() : job(std::make_unique<state>(start())) {
  job_of_this_process = this;
}

job::job(std::unique_ptr<state> s) : state_(std::move(s)), map_(&state_->core.map()) {
  state_->core.set_bulk(transport::chosen_bulk());
  world_ = team(std::make_shared<pgas::team_state>(state_->core));
  barrier();
}

job::~job() { // NOLINT(bugprone-exception-escape): the terminate handler says which, and ends the job
  // Tasks that run meanwhile may ask for the job.
  struct forgotten {
    const job* of;
    ~forgotten() {
      if (job_of_this_process == of) job_of_this_process = nullptr;
    }
  } afterwards{this};
  if (pgas::in_forked_child() || state_->core.ends_in_mid_job()) {
    // Threads that it would join are not here, or go on, and what it would give back is in use.
    [[maybe_unused]] auto* const kept = state_.release();
    return;
  }
  // While an exception unwinds, the other PEs may be anywhere: nothing collective can work.
  if (std::uncaught_exceptions() > state_->exceptions && !state_->finalized)
    state_->end_early();
  else
    finalize();
}

// What runs at owners, tasks and deferred code may send until the very end: when nothing is under way to any
// PE, nothing can begin to be.
void job::finalize() {
  if (state_->finalized) return;
  if (pgas::in_forked_child()) base::fatal(fmt::format("finalize: {}", pgas::why_closed()));
  state_->engine.quiesce(world_, {aggregation::for_operations});
  if (state_->core.prints_stats()) report_counters(state_->core, stats(), world_);
  state_->core.end_trace();
  barrier();
  state_->core.end_trace_file();
  state_->finalized = true;
  state_->engine.close();
  state_->core.close();
}

std::uint64_t job::allocate_bytes(std::size_t count, std::size_t size, std::size_t alignment) {
  if (map_->bytes == 0) map_->bad_access(pe(), 0, 0, "allocate");
  // More than can be counted is more than there is.
  const auto bytes =
      count <= std::numeric_limits<std::size_t>::max() / 2 / size ? count * size : map_->bytes + 1;
  if (state_->core.checks() && world_.min(bytes) != world_.max(bytes))
    base::fatal(
        fmt::format("allocate: PEs asked for different sizes (here: {} objects of {} bytes)", count, size));
  const auto offset = state_->core.allocate_zeroed(bytes, alignment);
  if (!offset) exhausted(count, size);
  state_->engine.choose_route();
  barrier();
  return *offset;
}

// Every PE comes here, because all heaps are alike; the barrier keeps one from ending while others still use
// its memory.
void job::exhausted(std::size_t count, std::size_t size) const {
  barrier();
  const auto& heap = state_->core.symmetric_heap();
  throw error(fmt::format(
      "symmetric heap exhausted on PE {}: {} objects of {} bytes asked for, {} of {} in use; raise "
      "WINDROW_SYMMETRIC_SIZE",
      pe(), count, size, base::format_size(heap.in_use()),
      base::format_size(state_->core.link().symmetric().bytes)));
}

void job::free_offset(std::uint64_t offset) {
  barrier();
  if (map_->bytes == 0) map_->bad_access(pe(), 0, 0, "free");
  if (!state_->core.symmetric_heap().release(offset))
    base::fatal(
        fmt::format("free: offset {} of the symmetric heap is not the start of an allocation", offset));
  state_->engine.choose_route();
}

std::uint64_t job::offset_of(const void* p) const {
  std::size_t offset = 0;
  if (!state_->core.offset_of(p, offset))
    base::fatal(fmt::format("global: address {} is not in the symmetric heap of this PE", p));
  return offset;
}

// Loads, stores and atomic instructions are complete, in order, once they are visible. Operations that the
// transport carries out may still be under way.
void job::complete_own() const {
  map_->complete();
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
void job::fence() const {
  map_->fence();
  std::atomic_thread_fence(std::memory_order_release);
}

job* job::of_this_process() {
  return job_of_this_process;
}
counters job::stats() const {
  return state_->engine.stats();
}
std::string_view job::transport() const {
  return state_->core.link().name();
}
pgas::core& job::core() const {
  return state_->core;
}
aggregation::engine& job::engine() const {
  return state_->engine;
}
room& job::room_of(const room_type& type) const {
  const auto all = all_rooms();
  return *state_->rooms[static_cast<std::size_t>(std::ranges::find(all, &type) - all.begin())];
}

class job::pes_of_process {
 public:
  // What is wrong with a model is told once, to the caller.
  pes_of_process(const char* call, pe_t pes, const std::function<void(job&)>& body)
      : simulated_(transport::chosen_model().has_value()), body_(body) {
    if (pes < 1 || pes > transport::most_pes)
      throw error(
          fmt::format("{}: {} PEs are not possible; a job has 1 to {}", call, pes, transport::most_pes));
    links_ = transport::make_thread_transports(pes);
  }

  bool are_simulated() const { return simulated_; }
  void run(pe_t pe) {
    base::set_speaker(fmt::format("PE {}", pe));
    job j(std::make_unique<job::state>(with_hooks(std::move(links_[static_cast<std::size_t>(pe)]))));
    body_(j);
  }

 private:
  bool simulated_;
  const std::function<void(job&)>& body_;
  std::vector<std::unique_ptr<transport::transport>> links_;
};

void run_threads(pe_t pes, const std::function<void(job&)>& body) {
  install_terminate_handler();
  job::pes_of_process all("run_threads", pes, body);
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(pes));
  try {
    for (pe_t pe = 0; pe < pes; ++pe) threads.emplace_back([&all, pe] { all.run(pe); });
  } catch (const std::system_error& e) { // those that run wait for the others already
    base::fatal(fmt::format("run_threads: cannot start PE {} of {}: {}", threads.size(), pes, e.what()));
  }
  for (auto& thread : threads) thread.join();
}

void run_simulated(pe_t pes, const std::function<void(job&)>& body) {
  install_terminate_handler();
  if (transport::pe_fibers::current() != nullptr)
    throw error("run_simulated: called by a simulated PE; call it where none runs");
  job::pes_of_process all("run_simulated", pes, body);
  if (!all.are_simulated())
    throw error("run_simulated: WINDROW_SIM says no model; set it, for example to hdr");
  transport::pe_fibers::run(pes, [&](pe_t pe) { all.run(pe); });
}

} // namespace windrow
