// SPDX-License-Identifier: BSD-3-Clause
#include "pgas/core.hpp"

#include <fmt/format.h>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "pgas/atomics_gate.hpp"

namespace windrow::pgas {

namespace {

#ifdef NDEBUG
constexpr bool checks_by_default = false;
#else
constexpr bool checks_by_default = true;
#endif

} // namespace

core::core(std::unique_ptr<transport::transport> link)
    : link_(std::move(link)),
      heap_(link_->symmetric().bytes),
      watchdog_(*link_),
      checks_(base::flag_option("WINDROW_DEBUG", checks_by_default)) {
  const auto& segments = link_->symmetric();
  map_.first = segments.first;
  map_.stride = segments.stride;
  map_.bytes = segments.bytes;
  map_.pe = link_->pe();
  map_.pes = link_->pes();
  map_.gate = &host();
  // With more PEs than processors, whoever spins keeps the one it waits for from running.
  spins_ = map_.pes > os::usable_cpus() ? 0 : 64;
  link_->set_state(transport::pe_state::running);
}

core::~core() = default;

bool core::offset_of(const void* local, std::size_t& offset) const {
  const auto* at = static_cast<const std::byte*>(local);
  const auto* begin = map_.segment(map_.pe);
  if (std::less<>{}(at, begin) || !std::less<>{}(at, begin + map_.bytes)) return false;
  offset = static_cast<std::size_t>(at - begin);
  return true;
}

void core::close() {
  map_.bytes = 0;
  link_->set_state(transport::pe_state::finalized);
}

// Stages after the pauses: yielding, then sleeping until rung. Yielding alone is not enough, since it does
// nothing between control groups; sleeping at once costs a system call on both sides for every short wait.
void core::wait_long(wait_reason reason, bool (*done)(void*), void* argument) {
  constexpr int yields_before_sleep = 64;
  ++map_.stats.waits;
  watchdog_.begin(reason);
  int idle = 0;
  while (!done(argument)) {
    if (progress()) {
      idle = 0;
      watchdog_.note_progress();
    } else if (++idle <= yields_before_sleep) {
      os::yield();
    } else {
      const auto ticket = link_->prepare_sleep();
      if (done(argument) || link_->has_arrivals()) {
        link_->cancel_sleep();
        continue;
      }
      ++map_.stats.sleeps;
      if (progress_ != nullptr) progress_->describe(link_->waiting(map_.pe));
      link_->sleep(ticket);
      const auto departed = watchdog_.departed(reason);
      if (departed >= 0 && !done(argument)) watchdog_.abandon(reason, departed);
      watchdog_.check();
    }
  }
  watchdog_.end();
}

} // namespace windrow::pgas
