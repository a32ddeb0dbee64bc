// SPDX-License-Identifier: BSD-3-Clause
#include "transport/sim/turns.hpp"

#include <fmt/format.h>

#include <chrono>

#include "base/fatal.hpp"
#include "os/cpu.hpp"
#include "os/futex.hpp"

namespace windrow::transport {

turns::turns(const host_memory& memory, pe_t self)
    : memory_(memory), self_(self), fibers_(pe_fibers::current()) {}

// On one processor it takes a microsecond or two to hand over; from one to another, ten times as long.
// The PE that is handed the turn need not run before the other one has gone to sleep.
void turns::share_processor() {
  auto& control = memory_.sim();
  std::int32_t none = 0;
  control.processor.compare_exchange_strong(none, os::current_processor() + 1);
  os::stay_on_processor(control.processor.load() - 1);
  os::never_preempt_waker();
}

void turns::join() {
  if (fibers_ == nullptr) share_processor();
  auto& control = memory_.sim();
  const auto pes = memory_.shape().pes;
  if (control.joined.fetch_add(1, std::memory_order_seq_cst) + 1 == pes) {
    for (pe_t pe = 1; pe < static_cast<pe_t>(pes); ++pe) enqueue(pe, 0);
    give_turn(0);
  } else if (fibers_ == nullptr) {
    await_others();
  }
  await_turn();
}

// Nobody has a turn before that, or looks at who has left. One that ended without joining was perhaps no
// program of this job.
void turns::await_others() const {
  using namespace std::chrono_literals;
  const auto pes = static_cast<pe_t>(memory_.shape().pes);
  const auto& joined = memory_.sim().joined;
  for (auto seen = joined.load(); seen < memory_.shape().pes; seen = joined.load()) {
    os::futex_wait(joined, seen, 100ms);
    for (pe_t pe = 0; memory_.any_departed() && pe < pes; ++pe)
      if (const auto state = memory_.control(pe).state.load();
          joined.load() < memory_.shape().pes && (state == pe_state::failed || state == pe_state::finalized))
        base::fatal(fmt::format("waits for the others to join the simulation, but PE {} has ended", pe));
  }
}

void turns::await(std::uint64_t now_ps, std::uint64_t slack_ps) {
  if (left_ || memory_.sim().queued == 0) return;
  const auto earliest_ps = memory_.place(at(0)).due_ps + slack_ps;
  if (earliest_ps > now_ps || (earliest_ps == now_ps && at(0) > self_)) return;
  enqueue(self_, now_ps);
  hand_over();
}

std::uint64_t turns::sleep(std::uint64_t now_ps, std::optional<std::uint64_t> due_ps) {
  if (left_) {
    if (fibers_ != nullptr) fibers_->let_others_run();
    return now_ps;
  }
  auto& place = memory_.place(self_);
  place.asleep = 1;
  if (due_ps) enqueue(self_, *due_ps);
  if (memory_.sim().queued == 0 && !let_sleepers_look(now_ps)) {
    memory_.sim().stuck = 1;
    place.asleep = 0;
    return now_ps;
  }
  hand_over();
  place.asleep = 0;
  return place.due_ps;
}

// A value that somebody waits for may have been stored without a word: by a plain store, or behind an address
// that was asked for earlier. So all look once more before anybody says that nothing can happen any more.
bool turns::let_sleepers_look(std::uint64_t now_ps) {
  auto& control = memory_.sim();
  if (control.looked_again != 0) return false;
  for (pe_t pe = 0; pe < static_cast<pe_t>(memory_.shape().pes); ++pe)
    if (memory_.place(pe).asleep != 0) enqueue(pe, now_ps);
  control.looked_again = 1;
  return true;
}

void turns::wake(pe_t pe, std::uint64_t at_ps) {
  if (left_) return;
  memory_.sim().looked_again = 0;
  auto& place = memory_.place(pe);
  if (place.asleep == 0) return;
  if (place.position == 0)
    enqueue(pe, at_ps);
  else if (at_ps < place.due_ps) {
    place.due_ps = at_ps;
    rise(place.position - 1);
  }
}

void turns::leave() {
  if (left_) return;
  left_ = true;
  if (memory_.sim().queued == 0) return;
  give_turn(dequeue());
}

std::optional<std::uint64_t> turns::next_ps() const {
  if (memory_.sim().queued == 0) return std::nullopt;
  return memory_.place(at(0)).due_ps;
}

void turns::hand_over() {
  const auto next = dequeue();
  if (next == self_) return;
  give_turn(next);
  await_turn();
}

void turns::give_turn(pe_t pe) {
  auto& turn = memory_.place(pe).turn;
  turn.store(1, std::memory_order_release);
  if (fibers_ != nullptr)
    fibers_->name_next(pe);
  else
    os::futex_wake(turn);
}

void turns::await_turn() {
  using namespace std::chrono_literals;
  auto& turn = memory_.place(self_).turn;
  while (turn.load(std::memory_order_acquire) == 0)
    if (fibers_ != nullptr)
      fibers_->leave();
    else
      os::futex_wait(turn, 0, 1s);
  turn.store(0, std::memory_order_relaxed);
}

// ---- the queue: a binary heap

bool turns::before(pe_t a, pe_t b) const {
  const auto due_a = memory_.place(a).due_ps, due_b = memory_.place(b).due_ps;
  return due_a != due_b ? due_a < due_b : a < b;
}

void turns::put(std::uint32_t position, pe_t pe) {
  memory_.place(static_cast<pe_t>(position)).entry = static_cast<std::uint32_t>(pe);
  memory_.place(pe).position = position + 1;
}

void turns::enqueue(pe_t pe, std::uint64_t due_ps) {
  memory_.place(pe).due_ps = due_ps;
  const auto last = memory_.sim().queued++;
  put(last, pe);
  rise(last);
}

pe_t turns::dequeue() {
  const auto first = at(0);
  memory_.place(first).position = 0;
  const auto last = --memory_.sim().queued;
  if (last > 0) {
    put(0, at(last));
    sink(0);
  }
  return first;
}

void turns::rise(std::uint32_t position) {
  const auto pe = at(position);
  for (; position > 0; position = (position - 1) / 2) {
    const auto above = at((position - 1) / 2);
    if (!before(pe, above)) break;
    put(position, above);
  }
  put(position, pe);
}

void turns::sink(std::uint32_t position) {
  const auto pe = at(position);
  const auto count = memory_.sim().queued;
  for (;;) {
    auto below = 2 * position + 1;
    if (below >= count) break;
    if (below + 1 < count && before(at(below + 1), at(below))) ++below;
    if (!before(at(below), pe)) break;
    put(position, at(below));
    position = below;
  }
  put(position, pe);
}

} // namespace windrow::transport
