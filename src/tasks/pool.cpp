// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/fatal.hpp"
#include "tasks/waiting.hpp"
#include "tasks/workers_option.hpp"
#include "windrow/error.hpp"

namespace windrow::tasks {

namespace {

std::vector<std::unique_ptr<worker>> make_workers(pool& p) {
  const int count = workers_option();
  std::vector<std::unique_ptr<worker>> result;
  result.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) result.push_back(std::make_unique<worker>(p, i, count));
  return result;
}

} // namespace

pool::pool(pgas::core& c, aggregation::engine& e)
    : core_(c),
      engine_(e),
      portable_(c),
      workers_(make_workers(*this)),
      main_(*workers_.front()),
      spins_(c.pes() * size() > c.processors() ? 0 : 64) {
  worker::attach(&main_);
  engine_.attach(static_cast<aggregation::work_source&>(*this));
  engine_.attach(static_cast<aggregation::sending_threads&>(*this));
  core_.set_suspending(this);
}

// Only tasks that were started behind the end of the job are alive.
pool::~pool() {
  main_.wait_until(for_tasks, [this] { return all_ended(); });
  core_.set_suspending(nullptr);
  stop_threads();
  for (auto& thread : threads_) thread.join();
  if (worker::current() == &main_) worker::attach(nullptr);
}

void pool::stop_threads() {
  stop_.store(true, std::memory_order_seq_cst);
  for (const auto& w : workers_) w->wake();
}

// What is alive may wait for messages, so the inbox is served until the last thread has left, which may have
// taken something from another PE. Those that unwind, too, tell this one when they have run what they have
// taken from here. Tasks that wait for what only the code that was left would have done wait for ever.
void pool::end_early() {
  ending_.store(true, std::memory_order_relaxed);
  core_.end_job_when_stalled(
      "an exception has left the code that made it, and tasks that are alive wait for what nobody does");
  portable_.steal_no_more();
  main_.wait_until(for_tasks, [this] { return all_ended(); });
  stop_threads();
  main_.wait_until(for_tasks,
                   [this] { return running_.load(std::memory_order_seq_cst) == 0 && all_ended(); });
}

void pool::begin_threads() {
  running_.store(size() - 1, std::memory_order_relaxed);
  try {
    for (int i = 1; i < size(); ++i) threads_.emplace_back([this, i] { run_thread(at(i)); });
  } catch (const std::system_error& e) {
    base::fatal(fmt::format("cannot start worker {} of {}: {}; lower WINDROW_WORKERS", threads_.size() + 1,
                            size(), e.what()));
  }
}

void pool::run_thread(worker& w) {
  base::set_speaker(fmt::format("PE {} worker {}", core_.pe(), w.index()));
  worker::attach(&w);
  w.send_by(engine_.begin_thread(w.index()));
  w.help_until([this] { return stop_.load(std::memory_order_seq_cst); });
  running_.fetch_sub(1, std::memory_order_seq_cst);
  main_.wake();
}

void pool::announce_task(const worker& from) {
  ensure_threads(from);
  if (worker_sleep::wake_one_of(sleepers_, workers_)) return;
  if (&from != &main_) main_.wake();
}

void pool::look_for_high() {
  for (const auto& w : workers_) w->look_for_high();
}

void pool::start_continuation(task& t) {
  continuations_.fetch_add(1, std::memory_order_seq_cst);
  main_.receive(t);
}

// Ended first: what has not ended when this begins is then still counted among the started.
std::uint64_t pool::alive() const {
  std::uint64_t ended = 0;
  for (const auto& w : workers_) ended += w->ended();
  std::uint64_t started = continuations_.load(std::memory_order_seq_cst);
  for (const auto& w : workers_) started += w->started();
  return started - ended;
}

bool pool::pending() const {
  return asked_by_main_code() && !all_ended();
}

bool pool::ready() const {
  return asked_by_main_code() && main_.ready();
}

void pool::run() {
  while (task* t = main_.next_of_wait()) {
    main_.run(*t);
    task_ended();
    if (core_.link().has_arrivals()) core_.progress();
  }
  if (!main_.look_is_due()) return;
  main_.look();
  if (core_.link().has_arrivals()) core_.progress();
}

// Tasks that have come from another PE may have started some here, and a finish there waits for them.
bool pool::can_help() {
  return (portable_.in_use() || backlog_ != nullptr) && worker::current() == &main_ &&
         main_.light() == nullptr && !main_.keeps_handler() && main_.ready();
}

void pool::help() {
  if (task* t = main_.next()) {
    main_.run(*t);
    task_ended();
  } else if (main_.look_is_due()) {
    main_.look();
  }
}

std::uint64_t pool::started() const {
  if (!asked_by_main_code()) return 0;
  std::uint64_t all = continuations_.load(std::memory_order_seq_cst);
  for (const auto& w : workers_) all += w->started();
  return all;
}

bool pool::keeps_handler() const {
  return worker::current()->keeps_handler();
}

void pool::wait(bool (*done)(void*), void* argument) {
  worker::current()->wait_to_send([=] { return done(argument); });
}

// A light thread looks itself, since what `done` says may depend on who asks.
bool pool::wait(pgas::wait_reason reason, bool (*done)(void*), void* argument) {
  worker* const here = worker::current();
  if (here == nullptr || here->light() == nullptr) return false;
  for (int looks = 1; !done(argument); ++looks) {
    here->look_again(reason.kind, true);
    const auto gone = looks % 64 == 0 ? core_.departed(reason) : -1;
    if (gone >= 0 && !done(argument)) core_.abandon(reason, gone);
    if (gone >= 0) break;
  }
  return true;
}

void pool::wake() {
  for (const auto& w : workers_)
    if (w.get() != &main_) w->wake();
}

// A task that is run here may serve the inbox in turn. None runs on the stack of a light thread that sends,
// nor in a continuation that does, since that may not wait.
void pool::messages_handled() {
  if (relieving_ || worker::current() != &main_ || main_.light() != nullptr || main_.in_continuation())
    return;
  relieving_ = true;
  main_.relieve();
  if (has_large_backlog()) wait_for_workers();
  relieving_ = false;
}

bool pool::another_runs() const {
  return std::ranges::any_of(workers_, [this](const auto& w) { return w.get() != &main_ && !w->sleeps(); });
}

// What arrives meanwhile waits where it is, and its senders run out of blocks. A worker that sleeps may wait
// for one of these messages, or for a block. So may one that runs (it may poll), hence the patience; that
// grows, since a handler may also compute for long.
void pool::wait_for_workers() {
  constexpr auto look_every = std::chrono::microseconds(20);
  const auto until = os::now_ns() + patience_ns_;
  while (another_runs()) {
    os::sleep(look_every);
    if (!backlog_->is_large()) {
      patience_ns_ = least_patience_ns;
      return;
    }
    if (os::now_ns() >= until) {
      patience_ns_ = std::min(2 * patience_ns_, most_patience_ns);
      return;
    }
  }
}

void pool::describe(transport::wait_details& details) const {
  if (const auto tasks = alive(); tasks > 0) details.add("tasks alive", tasks);
}

// Of a million only the first matter to a reader.
std::string pool::list_waiting() const {
  constexpr std::size_t most = 20;
  std::string lines;
  std::size_t waiting = 0;
  for (const auto& w : workers_)
    waiting += w->all_light().list_waiting(lines, most - std::min(most, waiting));
  if (waiting > most) lines += fmt::format("\n  PE {}: and {} more", core_.pe(), waiting - most);
  return lines;
}

namespace {

int senders(const transport::transport& link) {
  const auto count = workers_option();
  if (link.takes_turns() && count > 1)
    throw error("WINDROW_SIM simulates PEs with one worker each: unset WINDROW_WORKERS");
  return count;
}

constexpr report_column columns[] = {{"stolen", 8, &counters::tasks_stolen}};

} // namespace

constinit const room_type room_of_jobs{
    .begin = [](pgas::core& c, aggregation::engine& e) -> std::unique_ptr<room> {
      return std::make_unique<pool>(c, e);
    },
    .senders = senders,
    .columns = columns,
};

} // namespace windrow::tasks
