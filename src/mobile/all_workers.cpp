// SPDX-License-Identifier: BSD-3-Clause
#include "mobile/all_workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/fatal.hpp"
#include "mobile/idle_balancing.hpp"
#include "mobile/meetings.hpp"
#include "tasks/pool.hpp"
#include "tasks/worker.hpp"
#include "windrow/busy_time.hpp"
#include "windrow/detail/round_up.hpp"
#include "windrow/task.hpp"

namespace windrow::mobile {

namespace {

/// After so many uses of an object, or so long, its light thread lets others run, and messages come.
constexpr int most_in_a_row = 32;
constexpr std::uint64_t most_ns_in_a_row = 50'000;

} // namespace

void core::lock(all_workers& all) {
  all.mutex.lock();
}

void core::unlock(all_workers& all) {
  all.mutex.unlock();
}

void core::all_workers::task_ended() {
  if (balances != nullptr) balances->serve();
}

std::unique_lock<std::mutex> core::try_lock() const {
  if (all_workers_ == nullptr) return {};
  std::unique_lock held(all_workers_->mutex, std::try_to_lock);
  return held.owns_lock() ? std::move(held) : std::unique_lock<std::mutex>();
}

// ---- the space

namespace {

/// What this thread's objects are, on each worker of the PE.
void tell_workers(core* c) {
  finish([c] {
    for (int w = 1; w < workers(); ++w) async_at(w, [c] { core_of_thread = c; });
  });
}

} // namespace

void core::begin_on_all_workers() {
  // Before the collective: who has left that may send what handlers here are for.
  if (all_workers_ != nullptr) {
    tasks::worker::here("object_space").siblings().help_with(all_workers_.get());
    tell_workers(this);
  }
  const auto wanted = all_workers_ != nullptr ? 1 : 0;
  if (job_.world().min(wanted) != job_.world().max(wanted))
    base::fatal("object_space: handlers run on all workers of some PEs only; say the same on all PEs");
}

// Where an exception ends the space, handlers may be running, and others have their turn.
void core::end_on_all_workers(bool unwinding) {
  if (all_workers_ == nullptr) return;
  if (unwinding) {
    const auto none_runs = [this] {
      const guard locked(*this);
      all_workers_->drop_waiting();
      return all_workers_->running.empty() && all_workers_->to_begin == 0 && meetings_->running == 0;
    };
    {
      const guard locked(*this);
      all_workers_->ending = true;
    }
    wait_until(none_runs);
  }
  tell_workers(nullptr);
  tasks::worker::here("object_space").siblings().help_with(nullptr);
}

void core::require_program(const char* call) const {
  if (all_workers_ != nullptr && tasks::worker::here(call).in_task())
    base::fatal(fmt::format(
        "object_space: {} in a handler or task, while handlers run on all workers; call it in main "
        "code",
        call));
}

// ---- messages

// On the PE's own thread, in a handler of the engine, guarded.
void core::take_turns(void* object, const message_head& head, std::span<const std::byte> body) {
  auto& turn = all_workers_->turn;
  if (is_act(head)) {
    if (!turn.is_busy(head.id)) return carry_out(head.id, act_of(head, body));
    turn.close(head.id, act_of(head, body));
    return protocol_.hold(head.id);
  }
  const auto* at = body.data();
  const auto function = handler_at(unpack<std::uint64_t>(at));
  ++stats_.object_messages;
  add_use(std::make_unique<use>(
      use{head, static_cast<cell*>(object), function, {at, body.data() + body.size()}}));
  call_uses(head.id);
}

// Guarded.
void core::add_use(std::unique_ptr<use> u) {
  all_workers_->bytes_to_begin.fetch_add(u->bytes(), std::memory_order_relaxed);
  const auto head = u->head;
  all_workers_->turn.add(head.id, (head.what & shares_object) != 0, std::move(u));
}

// Guarded. For any worker.
void core::call_uses(object_id id) {
  while (const auto* const next = all_workers_->turn.call(id)) {
    ++all_workers_->to_begin;
    auto& here = tasks::worker::here("a message to an object");
    here.start_alone(tasks::spawned_task_of([this, id] { run_uses(id); }, (*next)->function.name,
                                            "a message to an object"));
  }
}

// In a light thread: a use of the object, and those whose turn comes then. A handler that waits may go on
// with another worker.
void core::run_uses(object_id id) {
  std::unique_ptr<use> u;
  {
    const guard locked(*this);
    --all_workers_->to_begin;
    u = begin_use(id);
  }
  std::uint64_t busy_ns = 0;
  for (int row = 1; u != nullptr; ++row) {
    const auto ns = run_use(*u);
    busy_ns += ns;
    u = end_use(*u, ns, row < most_in_a_row && busy_ns < most_ns_in_a_row);
  }
  if (busy_ns >= most_ns_in_a_row) tasks::worker::here("a message to an object").end_row();
}

// Guarded. One that was called; null: what was called was withdrawn.
std::unique_ptr<core::use> core::begin_use(object_id id) {
  if (all_workers_->ending) return nullptr;
  auto called = all_workers_->turn.begin(id);
  if (!called) return nullptr;
  auto u = std::move(*called);
  auto* const light = tasks::worker::here("a message to an object").light();
  if (light != nullptr) light->name.store(u->function.name, std::memory_order_relaxed);
  u->light = light;
  all_workers_->bytes_to_begin.fetch_sub(u->bytes(), std::memory_order_relaxed);
  all_workers_->add_running(*u);
  return u;
}

// The time that it takes.
std::uint64_t core::run_use(use& u) {
  const busy_time time;
  run_traced(*u.object, u.head, u.function, u.arguments);
  // Sends the answer now: the caller should not also wait for what this worker does next.
  if (what_of(u.head) == what::call) tasks::worker::here("a call of an object").flush();
  return static_cast<std::uint64_t>(time.so_far().count());
}

// Gives what this light thread runs next; null: nothing.
std::unique_ptr<core::use> core::end_use(const use& u, std::uint64_t busy, bool goes_on) {
  const auto id = u.head.id;
  std::unique_ptr<use> mine;
  bool act_is_next = false;
  {
    const guard locked(*this);
    u.object->busy += busy;
    all_workers_->count(busy);
    all_workers_->remove_running(u);
    auto& turn = all_workers_->turn;
    turn.end(id);
    if (goes_on && turn.call(id) != nullptr) mine = begin_use(id);
    call_uses(id);
    act_is_next = turn.is_last(id);
  }
  if (act_is_next)
    put(job_.pe(), {id, 0, 0, 0, 0, static_cast<std::uint16_t>(what::idle)}, 0, [](std::byte*) {});
  return mine;
}

// The object is held since the act has come, so nothing of it has run since.
void core::take_idle(object_id id) {
  const guard locked(*this);
  if (const auto last = all_workers_->turn.take_last(id)) carry_out(id, *last);
}

// ---- uses that go along with their object

void core::append_uses(std::vector<std::byte>& to, const uses& all) {
  const auto append = [&](const auto& value) { append_bytes(to, &value, sizeof value); };
  append(std::uint64_t{all.size()});
  for (const auto& u : all) {
    append(u->head);
    append(u->function.portable);
    append(std::uint64_t{u->arguments.size()});
    append_bytes(to, u->arguments.data(), u->arguments.size());
    to.resize(detail::round_up<std::size_t>(to.size(), unit));
  }
}

core::uses core::unpack_uses(const std::byte*& at) {
  uses all(unpack<std::uint64_t>(at));
  for (auto& u : all) {
    const auto head = unpack<message_head>(at);
    const auto function = handler_at(unpack<std::uint64_t>(at));
    const auto bytes = unpack<std::uint64_t>(at);
    u = std::make_unique<use>(use{head, nullptr, function, {at, at + bytes}});
    at += detail::round_up<std::size_t>(bytes, unit);
  }
  return all;
}

// Guarded, before the object has arrived: what is admitted from then on comes later.
void core::take_uses(object_id id, cell* object, uses all) {
  for (auto& u : all) {
    u->object = object;
    add_use(std::move(u));
  }
  if (!all.empty()) call_uses(id);
}

// ---- who waits

void core::require_other_object(const reply_taker& taker) const {
  if (all_workers_ == nullptr) return;
  const auto* const here = tasks::worker::here("future::wait").light();
  if (here == nullptr) return;
  const guard locked(*this);
  const auto refuse = [&](const char* handler) {
    base::fatal(
        fmt::format("{} of {} waits for its own call of {}, which cannot run before it has ended; call "
                    "the member function directly",
                    handler_text(handler), name_of(taker.object), taker.handler->name));
  };
  for (const auto* u : all_workers_->running)
    if (u->light == here && u->head.id == taker.object) refuse(u->function.name);
  const auto meeting = meetings_->begun_on_workers.find(here);
  if (meeting == meetings_->begun_on_workers.end()) return;
  for (const auto& s : meeting->second.what->seats)
    if (s.id == taker.object) refuse(meeting->second.function);
}

void core::list_uses(std::size_t most, std::string& lines) const {
  if (all_workers_ == nullptr) return;
  const auto line = [&](const use& u, const char* what) {
    lines += fmt::format("\n  PE {}: {} of {} {}", job_.pe(), handler_text(u.function.name),
                         name_of(u.head.id), what);
  };
  const auto& running = all_workers_->running;
  for (std::size_t i = 0; i < std::min(most, running.size()); ++i) line(*running[i], "has not ended");
  all_workers_->turn.for_each_waiting([&](object_id, const std::unique_ptr<use>& u) {
    if (most == 0) return;
    --most;
    line(*u, "waits for its turn");
  });
}

} // namespace windrow::mobile
