// SPDX-License-Identifier: BSD-3-Clause
#include "task/light_thread.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <new>
#include <utility>

#include "base/fatal.hpp"
#include "os/fault.hpp"
#include "os/memory.hpp"
#include "task/pool.hpp"
#include "task/worker.hpp"
#include "windrow/detail/round_up.hpp"

namespace windrow::tasks {

namespace {

void run_for_ever(void* argument) {
  auto& l = *static_cast<light_thread*>(argument);
  for (;;) {
    l.home.run_light(l);
    l.fiber.leave();
  }
}

} // namespace

light_thread::light_thread(worker& w, std::byte* begin, std::size_t bytes)
    : task{.run = [](task& t) { worker::current()->go_on(static_cast<light_thread&>(t)); },
           .belongs_to = nullptr,
           .next = nullptr,
           .communicates = false,
           .pooled = false},
      home(w),
      fiber(begin, bytes, run_for_ever, this),
      stack(begin),
      stack_limit(begin + worker::least_stack) {}

namespace {

constexpr std::size_t head_bytes = detail::round_up(sizeof(light_thread), std::size_t{64});

std::string line_for(const light_thread& l, pe_t pe, const transport::wait_kind& what) {
  const char* const name = l.name.load(std::memory_order_relaxed);
  const void* const at = l.waits_at.load(std::memory_order_relaxed);
  return fmt::format("\n  PE {}: {} waits for {}{}", pe,
                     name != nullptr ? fmt::format("light thread \"{}\"", name) : "a light thread",
                     fmt::format(fmt::runtime(what.text), fmt::arg("pe", -1), fmt::arg("object", "?")),
                     at != nullptr ? fmt::format(" at {}", at) : "");
}

} // namespace

light_thread& light_threads::on(std::byte* stack) {
  return *std::launder(reinterpret_cast<light_thread*>(stack + stack_bytes - head_bytes));
}

light_threads::~light_threads() {
  for (auto* s : stacks_) {
    for (std::size_t i = 0; i < batch; ++i) on(s + i * stack_bytes).~light_thread();
    os::unmap(s, batch * stack_bytes);
  }
}

light_thread& light_threads::take() {
  if (unused_.empty()) add_batch();
  light_thread& l = *unused_.back();
  unused_.pop_back();
  return l;
}

void light_threads::explain_fault(const void* address) {
  const worker* const here = worker::current();
  const light_thread* const l = here != nullptr ? here->on_stack_of() : nullptr;
  if (l == nullptr || !os::in_guard(l->stack, address)) return;
  os::end_soon(); // the overflow may have been in the middle of malloc
  const char* const name = l->name.load(std::memory_order_relaxed);
  base::fatal(fmt::format("{} has used up its stack of {} KiB; use less of it, or do that part in main code",
                          name != nullptr ? fmt::format("light thread \"{}\"", name) : "a light thread",
                          stack_bytes >> 10));
}

void light_threads::add_batch() {
  os::explain_faults(explain_fault);
  auto* const first = os::map_stacks(batch, stack_bytes);
  for (auto i = batch; i-- > 0;) {
    auto* const stack = first + i * stack_bytes;
    auto* const at = stack + stack_bytes - head_bytes;
    unused_.push_back(new (at) light_thread(home_, stack, stack_bytes - head_bytes));
  }
  const std::lock_guard held(mutex_);
  stacks_.push_back(first);
}

std::size_t light_threads::list_waiting(std::string& text, std::size_t most) const {
  const std::lock_guard held(mutex_);
  std::size_t waiting = 0;
  for (auto* s : stacks_)
    for (std::size_t i = 0; i < batch; ++i) {
      const light_thread& l = on(s + i * stack_bytes);
      const auto* const what = l.waits_for.load(std::memory_order_acquire);
      if (what != nullptr && waiting++ < most) text += line_for(l, home_.siblings().core().pe(), *what);
    }
  return waiting;
}

void run_light(void (*body)(void*), void* argument, const char* name) {
  worker::current()->begin_light(body, argument, name);
}

void go_on_later(task& t) {
  worker& home = static_cast<light_thread&>(t).home;
  if (&home == worker::current())
    home.receive_own(t);
  else
    home.receive(t);
}

// ---- worker

// What has been given to the communication worker may use the job, and so may its light thread.
void worker::begin_light(void (*body)(void*), void* argument, const char* name) {
  light_thread& l = unused_light_.take();
  l.body = body;
  l.argument = argument;
  l.name.store(name, std::memory_order_relaxed);
  begin(l, pgas::may_use_job);
  l.innermost = scope_;
  go_on(l);
}

void worker::go_on(light_thread& l) {
  light_thread* const outer = std::exchange(light_, &l);
  scope* const outer_scope = std::exchange(scope_, l.innermost);
  const std::byte* const outer_limit = std::exchange(stack_limit_, l.stack_limit);
  const auto outer_kept = std::exchange(kept_here_, std::numeric_limits<std::int64_t>::max());
  exchange_list(l.newest, l.offered);
  l.fiber.resume();
  exchange_list(l.newest, l.offered);
  kept_here_ = outer_kept;
  stack_limit_ = outer_limit;
  l.innermost = std::exchange(scope_, outer_scope);
  light_ = outer;
  if (l.body == nullptr) unused_light_.give(l);
}

void worker::run_light(light_thread& l) {
  try {
    l.body(l.argument);
  } catch (...) { // for whoever waits for it
    keep_exception(l.belongs_to);
  }
  l.body = nullptr;
  end(l.belongs_to);
}

void worker::suspend(const transport::wait_kind& what, const void* at) {
  offer_all();
  light_thread& me = *light_;
  me.waits_at.store(at, std::memory_order_relaxed);
  me.waits_for.store(&what, std::memory_order_release);
  me.fiber.leave();
  me.waits_for.store(nullptr, std::memory_order_relaxed);
}

} // namespace windrow::tasks
