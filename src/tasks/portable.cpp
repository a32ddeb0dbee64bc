// SPDX-License-Identifier: BSD-3-Clause
// Tasks of plain data that PEs take from each other. README.md has the protocol.
#include "tasks/portable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "tasks/pool.hpp"
#include "tasks/requests.hpp"
#include "windrow/detail/code_address.hpp"
#include "windrow/detail/one_way_call.hpp"
#include "windrow/error.hpp"
#include "windrow/portable_tasks.hpp"

namespace windrow::tasks {

portable_room& room_of(pgas::core& c, pe_t pe) {
  return *reinterpret_cast<portable_room*>(c.host().tasks(pe));
}

namespace {

pe_t first_of_host(pgas::core& c) {
  pe_t pe = 0;
  while (!c.map().is_addressable(pe)) ++pe;
  return pe;
}

} // namespace

// ---- portable_tasks

std::vector<portable_tasks::neighbour> portable_tasks::neighbours(pgas::core& c) {
  std::vector<neighbour> all;
  for (pe_t distance = 0; distance < c.pes(); ++distance) {
    const auto pe = (c.pe() + distance) % c.pes();
    if (c.map().is_addressable(pe)) all.push_back({pe, &room_of(c, pe)});
  }
  return all;
}

// PEs at an imitated distance keep their tasks.
portable_tasks::portable_tasks(pgas::core& c)
    : core_(c),
      near_(neighbours(c)),
      host_(room_of(c, first_of_host(c))),
      requests_(c.remote_hosts() != nullptr && c.map().shares_addresses
                    ? std::make_unique<requests>(c, *this, host_)
                    : nullptr),
      shared_(near_.size() > 1 || requests_ != nullptr) {
  if (requests_ != nullptr) remember(errand::ask);
}

portable_tasks::~portable_tasks() = default;

bool portable_tasks::push(const portable_task& t) {
  if (!mine().queue.push(t)) return false;
  if (!in_use()) [[unlikely]]
    begin_use();
  if (hunger::anybody(host_.hungry)) wake_one();
  return true;
}

void portable_tasks::begin_use() {
  if (requests_ != nullptr) remember(errand::announce);
  begin_use_here();
}

// Until now nobody has looked.
void portable_tasks::begin_use_here() {
  host_.in_use.store(1, std::memory_order_seq_cst);
  for (const auto& n : near_) core_.link().ring(n.pe);
}

// Without anybody here who hungers, what remains are requests of other hosts: for the thread that sends.
void portable_tasks::wake_one() {
  for (const auto& n : near_)
    if (n.room->hunger.still(host_.hungry)) return core_.link().ring(n.pe);
  if (host_.standing.load(std::memory_order_seq_cst) == 0 || mine().queue.size() < least_shared) return;
  remember(errand::offer);
  core_.link().ring(core_.pe());
}

void portable_tasks::steal_no_more() {
  steals_.store(false, std::memory_order_relaxed);
  forget(errand::ask);
}

stolen_tasks portable_tasks::steal_from(const neighbour& victim, std::uint32_t most) {
  stolen_tasks loot{victim.pe, {}};
  const auto there = victim.room->queue.size();
  if (there == 0) return loot;
  loot.all.resize(std::min(there - there / 2, most));
  loot.all.resize(victim.room->queue.steal(loot.all.data(), static_cast<std::uint32_t>(loot.all.size())));
  return loot;
}

stolen_tasks portable_tasks::steal() {
  stolen_tasks loot;
  if (!in_use() || !steals()) return loot;
  for (std::size_t i = 1; i < near_.size() && loot.all.empty(); ++i) loot = steal_from(near_[i], most_stolen);
  return loot;
}

stolen_tasks portable_tasks::take_for_others() {
  for (const auto& n : near_) {
    if (n.room->queue.size() < least_shared) continue;
    if (auto loot = steal_from(n, most_sent); !loot.all.empty()) return loot;
  }
  return {};
}

std::uint32_t portable_tasks::left_for_others() const {
  std::uint32_t all = 0;
  for (const auto& n : near_) all += n.room->queue.at_once() / least_shared;
  return all;
}

bool portable_tasks::any() const {
  if (!shared() || !in_use()) return false;
  if (!steals()) return mine().queue.any();
  return std::ranges::any_of(near_, [](const neighbour& n) { return n.room->queue.any(); });
}

// ---- what is stolen

/// Tasks of one finish that this PE has taken from another one, as a finish here. When they have ended, and
/// all that they have started, it is a task, which says so there.
struct stolen_part final : task {
  stolen_part(worker& here, pe_t victim, scope* of, std::int64_t tasks)
      : task{.run = report,
             .belongs_to = nullptr,
             .next = nullptr,
             .may_use = detail::job_use::none,
             .kind = task_kind::unique},
        inside(here, tasks, *this),
        home(victim),
        at_home(of),
        count(tasks) {}

  static void report(task&);
  void tell_home() const;

  scope inside;
  pe_t home;
  scope* at_home; ///< an address there; null: they belong to no finish
  std::int64_t count;
};

namespace {

/// Has thrown on another PE.
class thrown_elsewhere final : public error {
 public:
  using error::error;
};

/// Of a longer one the begin, and "…". `where` travels in any case.
exception_text travelling(std::string text, const std::string& where) {
  exception_text bytes{};
  const auto room = bytes.size() - 1 - where.size();
  if (text.size() > room) {
    constexpr std::string_view rest = "…";
    auto kept = room - rest.size();
    while (kept > 0 && (text[kept] & 0xc0) == 0x80) --kept; // no part of a character
    text.replace(kept, std::string::npos, rest);
  }
  std::ranges::copy(text + where, bytes.begin());
  return bytes;
}

} // namespace

exception_text text_of(const std::exception_ptr& failure) {
  const auto where = fmt::format(" (in a portable task on PE {})", this_pe("a portable task"));
  try {
    std::rethrow_exception(failure);
  } catch (const thrown_elsewhere& e) {
    return travelling(e.what(), "");
  } catch (const std::exception& e) {
    return travelling(e.what(), where);
  } catch (...) { // whatever it is, its finish is told
    return travelling("an exception of unknown type", where);
  }
}

std::exception_ptr exception_of(const exception_text& text) {
  return std::make_exception_ptr(thrown_elsewhere(text.data()));
}

namespace {

scope* scope_at(std::uint64_t address) {
  return reinterpret_cast<scope*>(address);
}

constexpr auto end_at_home = [](std::uint64_t of, std::int64_t tasks) {
  worker::current()->end_stolen(scope_at(of), tasks);
};
constexpr auto fail_at_home = [](std::uint64_t of, std::int64_t tasks, const exception_text& text) {
  scope_at(of)->fail(exception_of(text));
  worker::current()->end_stolen(scope_at(of), tasks);
};

} // namespace

void stolen_part::report(task& t) {
  const std::unique_ptr<stolen_part> part(&static_cast<stolen_part&>(t));
  auto& here = *worker::current();
  part->tell_home();
  here.flush(); // who waits there need not wait for more to come
  here.end_unique();
}

void stolen_part::tell_home() const {
  const auto address = reinterpret_cast<std::uint64_t>(at_home);
  if (!inside.failed_) {
    call_one_way(home, end_at_home, address, count);
    return;
  }
  if (at_home == nullptr) std::rethrow_exception(inside.failure_); // which ends the job
  call_one_way(home, fail_at_home, address, count, text_of(inside.failure_));
}

// ---- worker

void start(portable_task& t) {
  worker::current()->start(t);
}

pe_t this_pe(const char* call) {
  return worker::here(call).siblings().core().pe();
}

std::byte* own_segment() {
  const auto& map = worker::here("a portable task").siblings().core().map();
  return map.segment(map.pe);
}

inline closure_task& worker::task_of(const portable_task& t) {
  closure_task& made = new_task();
  made.run = t.run;
  made.belongs_to = t.belongs_to;
  made.may_use = detail::job_use::none;
  std::memcpy(made.closure, t.closure, sizeof t.closure);
  return made;
}

void worker::start(portable_task& t) {
  t.belongs_to = scope_;
  if (in_blocking_message() || !portable_.shared()) return start(static_cast<task&>(task_of(t)));
  count_start();
  core_.map().settle(); // another PE may take it at once, without a message
  if (portable_.push(t)) {
    if (shared_) pool_.announce_task(*this);
    return;
  }
  task& full = task_of(t);
  if (may_run_at_once(full)) return run(full);
  deque_.push(&full);
  if (shared_) pool_.announce_task(*this);
}

// What is sent for other hosts may wait for room, so it comes before a task is taken, or when there is none.
task* worker::take_elsewhere() {
  if (!portable_.has_errands() || !communicates()) [[likely]]
    return take_on_host();
  auto& others = *portable_.other_hosts();
  if (others.announce_and_offer()) flush();
  task* const found = take_on_host();
  if (found == nullptr && others.ask()) flush();
  return found;
}

inline task* worker::take_on_host() {
  task* found = take_portable();
  if (found == nullptr && shared_) found = steal_from_others();
  if (found == nullptr && portable_.shared()) found = steal_portable();
  if (found == nullptr) found = pool_.low().take();
  if (found != nullptr && communicates()) portable_.need_not_wake();
  return found;
}

task* worker::take_portable() {
  portable_task t;
  return portable_.take(t) ? &task_of(t) : nullptr;
}

// The newest is run here.
task* worker::steal_portable() {
  auto loot = portable_.steal();
  if (loot.all.empty()) return nullptr;
  adopt(loot);
  task& first = task_of(loot.all.back());
  loot.all.pop_back();
  keep(loot);
  return &first;
}

// Others may steal them in turn.
void worker::keep(const stolen_tasks& loot) {
  for (const auto& t : loot.all)
    if (!portable_.push(t)) deque_.push(&task_of(t));
  if (shared_ && !loot.all.empty()) pool_.announce_task(*this);
}

void worker::receive(stolen_tasks& loot) {
  adopt(loot);
  keep(loot);
}

// Neighbours that belong to one finish have one part.
void worker::adopt(stolen_tasks& loot) {
  auto& stolen = core_.stats().tasks_stolen;
  std::atomic_ref(stolen).fetch_add(loot.all.size(), std::memory_order_relaxed);
  for (auto begin = loot.all.begin(); begin != loot.all.end();) {
    scope* const of = begin->belongs_to;
    const auto end =
        std::find_if(begin, loot.all.end(), [of](const portable_task& t) { return t.belongs_to != of; });
    auto* const part = new stolen_part(*this, loot.from, of, end - begin);
    for (; begin != end; ++begin) {
      count(started_);
      begin->belongs_to = &part->inside;
      begin->run = reinterpret_cast<void (*)(task&)>(
          reinterpret_cast<std::uintptr_t>(aggregation::local_address(begin->portable_run)));
    }
  }
}

void worker::end_stolen(scope* of, std::int64_t tasks) {
  for (; tasks > 0; --tasks) end(of);
}

void worker::flush() {
  (communicates() ? pool_.engine().main_sender() : *sender_).flush();
}

} // namespace windrow::tasks
