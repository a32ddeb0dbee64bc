// SPDX-License-Identifier: BSD-3-Clause
#include "pgas/watchdog.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "os/cpu.hpp"
#include "os/image.hpp"
#include "os/loaded_file.hpp"
#include "pgas/core.hpp"
#include "pgas/owner_process.hpp"
#include "transport/host/host_memory.hpp"
#include "transport/hosts/other_hosts.hpp"

namespace windrow::pgas {

using transport::pe_state;
using transport::wait_kind;

namespace {

constexpr std::uint64_t second_ns = 1'000'000'000;

std::string name_of(wait_kind kind, std::int32_t target, std::uint32_t object) {
  switch (kind) {
    case wait_kind::none:
      return "nothing (it is computing)";
    case wait_kind::barrier:
      return fmt::format("the others in a barrier of team {}", object);
    case wait_kind::collective:
      return fmt::format("the others in a collective of team {}", object);
    case wait_kind::quiet_context:
      return fmt::format("the operations of context {} to be handled (quiet)", object);
    case wait_kind::quiet_stream:
      return fmt::format("the items of stream {} to be handled (quiet)", object);
    case wait_kind::mailboxes:
      return fmt::format("the messages of mailbox {} and its selector to be handled (run)", object);
    case wait_kind::free_block:
      return fmt::format("a free block, to send to PE {}", target);
    case wait_kind::spill:
      return "its handlers' spilled messages to leave";
    case wait_kind::value:
      return "a value in its memory to change";
    case wait_kind::lock:
      return fmt::format("a lock on PE {}", target);
    case wait_kind::tasks:
      return "its tasks to end (finish or future)";
    case wait_kind::deferred:
      return "answers, because more work is deferred than WINDROW_DEFER_LIMIT";
  }
  return "something unknown";
}

/// By which call, and where that is in the program, as far as is known.
std::string describe_call(const transport::wait_record& record) {
  const auto* const call = static_cast<const char*>(os::in_image(record.call));
  const auto* const site = static_cast<const char*>(os::in_image(record.site));
  if (call == nullptr) return {};
  return fmt::format(" in {}{}", call, site == nullptr ? "" : ", called at " + os::place_in_file(site - 1));
}

bool needs_everyone(wait_kind kind) {
  return kind != wait_kind::none && kind != wait_kind::value && kind != wait_kind::tasks;
}

} // namespace

void forbid_thread_to(const std::string& what) {
  if (in_forked_child()) base::fatal(fmt::format("{}: {}", what, why_closed()));
  if (is_worker_thread)
    base::fatal(
        fmt::format("a task wants to {}, which only the communication worker may; start it with "
                    "async_at(windrow::communication_worker, ...)",
                    what));
  base::fatal(
      fmt::format("a thread that did not make the job wants to {}, which only the one that did may; hand "
                  "the work to it",
                  what));
}

watchdog::watchdog(transport::transport& link)
    : link_(link),
      limit_ns_(static_cast<std::uint64_t>(base::integer_option("WINDROW_STALL_SECONDS", 30, 0, 1'000'000)) *
                second_ns),
      abort_(base::flag_option("WINDROW_STALL_ABORT", false)) {}

void watchdog::begin(wait_reason reason) {
  auto& record = link_.waiting(link_.pe());
  quiet_since_ns_ = os::now_ns();
  record.target.store(reason.target, std::memory_order_relaxed);
  record.object.store(reason.object, std::memory_order_relaxed);
  record.since_ns.store(quiet_since_ns_, std::memory_order_relaxed);
  const auto* const call = current_call;
  record.call.store(call == nullptr ? 0 : os::image_offset(call->operation), std::memory_order_relaxed);
  record.site.store(call == nullptr ? 0 : os::image_offset(call->site), std::memory_order_relaxed);
  record.kind.store(reason.kind, std::memory_order_release);
}

void watchdog::note_progress() {
  quiet_since_ns_ = os::now_ns();
}

void watchdog::end() {
  link_.waiting(link_.pe()).kind.store(wait_kind::none, std::memory_order_release);
  if (!reported_) return;
  reported_ = false; // the stall is over; a later one deserves a report of its own
  link_.host().job().stall_reported.store(0, std::memory_order_relaxed);
}

void watchdog::check() {
  const auto now = os::now_ns();
  // Another thread of this PE may have noted progress after `now` was read: then the difference would wrap.
  if (limit_ns_ == 0 || reported_ || now < quiet_since_ns_ + limit_ns_) return;
  reported_ = true;
  // Whoever notices first speaks for all PEs.
  if (link_.host().job().stall_reported.exchange(1, std::memory_order_relaxed) == 0) {
    base::say(fmt::format("no progress for {} s; what each PE waits for:{}", limit_ns_ / second_ns,
                          describe_all(now)));
  }
  if (abort_) base::fatal("ending the job because it stalled and WINDROW_STALL_ABORT is set");
}

void watchdog::end_stuck_job() const {
  base::fatal(fmt::format("deadlock: no PE can go on, and nothing is under way; what each PE waits for:{}",
                          describe_all(os::now_ns())));
}

std::string watchdog::describe_all(std::uint64_t now) const {
  std::string text;
  for (pe_t pe = 0; pe < link_.pes(); ++pe) text += describe(pe, now);
  return text;
}

pe_t watchdog::departed(wait_reason reason) const {
  if (!needs_everyone(reason.kind)) return -1;
  for (pe_t pe = 0; pe < link_.pes(); ++pe) {
    const auto state = link_.state_of(pe);
    if (state == pe_state::finalized || state == pe_state::failed) return pe;
  }
  return -1;
}

void watchdog::abandon(wait_reason reason, pe_t departed) const {
  base::fatal(fmt::format(
      "waits for {}, but PE {} has {}", name_of(reason.kind, reason.target, reason.object), departed,
      link_.state_of(departed) == pe_state::failed ? "failed" : "finalized the job already"));
}

void watchdog::forbid(wait_reason reason) const {
  base::fatal(fmt::format("a handler of messages wants to wait for {}; handlers may send, but not wait",
                          name_of(reason.kind, reason.target, reason.object)));
}

void watchdog::forbid_continuation(wait_reason reason) const {
  base::fatal(
      fmt::format("a continuation wants to wait for {}; deferred code may issue operations, but not wait",
                  name_of(reason.kind, reason.target, reason.object)));
}

void watchdog::forbid_thread(wait_reason reason) const {
  forbid_thread_to("wait for " + name_of(reason.kind, reason.target, reason.object));
}

void watchdog::forbid_thread_to_send() const {
  forbid_thread_to("send");
}

std::string watchdog::describe(pe_t pe, std::uint64_t now) const {
  const auto* const elsewhere = link_.elsewhere();
  const auto& record = link_.waiting(pe);
  const auto kind = record.kind.load(std::memory_order_acquire);
  auto line = fmt::format("\n  PE {}{} waits for {}", pe,
                          elsewhere != nullptr && elsewhere->has(pe) ? " (on another host)" : "",
                          name_of(kind, record.target, record.object));
  if (kind == wait_kind::none) return line;
  line += describe_call(record);
  const auto since = std::min<std::uint64_t>(record.since_ns, now);
  line += fmt::format(", since {:.1f} s", static_cast<double>(now - since) / second_ns);
  line += fmt::format("; lanes open {}, spilled blocks {}, blocks in flight {}", record.open_lanes.load(),
                      record.spilled.load(), record.in_flight.load());
  return record.in_flight == 0 ? line : line + fmt::format(" (most at PE {})", record.holder.load());
}

} // namespace windrow::pgas
