// SPDX-License-Identifier: BSD-3-Clause
#include "pgas/team_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>

#include "base/fatal.hpp"
#include "os/cpu.hpp"
#include "pgas/owner_process.hpp"
#include "transport/hook/latency_model.hpp"
#include "windrow/detail/copy.hpp"
#include "windrow/error.hpp"

namespace windrow::pgas {

namespace {

static_assert(offsetof(transport::collective_slot, apart) == 64, "`beside` and `arrived` are one line");
static_assert(offsetof(transport::broadcast_slot, apart) == 64, "`beside` and `shown` are one line");

/// True for the last of `members` to come, which has then prepared `counter` for the next time.
bool count_in(std::atomic<std::uint32_t>& counter, pe_t members) {
  if (counter.fetch_add(1, std::memory_order_acq_rel) + 1 < static_cast<std::uint32_t>(members)) return false;
  counter.store(0, std::memory_order_relaxed); // published by what the caller does next
  return true;
}

/// What members store as `arrived` in the step behind `phase` others.
std::uint32_t number_of(std::uint64_t phase) {
  return static_cast<std::uint32_t>(phase + 1);
}

/// Where a team begins to look for a slot in this turn.
int random_slot(std::uint32_t team, int turn) {
  static_assert(transport::max_teams == 64, "so many numbers of six bits");
  auto mixed = (std::uint64_t{team} << 32 | static_cast<std::uint32_t>(turn)) * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ mixed >> 32) * 0xbf58476d1ce4e5b9;
  return static_cast<int>(mixed >> 58);
}

/// What a member receives in one step.
std::size_t received_bytes(const collective_call& call, pe_t members) {
  const auto shown = std::min<std::size_t>(call.bytes, transport::bounce_bytes);
  const bool from_each = call.kind == collective::allgather || call.kind == collective::alltoall ||
                         call.kind == collective::allgatherv || call.kind == collective::alltoallv;
  if (call.kind == collective::barrier || call.kind == collective::split_strided) return 0;
  return from_each ? shown * static_cast<std::size_t>(members - 1) : shown;
}

} // namespace

team_state::team_state(core& owner)
    : team_state(owner, std::make_shared<team_slots>(owner.remote_hosts()), 0,
                 {.start = 0, .stride = 1, .size = owner.pes()}) {
  slots_->take(id_);
}

team_state::team_state(core& owner, std::shared_ptr<team_slots> slots, std::uint32_t id, strided_pes members)
    : core_(owner),
      job_is_open_(owner.is_open()),
      slots_(std::move(slots)),
      id_(id),
      members_(members),
      pe_(members.member(owner.pe())),
      first_(owner.host().slot(members.start, id)),
      generation_(first_.generation.load(std::memory_order_acquire)),
      take_turns_(owner.link().takes_turns()),
      spread_(is_spread()) {}

bool team_state::is_spread() const {
  const auto* remote_hosts = core_.remote_hosts();
  if (remote_hosts == nullptr) return false;
  for (pe_t member = 0; member < pes(); ++member)
    if (remote_hosts->has(members_.at(member))) return true;
  return false;
}

// Once the job is finalized nobody makes teams any more, and no agent carries out what would be told. Then
// the core may be gone, too: a handle may be a global variable.
team_state::~team_state() {
  if (in_forked_child() || !*job_is_open_) return;
  if (spread_)
    core_.remote_hosts()->leave_team(id_, members_.start, pes());
  else if (count_in(first_.released, pes()))
    first_.generation.store(generation_ + 1, std::memory_order_release);
  slots_->retire(id_, core_.host().slot(core_.pe(), id_), first_.generation, generation_);
}

void team_state::require_member(pe_t member, const char* call, const char* argument) const {
  if (member < 0 || member >= pes())
    base::fatal(fmt::format("{}: {} {} is not a member of team {}, whose PEs are 0 to {}", call, argument,
                            member, id_, pes() - 1));
}

void team_state::refuse_closed(const char* call) const {
  refuse_closed(fmt::format("{}()", call));
}
void team_state::refuse_closed(const std::string& call) const {
  base::fatal(fmt::format("{} on team {}: {}", call, id_, why_closed()));
}

void team_state::require_ready(const collective_call& call) const {
  if (!*job_is_open_) refuse_closed(describe(call));
  require_alone(call);
  if (notified_)
    base::fatal(
        fmt::format("{} was called on team {} between barrier_notify and barrier_wait", describe(call), id_));
}

// A light thread waits in one, and another calls.
void team_state::require_alone(const collective_call& call) const {
  if (waits_)
    base::fatal(
        fmt::format("{} on team {} while other code of this PE is in a collective call of "
                    "that team; make such calls one after the other, or on two teams",
                    describe(call), id_));
}

void team_state::step(const collective_call& call) {
  require_ready(call);
  arrive(call);
  complete(call);
}

void team_state::barrier_notify() {
  require_ready({collective::barrier});
  arrive({collective::barrier});
  notified_ = true;
}

void team_state::barrier_wait() {
  require_alone({collective::barrier});
  if (!notified_) base::fatal(fmt::format("barrier_wait on team {} without barrier_notify before it", id_));
  notified_ = false;
  complete({collective::barrier});
}

// Everybody stores and then looks at the others, with sequential consistency: who is last in that order sees
// them all and rings. A member that was not rung has announced its sleep later, and looks again after that.
void team_state::arrive(const collective_call& call) {
  core_.map().settle();
  auto& mine = part(pe_, phase_);
  if (core_.checks()) call.write(mine);
  if (core_.latency() != nullptr) mine.arrived_ns = core_.link().now_ns();
  if (take_turns_) count_arrival(mine.arrived_ns);
  mine.arrived.store(number_of(phase_), std::memory_order_seq_cst);
  // Those who read it in the last step still have the line that the next one writes. Taking it back while
  // this step is under way saves the next store from waiting for that.
  os::prepare_to_write(&part(pe_, phase_ + 1));
  if (spread_) show();
  if (all_arrived()) ring_others();
}

// What is left of the step before the last one is earlier than any arrival in this one.
void team_state::count_arrival(std::uint64_t now_ns) {
  auto& [last, last_but_one] = first_.latest[phase_ % 2];
  const auto earlier = std::min(now_ns, last.load(std::memory_order_relaxed));
  last.store(std::max(now_ns, last.load(std::memory_order_relaxed)), std::memory_order_relaxed);
  last_but_one.store(std::max(earlier, last_but_one.load(std::memory_order_relaxed)),
                     std::memory_order_relaxed);
  first_.arrivals.fetch_add(1, std::memory_order_seq_cst);
}

void team_state::ring_others() {
  for (pe_t member = 0; member < pes(); ++member)
    if (const auto pe = members_.at(member); member != pe_ && !core_.map().is_on_other_host(pe))
      core_.link().ring(pe); // the agents of other hosts do it there
}

void team_state::show() {
  core_.remote_hosts()->show({.team = id_,
                              .first = members_.start,
                              .stride = members_.stride,
                              .size = pes(),
                              .arrived = number_of(phase_),
                              .bounced = std::exchange(bounced_bytes_, 0),
                              .turn = bounced_turn_});
}

// The store that is seen here released what its member had written before, its contribution too.
bool team_state::all_arrived() {
  if (take_turns_)
    return first_.arrivals.load(std::memory_order_seq_cst) >=
           (phase_ + 1) * static_cast<std::uint64_t>(pes());
  const auto now = number_of(phase_);
  while (seen_ < pes() && part(seen_, phase_).arrived.load(std::memory_order_seq_cst) == now) ++seen_;
  return seen_ == pes();
}

void team_state::complete(const collective_call& call) {
  const auto& kind = call.kind == collective::barrier ? for_barrier : for_collective;
  waits_ = true;
  core_.wait({kind, -1, id_}, [this] { return all_arrived(); });
  waits_ = false;
  ++phase_;
  seen_ = 0;
  broadcasts_ = 0;
  count(core_.stats().barriers);
  if (core_.latency() != nullptr) await_signals(call);
  if (core_.checks()) compare();
}

// A waiting member has announced its sleep before it looked for the last time, as in a step. In a step every
// member knows when to ring; here only the root does.
void team_state::show_ahead(const collective_call& call, const std::byte* data) {
  require_ready(call);
  core_.map().settle();
  auto& mine = broadcast_of(pe_);
  detail::copy_bytes(mine.data(call.bytes), data, call.bytes);
  mine.shown.store(phase_ + 1, std::memory_order_seq_cst);
  end_broadcast();
  ring_others();
  if (broadcasts_ < transport::broadcasts_per_step) os::prepare_to_write(&broadcast_of(pe_));
}

void team_state::receive(const collective_call& call, std::byte* data) {
  require_ready(call);
  auto& theirs = broadcast_of(call.root);
  waits_ = true;
  core_.wait({for_collective, -1, id_},
             [&] { return theirs.shown.load(std::memory_order_seq_cst) == phase_ + 1; });
  waits_ = false;
  detail::copy_bytes(data, theirs.data(call.bytes), call.bytes);
  end_broadcast();
}

void team_state::end_broadcast() {
  ++broadcasts_;
  count(core_.stats().barriers);
}

std::uint64_t team_state::latest_arrival_ns() const {
  if (take_turns_) {
    const auto& [last, last_but_one] = first_.latest[(phase_ - 1) % 2];
    const auto last_ns = last.load(std::memory_order_relaxed);
    const bool mine = part(pe_, phase_ - 1).arrived_ns == last_ns;
    return mine ? last_but_one.load(std::memory_order_relaxed) : last_ns;
  }
  std::uint64_t latest_ns = 0;
  for (pe_t member = 0; member < pes(); ++member)
    if (member != pe_) latest_ns = std::max(latest_ns, part(member, phase_ - 1).arrived_ns);
  return latest_ns;
}

// What the members show travels with the message that they have arrived.
void team_state::await_signals(const collective_call& call) {
  core_.serve_until(core_.latency()->known_ns(latest_arrival_ns(), pes(), received_bytes(call, pes())));
}

// The first member speaks for all; the others wait for the end, so that the one sentence is not cut short or
// repeated.
void team_state::compare() {
  const auto first = collective_call::read(part(0, phase_ - 1));
  for (pe_t member = 1; member < pes(); ++member) {
    const auto other = collective_call::read(part(member, phase_ - 1));
    if (other == first) continue;
    if (pe_ == 0)
      base::fatal(fmt::format("mismatched collective on team {}: PE {} called {}, PE {} called {}", id_,
                              members_.at(0), describe(first), members_.at(member), describe(other)));
    core_.wait({for_collective, members_.at(0), id_}, [] { return false; });
  }
}

void refuse_team(pe_t size) {
  throw error(
      fmt::format("no team slot is left for a new team of {} PEs: a PE can be in {} teams at a time; release "
                  "some of them on all their members",
                  size, transport::max_teams));
}

std::shared_ptr<team_state> team_state::split(pe_t start, pe_t stride, pe_t size) {
  const strided_pes chosen{start, size == 1 ? 1 : stride, size};
  if (chosen.stride == 0 || !chosen.lies_within(pes()))
    base::fatal(
        fmt::format("split_strided(start {}, stride {}, size {}) leaves team {}, whose PEs are 0 to {}",
                    start, stride, size, id_, pes() - 1));
  const auto call = collective_call::split(start, stride, size);
  const bool inside = chosen.member(pe_) >= 0;
  const auto id = take_slot_on_all(inside, call);
  if (id == no_slot) refuse_team(size);
  if (!inside) return nullptr;
  const strided_pes members{members_.at(start), members_.stride * chosen.stride, size};
  return std::shared_ptr<team_state>(new team_state(core_, slots_, id, members));
}

// While this waits for the others, another light thread or thread may split another team: both may choose the
// same slot, and on some members one is faster, on others the other one. Then both choose again. Where each
// begins its search then is random, with its team and turn as the seed, so that they do not go on to choose
// the same.
std::uint32_t team_state::take_slot_on_all(bool including_mine, const collective_call& call) {
  constexpr int most_tries = 1000;
  for (int turn = 0; turn < most_tries; ++turn) {
    const auto common = slots_free_on_all(including_mine, call);
    if (common == 0) return no_slot;
    const auto first = turn == 0 ? 0 : random_slot(id_, turn);
    const auto id = static_cast<std::uint32_t>((std::countr_zero(std::rotr(common, first)) + first) %
                                               static_cast<int>(transport::max_teams));
    const bool mine = including_mine && slots_->take(id);
    if (common_to_all(mine || !including_mine ? ~std::uint64_t{0} : 0, call) != 0) return id;
    if (mine) slots_->give_back(id);
  }
  return no_slot;
}

// All members get the same answer. PEs outside the new team agree with everything.
std::uint64_t team_state::slots_free_on_all(bool including_mine, const collective_call& call) {
  step(call); // so that what all members have released before counts as free on all of them
  return common_to_all(including_mine ? slots_->free() : ~std::uint64_t{0}, call);
}

std::uint64_t team_state::common_to_all(std::uint64_t bits, const collective_call& call) {
  std::memcpy(outgoing(sizeof bits), &bits, sizeof bits);
  step(call);
  auto common = bits;
  for (pe_t member = 0; member < pes(); ++member) {
    std::uint64_t theirs;
    std::memcpy(&theirs, incoming(member, sizeof theirs), sizeof theirs);
    common &= theirs;
  }
  return common;
}

} // namespace windrow::pgas
