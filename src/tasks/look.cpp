// SPDX-License-Identifier: BSD-3-Clause
// How light threads wait for what nobody tells them: they look again when their turn comes.
#include <algorithm>

#include "os/cpu.hpp"
#include "tasks/pool.hpp"
#include "tasks/waiting.hpp"
#include "tasks/worker.hpp"

namespace windrow::tasks {

namespace {

constexpr transport::wait_kind for_turn{.text = "its turn (yield)", .needs_all_pes = false};
constexpr transport::wait_kind for_condition{
    .text = "a condition (wait_until)", .needs_all_pes = false, .rings = false};

} // namespace

void worker::look_again(const transport::wait_kind& what, bool in_vain) {
  light_->looks_in_vain = in_vain;
  polled_.push_back(light_);
  count_looks(1);
  suspend(what);
}

void worker::count_looks(int more) {
  looks_ += more;
  if (communicates()) core_.count_looks(more);
}

bool worker::look_is_due() const {
  return !polled_.empty() && os::now_ns() >= next_look_ns_;
}

light_thread* worker::take_polled(bool keeps_handler) {
  light_thread* const l = polled_.front();
  polled_.pop_front();
  turns_ = 0;
  if (may_run(*l, keeps_handler)) return count_looks(-1), l;
  polled_.push_back(l);
  return nullptr;
}

// A slice of them: those that have waited longest. If nothing comes of it, the next slice is later.
bool worker::look() {
  constexpr std::size_t slice = 256;
  bool useful = false;
  for (auto left = std::min(polled_.size(), slice); left > 0; --left)
    if (light_thread* const l = take_polled(keeps_handler())) {
      l->looks_in_vain = false;
      go_on(*l, 0);
      useful |= !l->looks_in_vain;
    }
  turns_ = 0;
  patience_ns_ = useful ? least_patience_ns : std::min(2 * patience_ns_, most_patience_ns);
  next_look_ns_ = useful ? 0 : os::now_ns() + patience_ns_;
  return useful;
}

void yield() {
  worker::here("yield").yield();
}

void worker::yield() {
  if (light() != nullptr) return look_again(for_turn, false);
  require_stack();
  if (task* t = next())
    run(*t);
  else if (!keeps_handler() && look_is_due())
    look();
  if (communicates() && !in_handler() && pgas::may_use_job()) pool_.engine().progress_of_waiting();
}

template <class Done>
void worker::wait_until_true(Done done) {
  if (light() != nullptr) {
    do look_again(for_condition, true);
    while (!done());
    return;
  }
  count_looks(1);
  patience_ns_ = least_patience_ns;
  bool is_done = false;
  wait_until(for_condition, [&] { return is_done = is_done || done(); });
  count_looks(-1);
}

void wait_until(bool (*done)(void*), void* argument) {
  auto& here = worker::here("wait_until");
  if (done(argument)) return;
  here.require_may_wait_for(for_condition);
  here.wait_until_true([=] { return done(argument); });
}

} // namespace windrow::tasks
