// SPDX-License-Identifier: BSD-3-Clause
#include "transport/sim/pe_fibers.hpp"

#include <cstddef>
#include <utility>

#include "base/fatal.hpp"
#include "base/fiber_local.hpp"
#include "os/fiber.hpp"
#include "os/memory.hpp"

namespace windrow::transport {

namespace {

constexpr std::size_t page = 4096, line = 64;

/// The stacks of PEs that do the same begin at different places of the caches: those of two neighbours are
/// not a power of two apart, and each begins at a line of its own.
std::size_t distance_of_stacks() {
  return os::guard_bytes + (os::default_stack_bytes() + page - 1) / page * page + page;
}
std::size_t shift_of(pe_t pe) {
  return static_cast<std::size_t>(pe) % (page / line) * line;
}

} // namespace

struct pe_fibers::one {
  one(pe_fibers& among, pe_t number, std::byte* stack, std::size_t bytes, const base::fiber_locals& first)
      : all(among), pe(number), lowest(stack), fiber(stack, bytes, live, this), locals(first) {}

  static void live(void* self) noexcept { // what leaves the body of a thread ends the program, too
    auto& me = *static_cast<one*>(self);
    os::set_end_of_stack(me.lowest + os::guard_bytes);
    me.all.body_(me.pe);
    base::fiber_locals::end();
    me.ended = true;
    me.fiber.leave();
  }

  pe_fibers& all;
  pe_t pe;
  std::byte* lowest;
  os::fiber fiber;
  base::fiber_locals locals;
  bool ended = false;
};

void pe_fibers::run(pe_t pes, const std::function<void(pe_t)>& body) {
  pe_fibers all(pes, body);
  auto* const before = std::exchange(of_thread, &all);
  all.run_all();
  of_thread = before;
}

pe_fibers::pe_fibers(pe_t pes, const std::function<void(pe_t)>& body)
    : body_(body),
      stack_bytes_(distance_of_stacks()),
      stacks_(os::map_stacks(static_cast<std::size_t>(pes), stack_bytes_).first) {
  const auto first = base::fiber_locals::of_new_thread();
  for (pe_t pe = 0; pe < pes; ++pe)
    all_.push_back(std::make_unique<one>(*this, pe, stacks_ + static_cast<std::size_t>(pe) * stack_bytes_,
                                         stack_bytes_ - shift_of(pe), first));
}

pe_fibers::~pe_fibers() {
  const auto count = all_.size();
  all_.clear();
  os::unmap(stacks_, count * stack_bytes_);
}

// Each begins, and comes as far as the first turn that it waits for.
void pe_fibers::run_all() {
  for (const auto& each : all_) go_on_with(*each);
  while (ended_ < all_.size()) {
    if (next_ >= 0)
      go_on_with(*all_[static_cast<std::size_t>(std::exchange(next_, -1))]);
    else if (beside_.empty())
      base::fatal("a PE of the simulation waits outside the library for another one; that one has no turn");
    if (beside_.empty()) continue;
    one& last = *beside_.front();
    beside_.pop_front();
    go_on_with(last);
  }
}

void pe_fibers::go_on_with(one& each) {
  runs_ = &each;
  each.locals.exchange();
  each.fiber.resume();
  each.locals.exchange();
  if (each.ended) ++ended_;
}

void pe_fibers::leave() {
  runs_->fiber.leave();
}

void pe_fibers::let_others_run() {
  beside_.push_back(runs_);
  leave();
}

} // namespace windrow::transport
