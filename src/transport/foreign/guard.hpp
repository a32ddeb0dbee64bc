// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <functional>
#include <thread>
#include <vector>

#include "os/descriptor.hpp"
#include "transport/foreign/rendezvous.hpp"
#include "transport/host/host_memory.hpp"

namespace windrow::transport {

/// Ends this process when the job cannot go on, since no launcher of ours does: when another PE has ended
/// without finalizing the job, when a PE has ended the job successfully, and when the process that started
/// this one is gone. A thread that sleeps until then.
class guard {
 public:
  /// `before_end` is called when this process is about to be ended, with the PE that was lost, or -1.
  guard(const host_memory&, pe_t pe, std::vector<watched_pe> others,
        std::function<void(pe_t)> before_end = nullptr);
  ~guard();
  guard(const guard&) = delete;
  guard& operator=(const guard&) = delete;

 private:
  void watch();
  void rest_after_error();
  void parent_has_ended();
  void judge(watched_pe&);
  [[noreturn]] void end(int code, pe_t lost);
  [[noreturn]] void report_loss(const watched_pe&);

  host_memory memory_;
  pe_t pe_;
  std::vector<watched_pe> others_;
  std::function<void(pe_t)> before_end_;
  pid_t parent_pid_;
  os::descriptor parent_;         ///< closed where there is none to watch
  bool looks_for_parent_ = false; ///< now and then, where processes cannot be watched
  bool error_said_ = false;
  os::descriptor stop_;
  std::thread thread_;
};

} // namespace windrow::transport
