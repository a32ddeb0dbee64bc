// SPDX-License-Identifier: BSD-3-Clause
#include "mobile/idle_balancing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "aggregation/engine.hpp"
#include "mobile/all_workers.hpp"
#include "pgas/core.hpp"
#include "pgas/owner_process.hpp"
#include "tasks/worker.hpp"
#include "windrow/error.hpp"
#include "windrow/simulation.hpp"
#include "windrow/task.hpp"

namespace windrow::mobile {

namespace {

constexpr pe_t few_pes = 8;

/// Along steps of 1, 2, 4 ... in the circle of PEs every PE is reached from every other one. Of few, each
/// asks each.
std::vector<pe_t> whom_to_ask(pe_t here, pe_t pes) {
  std::vector<pe_t> all;
  for (pe_t step = 1; step < pes; step += pes <= few_pes ? 1 : step)
    all.push_back(static_cast<pe_t>((std::int64_t{here} + step) % pes));
  return all;
}

} // namespace

core::idle_balancing::idle_balancing(core& c) : core_(c), may_ask_(whom_to_ask(c.job_.pe(), c.job_.pes())) {
  core_.all_workers_->balances = this;
  core_.job_.engine().attach(*this);
}

core::idle_balancing::~idle_balancing() {
  if (!pgas::in_forked_child()) core_.job_.engine().detach(*this);
  core_.all_workers_->balances = nullptr;
}

void core::require_all_workers(const char* wish) const {
  if (all_workers_ == nullptr)
    throw error(
        fmt::format("{}: handlers run on the PE's own thread, which has nothing to give while it runs one; "
                    "make the object_space with windrow::handlers::on_all_workers",
                    wish));
}

void core::balance_when_idle(bool on) {
  require_all_workers("balance_when_idle");
  barrier();
  idle_balancing_->use(on);
  job_.barrier();
}

// ---- who asks

bool core::idle_balancing::ready() const {
  return is_on_ && !gives_ && core_.stays_ == 0 && !(may_ask_.empty() && may_take_.empty()) && !some_wait();
}

bool core::idle_balancing::some_wait() const {
  return core_.all_workers_->bytes_to_begin.load(std::memory_order_relaxed) > 0;
}

void core::idle_balancing::run() {
  for (const auto pe : std::exchange(may_take_, {})) tell(pe, what::take);
  for (const auto pe : std::exchange(may_ask_, {})) tell(pe, what::ask);
  send_now();
}

void core::idle_balancing::tell(pe_t pe, what w) {
  core_.put(pe, {0, 0, 0, core_.job_.pe(), 0, static_cast<std::uint16_t>(w)}, 0, [](std::byte*) {});
}

// What is stored would leave when nothing runs here any more.
void core::idle_balancing::send_now() {
  core_.job_.engine().main_sender().send_early();
}

// ---- who gives

void core::idle_balancing::take(what w, pe_t from) {
  (w == what::ask ? askers_ : w == what::take ? takers_ : may_take_).push_back(from);
}

// No task runs meanwhile, though sending lets messages come: its uses would be those that were chosen. The
// stack of a light thread, which sends, may be too small for what objects do when they are written; when it
// has ended this is called again.
void core::idle_balancing::serve() {
  if (const auto* const here = tasks::worker::current(); here != nullptr && here->on_stack_of() != nullptr)
    return;
  const auto lock = core_.job_.core().exclusive(); // tasks end without it
  if (!is_on_ || gives_ || core_.stays_ > 0) return;
  if (takers_.empty() && (askers_.empty() || !some_wait())) return;
  gives_ = true;
  auto& pe = core_.job_.core();
  const bool let = pe.let_tasks_run(false);
  bool any = false;
  while (!takers_.empty()) // more of them come meanwhile
    for (const auto taker : std::exchange(takers_, {})) {
      const bool gives = give(taker);
      gives ? tell(taker, what::given) : askers_.push_back(taker);
      any = any || gives;
    }
  if (!askers_.empty() && has_some()) {
    for (const auto asker : std::exchange(askers_, {})) tell(asker, what::offer);
    any = true;
  }
  if (any) send_now();
  pe.let_tasks_run(let);
  gives_ = false;
}

// With many objects that takes long (no simulated time, though); it may be asked after each message and
// handler, and take a twentieth of the time.
bool core::idle_balancing::has_some() {
  constexpr std::uint64_t ns_of_object = 10;
  const auto begin = detail::clock_ns(core_.job_);
  if (begin < next_look_ns_) return false;
  const bool any = !choose().empty();
  const auto end = detail::clock_ns(core_.job_);
  const guard locked(core_);
  next_look_ns_ = end + 20 * std::max(end - begin, ns_of_object * core_.all_workers_->turn.busy());
  return any;
}

bool core::idle_balancing::give(pe_t taker) {
  int given = 0;
  const auto begin = detail::clock_ns(core_.job_);
  for (const auto id : choose()) {
    const guard locked(core_);
    auto& all = *core_.all_workers_;
    const auto uses = all.turn.to_withdraw(id);
    if (uses == 0 || core_.protocol_.is_held(id) || !pays(id, uses)) continue; // by now, or for a visit
    all.turn.withdraw(id, [&](std::unique_ptr<core::use> u) {
      all.bytes_to_begin.fetch_sub(u->bytes(), std::memory_order_relaxed);
      all.leaving.push_back(std::move(u));
    });
    core_.protocol_.move(id, taker);
    ++given;
  }
  if (given == 0) return false;
  // The least counts: who is interrupted meanwhile takes any time.
  constexpr double least_ns = 100;
  const auto ns = static_cast<double>(detail::clock_ns(core_.job_) - begin) / given;
  sending_ns_ = std::clamp(ns, least_ns, sending_ns_ * 1.125);
  return true;
}

// Guarded. False of what is done sooner than it moves: it is written, sent, arrives, is read, and messages
// and news follow. How large an object of its class is, the first that moves tells. Handlers of which none
// has ended take some time.
bool core::idle_balancing::pays(object_id id, std::size_t uses) const {
  constexpr double ns_of_unknown_use = 1e6, ns_of_byte = 1;
  const auto& type = *static_cast<const cell*>(core_.protocol_.find(id))->type;
  const auto moved = bytes_.find(&type);
  const auto bytes = static_cast<double>(moved == bytes_.end() ? type.bytes : moved->second);
  return static_cast<double>(uses) * core_.all_workers_->mean_ns().value_or(ns_of_unknown_use) >=
         4 * std::max(sending_ns_, ns_of_byte * bytes);
}

// So that the taker has as much to do as this PE: half of what waits and runs here.
std::vector<object_id> core::idle_balancing::choose() const {
  const guard locked(core_);
  const auto& all = *core_.all_workers_;
  std::vector<std::pair<std::size_t, object_id>> objects;
  std::size_t waiting = 0;
  all.turn.for_each_to_withdraw([&](object_id id, std::size_t uses) {
    waiting += uses;
    if (pays(id, uses)) objects.emplace_back(uses, id);
  });
  const auto running = std::min(all.running.size(), static_cast<std::size_t>(workers()));
  auto left = std::min(waiting, (waiting + running) / 2);
  std::ranges::sort(objects, std::greater<>());
  std::vector<object_id> chosen;
  for (const auto& [uses, id] : objects)
    if (uses <= left) left -= uses, chosen.push_back(id);
  return chosen;
}

} // namespace windrow::mobile
