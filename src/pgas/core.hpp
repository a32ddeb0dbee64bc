// SPDX-License-Identifier: BSD-3-Clause
// A PE from the inside: its place in the job, its memory map, and how it waits.
#pragma once

#include <cstdint>
#include <memory>

#include "os/cpu.hpp"
#include "pgas/heap.hpp"
#include "pgas/watchdog.hpp"
#include "transport/host/host_memory.hpp"
#include "transport/transport.hpp"
#include "windrow/detail/memory_map.hpp"

namespace windrow::pgas {

/// Work that goes on while a PE waits. The aggregation engine is the one implementation.
class progress_source {
 public:
  virtual ~progress_source() = default;
  /// Does what can be done now without waiting; true if anything was.
  virtual bool progress() = 0;
  /// Fills in lanes, blocks in flight and spill.
  virtual void describe(transport::wait_record&) const = 0;
};

class core {
 public:
  explicit core(std::unique_ptr<transport::transport>);
  ~core();
  core(const core&) = delete;
  core& operator=(const core&) = delete;

  pe_t pe() const { return map_.pe; }
  pe_t pes() const { return map_.pes; }
  transport::transport& link() { return *link_; }
  transport::host_memory& host() { return link_->host(); }
  detail::memory_map& map() { return map_; }
  heap& symmetric_heap() { return heap_; }
  counters& stats() { return map_.stats; }

  /// Misuse that costs communication to detect is detected: WINDROW_DEBUG=1, and always in debug builds.
  bool checks() const { return checks_; }

  void set_progress(progress_source* source) { progress_ = source; }
  bool progress() { return progress_ != nullptr && progress_->progress(); }

  /// Returns once `done()` is true; meanwhile serves the inbox. Pauses, then yields, then sleeps until rung
  /// (whoever makes `done` true must `ring` this PE). A wait that does not end because a PE has left, or that
  /// goes on for WINDROW_STALL_SECONDS without progress, is diagnosed.
  template <class Done>
  void wait(wait_reason reason, Done done) {
    require_outside_handler(reason);
    if (done()) return;
    for (int i = 0; i < spins_; ++i) {
      progress();
      if (done()) return;
      os::pause();
    }
    wait_long(reason, [](void* d) { return (*static_cast<Done*>(d))(); }, &done);
  }

  /// Set while a handler of a message runs: it must not wait, since what it waits for may need this very PE.
  bool in_handler() const { return in_handler_; }
  void set_in_handler(bool now) { in_handler_ = now; }
  /// Ends the job if a handler is about to wait.
  void require_outside_handler(wait_reason reason) const {
    if (in_handler_) [[unlikely]]
      watchdog_.forbid(reason);
  }

  /// Makes an address of this PE's symmetric heap a global offset; false if it lies outside.
  bool offset_of(const void* local, std::size_t& offset) const;

  /// No more operations: every later access to symmetric memory is an error.
  void close();

 private:
  void wait_long(wait_reason, bool (*done)(void*), void* argument);

  std::unique_ptr<transport::transport> link_;
  detail::memory_map map_;
  heap heap_;
  watchdog watchdog_;
  progress_source* progress_ = nullptr;
  int spins_;
  bool checks_;
  bool in_handler_ = false;
};

} // namespace windrow::pgas
