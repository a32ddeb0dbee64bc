// SPDX-License-Identifier: BSD-3-Clause
#include "pgas/core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>

#include "base/fatal.hpp"
#include "base/fiber_local.hpp"
#include "base/options.hpp"
#include "os/memory.hpp"
#include "pgas/atomics_gate.hpp"
#include "pgas/owner_process.hpp"
#include "transport/hosts/other_hosts.hpp"
#include "transport/remote_memory.hpp"
#include "windrow/detail/round_up.hpp"

namespace windrow::pgas {

using namespace std::chrono_literals;

namespace {

const base::fiber_local use_of_job_is_local([]() -> auto& { return use_of_job; });
const base::fiber_local is_worker_thread_is_local([]() -> auto& { return is_worker_thread; });
const base::fiber_local runs_continuations_is_local([]() -> auto& { return runs_continuations; });
const base::fiber_local waits_until_look_is_local([]() -> auto& { return waits_until_look; });
const base::fiber_local current_call_is_local([]() -> auto& { return current_call; });
#ifdef NDEBUG
constexpr bool checks_by_default = false;
#else
constexpr bool checks_by_default = true;
#endif

pe_t first_pe_of_host(const transport::transport& link) {
  pe_t pe = 0;
  while (link.remote_hosts() != nullptr && link.remote_hosts()->has(pe)) ++pe;
  return pe;
}

} // namespace

core::core(std::unique_ptr<transport::transport> link)
    : link_(std::move(link)),
      remote_(link_->make_remote()),
      trace_(
          trace::chosen_recorder(link_->pe(), first_pe_of_host(*link_), [this] { return link_->now_ns(); })),
      heap_(link_->symmetric().bytes, [this](std::uint64_t used) { keep_in_core_dumps(used); }),
      watchdog_(*link_),
      checks_(base::flag_option("WINDROW_DEBUG", checks_by_default)),
      prints_stats_(base::flag_option("WINDROW_STATS", false)) {
  const auto& segments = link_->symmetric();
  map_.first = segments.first;
  map_.stride = segments.stride;
  map_.set_bytes(segments.bytes);
  map_.latency = link_->latency();
  map_.pe = link_->pe();
  map_.pes = link_->pes();
  map_.remote_hosts = link_->remote_hosts();
  map_.remote = remote_.get();
  map_.shares_addresses = link_->shares_addresses();
  map_.trace = trace_.get();
  map_.plain_pes = link_->is_plain() && trace_ == nullptr ? map_.pes : 0;
  map_.gate = &host();
  // With more PEs than processors, a PE that spins keeps the one it waits for from running.
  spins_ = map_.pes > processors() || link_->takes_turns() ? 0 : 64;
  follows_calls_ = link_->follows_calls();
  use_of_job = detail::job_use::all;
  waits_until_look = waits_between_looks; // so that simulated jobs of one thread are the same in every run
  owner_process.store(::getpid(), std::memory_order_relaxed);
  link_->charge_by(map_.stats);
  link_->set_state(transport::pe_state::running);
}

int core::processors() {
  return host().processors();
}

void core::adopt(std::byte* begin, std::size_t bytes, std::size_t offset) {
  link_->adopt(begin, bytes, offset);
  map_.set_bytes(std::max(map_.bytes, offset + bytes));
}

// Of the memory that PEs share a dump has what this one has allocated. It would commit the rest, page by
// page.
void core::keep_in_core_dumps(std::uint64_t used) {
  constexpr std::uint64_t part = std::uint64_t{2} << 20;
  const auto end = std::min<std::uint64_t>(detail::round_up(used, part), link_->symmetric().bytes);
  if (end <= dumped_) return;
  os::keep_in_core_dumps(map_.segment(map_.pe) + dumped_, end - dumped_, true);
  dumped_ = end;
}

core::~core() {
  shut();
}

void core::shut() {
  *open_ = false;
  if (auto* const tell = std::exchange(tell_closed_, nullptr)) tell();
}

std::optional<std::uint64_t> core::allocate_zeroed(std::size_t bytes, std::size_t alignment) {
  const auto used_up_to = heap_.used_up_to();
  const auto offset = heap_.allocate(bytes, alignment);
  if (offset && *offset < used_up_to)
    std::memset(map_.segment(map_.pe) + *offset, 0, std::min<std::uint64_t>(bytes, used_up_to - *offset));
  return offset;
}

bool core::offset_of(const void* local, std::size_t& offset) const {
  const auto* at = static_cast<const std::byte*>(local);
  const auto* begin = map_.segment(map_.pe);
  if (std::less<>{}(at, begin) || !std::less<>{}(at, begin + map_.bytes)) return false;
  offset = static_cast<std::size_t>(at - begin);
  return true;
}

void core::close() {
  shut();
  map_.set_bytes(0);
  map_.plain_pes = 0;
  link_->set_state(transport::pe_state::finalized);
}

void core::close_in_child() {
  link_->disown(); // first: global variables, those of this library too, may be what was adopted
  shut();
  in_child_ = true;
  use_of_job = detail::job_use::none;
  threads_ = any_thread_ = false;
  map_.set_bytes(0);
  map_.plain_pes = 0;
  map_.latency = nullptr;
  map_.under_way = false; // by the PE
  map_.remote_hosts = nullptr;
  map_.trace = nullptr;
  progress_ = nullptr;
}

// Room to send comes without the help of continuations, so they may wait for that.
void core::require_may_wait_inside(wait_reason reason) const {
  if (threads_ && !runs_continuations) return; // it is another thread that is in there
  if (in_handler()) forbid_handler_to_wait(reason);
  if (reason.kind.in_continuations) return;
  forbid_continuation_to_wait(reason);
}

transport::bulk_parts core::set_bulk(transport::bulk_parts parts) {
  const auto before = link_->set_bulk(parts, remote_);
  map_.remote = remote_.get();
  has_phases_ = remote_->has_phases();
  return before;
}

void core::begin_phase_slowly(const void* site) {
  if (std::uncaught_exceptions() == 0 && remote_->begin_phase(site))
    map_.under_way.store(true, std::memory_order_relaxed);
}

bool core::progress() {
  const bool any = map_.under_way.load(std::memory_order_relaxed) && remote_->progress();
  if (progress_ == nullptr) return any;
  if (!threads_) return progress_->progress() || any;
  const std::unique_lock lock(mutex_, std::try_to_lock); // who holds it makes progress
  return (lock && progress_->progress()) || any;
}

// A program may loop on waits that are over at once (a barrier of one PE, a free lock) until another PE has
// done something, which may wait for this one to serve its inbox. Before `done` is asked: it may take what
// the wait is for, and nothing is to come between.
void core::look_before_wait() {
  waits_until_look = waits_between_looks;
  if (runs_program()) progress();
}

void core::describe_traffic() {
  if (progress_ == nullptr) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;
  transport::wait_details details(link_->waiting(map_.pe));
  progress_->describe(details);
}

// Stages after the pauses: yielding, then sleeping until rung. Yielding alone is not enough, since it does
// nothing between control groups; sleeping at once costs a system call on both sides for every short wait.
void core::wait_long(wait_reason reason, bool (*done)(void*), void* argument) {
  if (in_child_) forbid_thread_to_wait(reason);
  map_.settle();
  if (suspending_ != nullptr && reason.kind.suspends && suspending_->wait(reason, done, argument)) return;
  const int yields_before_sleep = link_->takes_turns() ? 0 : 64;
  // A PE that stores a value does not know who is waiting for it, so it rings no bell.
  constexpr std::chrono::nanoseconds shortest = 50us, longest_blind = 1ms, longest = 100ms;
  auto blind_limit = shortest;
  count(map_.stats.waits);
  const bool counts_as_waiting = threads_ && reason.kind.runs_tasks && progress_ != nullptr;
  if (counts_as_waiting) progress_->thread_waits(true);
  watchdog_.begin(reason);
  const bool let = let_tasks_run(reason.kind.runs_tasks);
  int idle = 0;
  while (!done(argument)) {
    if (progress()) {
      idle = 0;
      watchdog_.note_progress();
    } else if (++idle <= yields_before_sleep) {
      os::yield();
    } else {
      const auto ticket = link_->prepare_sleep();
      const bool is_done = done(argument);
      if (is_done || link_->has_arrivals() || (progress_ != nullptr && !threads_ && progress_->has_work())) {
        link_->cancel_sleep();
        if (is_done) break; // not asked again: it may have taken what it waited for
        continue;
      }
      count(map_.stats.sleeps);
      describe_traffic();
      sleep(ticket, is_blind(reason) ? blind_limit : longest);
      blind_limit = std::min(2 * blind_limit, longest_blind);
      const auto departed = watchdog_.departed(reason);
      if (departed >= 0) {
        if (done(argument)) break;
        watchdog_.abandon(reason, departed);
      }
      if (!link_->takes_turns())
        look_for_stall();
      else if (link_->is_stuck())
        watchdog_.end_stuck_job();
    }
  }
  let_tasks_run(let);
  // Where threads share few processors, no part of a wait may last until it sleeps.
  if (watchdog_.goes_on() && !link_->takes_turns()) look_for_stall();
  watchdog_.end(reason);
  if (counts_as_waiting) progress_->thread_waits(false);
}

void core::look_for_stall() {
  watchdog_.check([this] { return progress_ != nullptr ? progress_->list_waiting() : std::string(); });
}

// Where the moment is past, it is not for this wait to see to that; in simulated time there are no limits.
void core::sleep(std::uint32_t ticket, std::chrono::nanoseconds limit) {
  const auto alarm = alarm_ns_.load(std::memory_order_relaxed);
  if (alarm == no_alarm) return link_->sleep(ticket, limit);
  const auto now = link_->now_ns();
  if (link_->takes_turns()) return now < alarm ? link_->sleep_until(alarm) : link_->sleep(ticket, limit);
  const auto left = now < alarm ? std::chrono::nanoseconds(alarm - now) : 1ms;
  link_->sleep(ticket, std::min(limit, left));
}

void core::serve_until(std::uint64_t due_ns) {
  while (link_->now_ns() < due_ns)
    if (!progress()) link_->sleep_until(due_ns);
}

} // namespace windrow::pgas
