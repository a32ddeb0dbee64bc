// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/selector.hpp"

#include <fmt/format.h>

#include "aggregation/engine.hpp"
#include "base/fatal.hpp"
#include "pgas/core.hpp"

namespace windrow::detail {

namespace {

constexpr transport::wait_kind for_run{
    .text = "the messages of mailbox {object} and its selector to be handled (run)", .suspends = true};

pgas::wait_reason reason(std::span<mailbox_state> mailboxes) {
  return {for_run, -1, mailboxes.front().number()};
}

void enter(std::span<mailbox_state> mailboxes, mailbox_phase phase) {
  for (auto& m : mailboxes) m.enter(phase);
}

// Numbers are given in the order of construction, which is the same on all PEs.
void require_same(job& j, const mailbox_state& first) {
  const auto number = first.number();
  if (j.core().checks() && j.world().min(number) != j.world().max(number))
    base::fatal(fmt::format("run: PEs run different selectors (here: that of mailbox {})", number));
}

} // namespace

mailbox_state::mailbox_state(job& j, std::size_t unit_bytes, aggregation::run_function handle,
                             std::shared_ptr<void> receiver)
    : job_(j), receiver_(std::move(receiver)), kind_(j, unit_bytes, handle, receiver_.get()) {}

void mailbox_state::enter(mailbox_phase phase) {
  const auto pes = static_cast<std::size_t>(job_.pes());
  phase_ = phase;
  body_reach_ = phase == mailbox_phase::open ? pes : 0;
  handler_reach_ = phase == mailbox_phase::open || phase == mailbox_phase::done ? pes : 0;
}

void mailbox_state::abandon() {
  enter(mailbox_phase::left);
  kind_.abandon();
}

void mailbox_state::require_usable() const {
  if (phase_ == mailbox_phase::left)
    base::fatal(fmt::format("mailbox {}: an exception has left its run; make a new selector", number()));
}

void mailbox_state::drain(const team* members) const {
  require_usable();
  kind_.drain(members != nullptr ? *members : job_.world());
}

std::size_t mailbox_state::require_leave(pe_t to) const {
  job_.engine().items().require_pe(to); // and the job
  require_usable();
  switch (phase_) {
    case mailbox_phase::left:
    case mailbox_phase::open:
      break;
    case mailbox_phase::outside:
      base::fatal(fmt::format("mailbox {}: a message is sent outside run; send in its body or in handlers",
                              number()));
    case mailbox_phase::over:
      base::fatal(
          fmt::format("mailbox {}: a message is sent after complete, which ended this mailbox's stage; "
                      "send earlier, or to a later mailbox",
                      number()));
    case mailbox_phase::done:
      // A handler that sends through what it has captured, not through its courier.
      if (job_.core().in_handler()) break;
      base::fatal(fmt::format("mailbox {}: the body sends after it has said done; say done later", number()));
  }
  return static_cast<unsigned>(to);
}

// Everybody has come before anybody sends: handlers run inside `run` only, so programs may use what handlers
// use between runs. Mailboxes are open before that, since others may leave the barrier, and send, earlier.
void begin_run(job& j, std::span<mailbox_state> all) {
  j.core().require_may_wait(reason(all));
  all.front().require_usable();
  if (all.front().phase() != mailbox_phase::outside)
    base::fatal(
        fmt::format("mailbox {}: run inside its own run; use a second selector", all.front().number()));
  require_same(j, all.front());
  enter(all, mailbox_phase::open);
  j.barrier();
}

void body_done(mailbox_state& m) {
  m.require_usable();
  if (m.phase() == mailbox_phase::outside)
    base::fatal(fmt::format("mailbox {}: done outside run; say it in the body", m.number()));
  if (m.phase() == mailbox_phase::open) m.enter(mailbox_phase::done);
}

// Nobody leaves before everybody knows that the stage is over, so that a late message to it is always
// noticed.
void complete_stages(job& j, std::span<mailbox_state> first) {
  first.front().require_usable();
  if (first.front().phase() == mailbox_phase::outside)
    base::fatal(fmt::format("mailbox {}: complete outside run; call it in the body", first.front().number()));
  j.engine().quiesce(j.world(), reason(first));
  enter(first, mailbox_phase::over);
  j.barrier();
}

// One quiescence ends all stages: it lasts until nothing is under way to any mailbox.
void end_run(job& j, std::span<mailbox_state> all) {
  j.engine().quiesce(j.world(), reason(all));
  enter(all, mailbox_phase::outside);
}

void abandon_run(std::span<mailbox_state> all) {
  for (auto& m : all) m.abandon();
}

} // namespace windrow::detail
