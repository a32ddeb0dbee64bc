// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/light_thread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "os/fault.hpp"
#include "os/memory.hpp"
#include "tasks/pool.hpp"
#include "tasks/worker.hpp"
#include "windrow/detail/round_up.hpp"

// All of the process, for debuggers; changes under `records_mutex`.
extern "C" {
extern windrow::tasks::light_thread_record* windrow_light_threads; // NOLINT(readability-identifier-naming)
constinit windrow::tasks::light_thread_record* windrow_light_threads = nullptr;
}

namespace windrow::tasks {

namespace {

constinit std::mutex records_mutex;

/// Of each stack. Half of the least is for what begins on the stack of one that waits (worker::least_stack).
std::size_t usable_bytes() {
  constexpr std::size_t least = std::size_t{256} << 10, most = std::size_t{1} << 30;
  const auto bytes = base::size_option("WINDROW_STACK_SIZE", least);
  if (bytes < least || bytes > most)
    base::fatal(fmt::format("WINDROW_STACK_SIZE is {}; it must be from 256 KiB to 1 GiB, for example 1M",
                            base::format_size(bytes)));
  return detail::round_up(bytes, os::guard_bytes); // whole pages, whatever their size
}

void run_for_ever(void* argument) {
  auto& l = *static_cast<light_thread*>(argument);
  l.home.live(l);
}

} // namespace

light_thread::light_thread(worker& w, std::byte* begin, std::size_t bytes)
    : task{.run = nullptr,
           .belongs_to = nullptr,
           .next = nullptr,
           .may_use = detail::job_use::none,
           .kind = task_kind::light},
      home(w),
      fiber(begin, bytes, run_for_ever, this),
      stack(begin),
      stack_limit(begin + os::guard_bytes + worker::least_stack) {}

namespace {

std::string line_for(const light_thread& l, pe_t pe, const transport::wait_kind& what) {
  const char* const name = l.name.load(std::memory_order_relaxed);
  const void* const at = l.waits_at.load(std::memory_order_relaxed);
  return fmt::format("\n  PE {}: {} waits for {}{}", pe,
                     name != nullptr ? fmt::format("light thread \"{}\"", name) : "a light thread",
                     fmt::format(fmt::runtime(what.text), fmt::arg("pe", -1), fmt::arg("object", "?")),
                     at != nullptr ? fmt::format(" at {}", at) : "");
}

} // namespace

// Behind the light thread, the canary of the stack that lies above.
constexpr std::size_t light_threads::head_bytes =
    detail::round_up(sizeof(light_thread) + canary_words * sizeof(std::uint64_t), std::size_t{64});

light_threads::light_threads(worker& w) : home_(w), stack_bytes_(os::guard_bytes + usable_bytes()) {}

light_thread& light_threads::on(std::byte* stack) const {
  return *std::launder(reinterpret_cast<light_thread*>(stack + stack_bytes_ - head_bytes));
}

light_threads::~light_threads() {
  forget_records();
  for (auto* s : stacks_) {
    for (std::size_t i = 0; i < batch; ++i) on(s + i * stack_bytes_).~light_thread();
    os::unmap(s, batch * stack_bytes_);
  }
}

light_thread& light_threads::take() {
  if (empty()) add_batch();
  return static_cast<light_thread&>(*std::exchange(unused_, unused_->next));
}

void light_threads::explain_fault(const void* address) {
  const worker* const here = worker::current();
  const light_thread* const l = here != nullptr ? here->on_stack_of() : nullptr;
  if (l == nullptr || !os::in_guard(l->stack, address)) return;
  os::end_soon(); // the overflow may have been in the middle of malloc
  stack_is_used_up(*l);
}

void light_threads::stack_is_used_up(const light_thread& l) {
  const char* const name = l.name.load(std::memory_order_relaxed);
  const auto usable = l.home.all_light().stack_bytes_ - os::guard_bytes;
  base::fatal(
      fmt::format("{} has used up its stack of {}; use less of it, raise WINDROW_STACK_SIZE, or do "
                  "that part in main code",
                  name != nullptr ? fmt::format("light thread \"{}\"", name) : "a light thread",
                  base::format_size(usable)));
}

void light_threads::add_batch() {
  os::explain_faults(explain_fault);
  const auto [first, guarded] = os::map_stacks(batch, stack_bytes_);
  for (auto i = batch; i-- > 0;) {
    auto* const stack = first + i * stack_bytes_;
    auto* const at = stack + stack_bytes_ - head_bytes;
    auto& l = *new (at) light_thread(home_, stack, stack_bytes_ - head_bytes);
    // In a page that is used anyway, that of the stack below, but for the lowest stack.
    if (i >= guarded)
      set_canary(
          l, reinterpret_cast<std::uint64_t*>(i > 0 ? stack - canary_words * sizeof(std::uint64_t) : stack));
    give(l);
  }
  {
    const std::lock_guard held(mutex_);
    stacks_.push_back(first);
  }
  record(first);
}

void light_threads::set_canary(light_thread& l, std::uint64_t* at) {
  l.canary = at;
  std::fill_n(at, canary_words, ~reinterpret_cast<std::uintptr_t>(at));
}

bool light_threads::is_whole(const light_thread& l) {
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < canary_words; ++i)
    changed |= l.canary[i] ^ ~reinterpret_cast<std::uintptr_t>(l.canary);
  return changed == 0;
}

void light_threads::record(std::byte* first) {
  const std::lock_guard held(records_mutex);
  for (std::size_t i = 0; i < batch; ++i) {
    light_thread& l = on(first + i * stack_bytes_);
    l.context = l.fiber.context_pointer();
    l.pe = home_.siblings().core().pe();
    l.worker_index = home_.index();
    l.next_record = std::exchange(windrow_light_threads, &l);
  }
}

void light_threads::forget_records() {
  if (stacks_.empty()) return;
  const std::lock_guard held(records_mutex);
  for (auto** at = &windrow_light_threads; *at != nullptr;)
    if (&static_cast<light_thread&>(**at).home == &home_)
      *at = (*at)->next_record;
    else
      at = &(*at)->next_record;
}

std::size_t light_threads::list_waiting(std::string& text, std::size_t most) const {
  const std::lock_guard held(mutex_);
  std::size_t waiting = 0;
  for (auto* s : stacks_)
    for (std::size_t i = 0; i < batch; ++i) {
      const light_thread& l = on(s + i * stack_bytes_);
      const auto* const what = l.waits_for.load(std::memory_order_acquire);
      if (what != nullptr && waiting++ < most) text += line_for(l, home_.siblings().core().pe(), *what);
    }
  return waiting;
}

void put_away(task& t) {
  worker::current()->put_away(t);
}

// ---- worker: from one light thread to the next

inline light_thread& worker::prepare(light_thread& l, task& t) {
  const char* const name = name_of_spawned(t);
  if (name == name_of_handlers) --messages_kept_;
  l.spawned = &t;
  l.belongs_to = l.innermost = t.belongs_to;
  l.may_use = t.may_use == detail::job_use::all ? t.may_use : detail::job_use::none_light;
  l.branches = {&l.before_all, &l.before_all};
  l.call = nullptr;
  l.name.store(name, std::memory_order_relaxed);
  return l;
}

inline void worker::take_turn(light_thread& l) {
  light_ = &l;
  scope_ = l.innermost;
  go_on_with(l.branches);
  pgas::use_of_job = l.may_use;
  pgas::current_call = l.call;
}

// What may take the place of a light thread that leaves: what the worker would find next, if it is one.
inline light_thread* worker::follower() {
  if (followers_ == 0) return nullptr;
  --followers_;
  ++turns_;
  receive_given();
  task* const t = given_.empty() ? deque_.take() : &given_.take_first();
  if (t == nullptr) return nullptr;
  if (t->kind == task_kind::light) return static_cast<light_thread*>(t);
  if (t->kind == task_kind::spawned && !unused_light_.empty()) return &prepare(unused_light_.take(), *t);
  left_over_ = t == &high_ ? take_high() : t;
  return nullptr;
}

// It may go on at once: if it has been told meanwhile, or has ended and its stack is for the next one.
inline void worker::leave(light_thread& l) {
  light_threads::require_within_stack(l);
  light_thread* const next = follower();
  if (next == nullptr) return l.fiber.leave();
  take_turn(*next);
  if (next != &l) l.fiber.hand_over(next->fiber);
}

// ---- worker: on its own stack

task* worker::run_spawned(task& t) {
  light_thread* const l = light_thread_for(t);
  if (l != nullptr) return go_on(*l, most_now());
  scope* const home = t.belongs_to;
  put_away(t);
  end(home);
  return nullptr;
}

// Null: there is no memory for its stack, and its finish says so.
light_thread* worker::light_thread_for(task& t) {
  try {
    return &prepare(unused_light_.take(), t);
  } catch (...) { // for whoever waits for it
    keep_exception(t.belongs_to);
    return nullptr;
  }
}

// In a trace each has a line of its own.
int worker::most_now() const {
  return keeps_handler() || core_.trace() != nullptr ? 0 : most_followers;
}

task* worker::go_on(light_thread& l, int followers) {
  const trace::span event(core_.trace(), {"task", trace::category::task, nullptr, -1, 0, 0});
  const circumstances before{scope_,
                             list(),
                             pgas::use_of_job,
                             pgas::current_call,
                             light_,
                             kept_here_,
                             std::exchange(measured_, nullptr)};
  kept_here_ = std::numeric_limits<std::int64_t>::max();
  followers_ = followers;
  ++depth_;
  ++turns_;
  take_turn(l);
  l.fiber.resume();
  --depth_;
  followers_ = 0; // also of one that lies beneath
  scope_ = before.innermost;
  go_on_with(before.branches);
  pgas::use_of_job = before.use_of_job;
  pgas::current_call = before.call;
  light_ = before.light;
  kept_here_ = before.kept_here;
  measured_ = before.measured;
  return std::exchange(left_over_, nullptr);
}

// ---- worker: on the stack of a light thread

void worker::live(light_thread& l) {
  for (;;) {
    try {
      l.spawned->run(*l.spawned);
    } catch (...) { // for whoever waits for it
      keep_exception(l.belongs_to);
    }
    end(l.belongs_to);
    unused_light_.give(l);
    leave(l);
  }
}

// What others measure meanwhile they have ended or stopped when this goes on.
void worker::suspend(const transport::wait_kind& what, const void* at) {
  if (measured_ != nullptr) [[unlikely]] {
    const unmeasured meanwhile(*this);
    return suspend(what, at);
  }
  offer_all();
  light_thread& me = *light_;
  me.waits_at.store(at, std::memory_order_relaxed);
  me.waits_for.store(&what, std::memory_order_release);
  me.innermost = scope_;
  me.may_use = pgas::use_of_job;
  me.call = pgas::current_call;
  me.branches = list();
  leave(me);
  me.waits_for.store(nullptr, std::memory_order_relaxed);
}

} // namespace windrow::tasks
