// SPDX-License-Identifier: BSD-3-Clause
#include "task/light_thread.hpp"

#include <cstdint>
#include <limits>
#include <utility>

#include "os/memory.hpp"
#include "task/worker.hpp"

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

light_thread::light_thread(worker& w, std::byte* stack, std::size_t bytes)
    : task{.run = [](task& t) { worker::current()->go_on(static_cast<light_thread&>(t)); },
           .belongs_to = nullptr,
           .next = nullptr,
           .communicates = false,
           .pooled = false},
      home(w),
      fiber(stack, bytes, run_for_ever, this),
      stack_limit(stack + worker::least_stack) {}

light_threads::~light_threads() {
  all_.clear();
  for (auto* s : stacks_) os::unmap(s, batch * stack_bytes);
}

light_thread& light_threads::take() {
  if (unused_.empty()) {
    stacks_.push_back(os::map_stacks(batch, stack_bytes));
    for (std::size_t i = 0; i < batch; ++i)
      unused_.push_back(&all_.emplace_back(home_, stacks_.back() + i * stack_bytes, stack_bytes));
  }
  light_thread& l = *unused_.back();
  unused_.pop_back();
  return l;
}

void run_light(void (*body)(void*), void* argument) {
  worker::current()->begin_light(body, argument);
}

void go_on_later(task& t) {
  worker& home = static_cast<light_thread&>(t).home;
  if (&home == worker::current())
    home.receive_own(t);
  else
    home.receive(t);
}

// ---- worker

void worker::begin_light(void (*body)(void*), void* argument) {
  light_thread& l = unused_light_.take();
  l.body = body;
  l.argument = argument;
  begin(l, false);
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

void worker::suspend() {
  offer_all();
  light_->fiber.leave();
}

} // namespace windrow::tasks
