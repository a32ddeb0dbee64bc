// SPDX-License-Identifier: BSD-3-Clause
#include "pgas/watchdog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

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
using transport::stall_report;
using transport::wait_kind;

namespace {

constexpr std::uint64_t second_ns = 1'000'000'000;
// Looks are 100 ms apart, except where processors are scarce.
constexpr std::uint64_t most_apart_ns = second_ns / 2;

std::string text_of(const wait_kind& kind, std::int32_t target, std::uint32_t object) {
  return fmt::format(fmt::runtime(kind.text), fmt::arg("pe", target), fmt::arg("object", object));
}
std::string text_of(wait_reason reason) {
  return text_of(reason.kind, reason.target, reason.object);
}

/// What a record of this or another process says, whose kind is not 0.
std::string text_of(const transport::wait_record& record, std::uint64_t kind) {
  const auto* const known = static_cast<const wait_kind*>(os::in_image(kind));
  return known == nullptr ? "something unknown" : text_of(*known, record.target, record.object);
}

/// By which call, and where that is in the program, as far as is known.
std::string describe_call(const transport::wait_record& record) {
  const auto* const call = static_cast<const char*>(os::in_image(record.call));
  const auto* const site = static_cast<const char*>(os::in_image(record.site));
  if (call == nullptr) return {};
  return fmt::format(" in {}{}", call, site == nullptr ? "" : ", called at " + os::place_in_file(site - 1));
}

std::string describe_details(const transport::wait_record& record) {
  std::string text;
  for (const auto& detail : record.details) {
    const auto* const what = static_cast<const char*>(os::in_image(detail.what));
    if (what == nullptr) break;
    text += fmt::format("{} {} {}", text.empty() ? ";" : ",", what, detail.amount.load());
    if (detail.most_at >= 0) text += fmt::format(" (most at PE {})", detail.most_at.load());
  }
  return text;
}

// A PE that waits for nothing.
const char* what_it_does(pe_state state) {
  if (state == pe_state::finalized) return " has finalized the job";
  return state == pe_state::failed ? " has failed" : " waits for nothing (it is computing)";
}

struct code_without_job {
  const char* who;
  const char* advice;
};

code_without_job worker_code() {
  switch (use_of_job) {
    case detail::job_use::none_light:
      return {"a light thread", "start it with spawn_at(windrow::communication_worker, ...)"};
    case detail::job_use::none_branch:
      return {"a branch of fork_join or a step of a parallel loop",
              "do it before or after that, or in a task"
              " of async_at(windrow::communication_worker, ...)"};
    default:
      return {"a task", "start it with async_at(windrow::communication_worker, ...)"};
  }
}

} // namespace

void forbid_thread_to(const std::string& what) {
  if (in_forked_child()) base::fatal(fmt::format("{}: {}", what, why_closed()));
  if (is_worker_thread) {
    const auto [who, advice] = worker_code();
    base::fatal(
        fmt::format("{} wants to {}, which only the communication worker may; {}", who, what, advice));
  }
  base::fatal(
      fmt::format("a thread that did not make the job wants to {}, which only the one that did may; hand "
                  "the work to it",
                  what));
}

watchdog::watchdog(transport::transport& link)
    : link_(link),
      limit_ns_(static_cast<std::uint64_t>(base::integer_option("WINDROW_STALL_SECONDS", 30, 0, 1'000'000)) *
                second_ns),
      ends_job_because_(base::flag_option("WINDROW_STALL_ABORT", false)
                            ? "it stalled and WINDROW_STALL_ABORT is set"
                            : nullptr) {}

void watchdog::begin(wait_reason reason) {
  auto& record = link_.waiting(link_.pe());
  const std::uint64_t earlier = goes_on_since_ns_;
  const std::uint64_t now = os::now_ns();
  quiet_since_ns_ = earlier != 0 ? earlier : now;
  if (now < quiet_since_ns_ + limit_ns_) end_stall();
  record.target.store(reason.target, std::memory_order_relaxed);
  record.object.store(reason.object, std::memory_order_relaxed);
  record.since_ns.store(quiet_since_ns_, std::memory_order_relaxed);
  const auto* const call = current_call;
  record.call.store(call == nullptr ? 0 : os::image_offset(call->operation), std::memory_order_relaxed);
  record.site.store(call == nullptr ? 0 : os::image_offset(call->site), std::memory_order_relaxed);
  record.kind.store(os::image_offset(&reason.kind), std::memory_order_release);
  record.waiting.fetch_add(1, std::memory_order_relaxed);
  if (!reason.kind.rings) record.unrung.fetch_add(1, std::memory_order_relaxed);
}

void watchdog::note_progress() {
  quiet_since_ns_ = os::now_ns();
}

void watchdog::end(wait_reason reason) {
  auto& record = link_.waiting(link_.pe());
  record.kind.store(0, std::memory_order_release);
  record.waiting.fetch_sub(1, std::memory_order_relaxed);
  if (!reason.kind.rings) record.unrung.fetch_sub(1, std::memory_order_relaxed);
  if (goes_on_since_ns_ == 0) end_stall();
}

// A later one deserves a report of its own.
void watchdog::end_stall() {
  if (!reported_) return;
  reported_ = false;
  link_.host().job().stall_reported.store(stall_report::none, std::memory_order_relaxed);
}

// This process was stopped (by Ctrl-Z, a batch system or a debugger), or had no processor: others may have
// been stopped with it. Two threads may both leave it out, which only makes the report late.
void watchdog::leave_out_absence(std::uint64_t now) {
  const auto seen = std::max<std::uint64_t>(looked_ns_, quiet_since_ns_) + most_apart_ns;
  if (now > seen) quiet_since_ns_ += now - seen;
  looked_ns_ = now;
}

void watchdog::check(const std::function<std::string()>& list_waiting) {
  const auto now = os::now_ns();
  leave_out_absence(now);
  // Another thread of this PE may have noted progress after `now` was read: then the difference would wrap.
  if (limit_ns_ == 0 || reported_ || now < quiet_since_ns_ + limit_ns_) return;
  // The PE that notices first speaks for all. Its report would be cut short if another one ended the job.
  auto& report = link_.host().job().stall_reported;
  auto seen = stall_report::none;
  if (report.compare_exchange_strong(seen, stall_report::begun)) {
    base::say(fmt::format("no progress for {} s; what each PE waits for:{}", limit_ns_ / second_ns,
                          describe_all(now)));
    report.store(stall_report::made);
  } else if (seen == stall_report::begun && ends_job_because_ != nullptr) {
    return;
  }
  reported_ = true;
  if (const auto others = list_waiting(); !others.empty()) base::say("what waits beside it here:" + others);
  if (ends_job_because_ != nullptr) base::fatal(fmt::format("ending the job because {}", ends_job_because_));
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

// Of PEs of other hosts only once it has waited for long: what they did before may be under way.
pe_t watchdog::departed(wait_reason reason) const {
  if (!reason.kind.needs_all_pes || (!link_.host().any_departed() && !reported_)) return -1;
  for (pe_t pe = 0; pe < link_.pes(); ++pe) {
    const auto state = link_.state_of(pe);
    if (state == pe_state::finalized || state == pe_state::failed) return pe;
  }
  return -1;
}

// A PE that has failed is perhaps on its way to say why, and its end will be the end of the job. The launcher
// would take that of this PE for the first failure. Where many share a core, its tasks take long to end.
void watchdog::abandon(wait_reason reason, pe_t departed) const {
  using namespace std::chrono_literals;
  for (auto waited = 0ms; waited < 10s && link_.state_of(departed) == pe_state::failed; waited += 10ms)
    os::sleep(10ms);
  base::fatal(
      fmt::format("waits for {}, but PE {} has {}", text_of(reason), departed,
                  link_.state_of(departed) == pe_state::failed ? "failed" : "finalized the job already"));
}

void forbid_handler_to_wait(wait_reason reason) {
  base::fatal(fmt::format("a handler of messages wants to wait for {}; handlers may send, but not wait",
                          text_of(reason)));
}

void forbid_continuation_to_wait(wait_reason reason) {
  base::fatal(
      fmt::format("a continuation wants to wait for {}; deferred code may issue operations, but not wait",
                  text_of(reason)));
}

void forbid_thread_to_wait(wait_reason reason) {
  forbid_thread_to("wait for " + text_of(reason));
}

std::string watchdog::describe(pe_t pe, std::uint64_t now) const {
  const auto* const remote_hosts = link_.remote_hosts();
  const auto& record = link_.waiting(pe);
  const auto kind = record.kind.load(std::memory_order_acquire);
  auto line = fmt::format("\n  PE {}{}", pe,
                          remote_hosts != nullptr && remote_hosts->has(pe) ? " (on another host)" : "");
  if (kind == 0) return line + what_it_does(link_.state_of(pe));
  line += " waits for " + text_of(record, kind);
  line += describe_call(record);
  const auto since = std::min<std::uint64_t>(record.since_ns, now);
  line += fmt::format(", since {:.1f} s", static_cast<double>(now - since) / second_ns);
  return line + describe_details(record);
}

} // namespace windrow::pgas
