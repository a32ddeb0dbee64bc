// SPDX-License-Identifier: BSD-3-Clause
// Starts the processes of a job (each is called a PE, which is what its user knows) and stands by them to the
// end.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <vector>

#include "os/descriptor.hpp"
#include "os/line_output.hpp"
#include "os/process.hpp"

namespace windrow::os {

/// One thread, one poll(2): nothing here blocks, so a signal always finds it listening. See README.md in this
/// folder.
class supervisor {
 public:
  struct rules {
    bool tag_output = false; ///< "[3] " before each line
    /// What is wrong with a PE that ended with exit code 0: empty, or "left the job early" and the like.
    std::function<std::string(int pe)> fault_of_success;
    /// Asked when a PE has ended with exit code 0: whether that ends the others too.
    std::function<bool()> job_is_over;
    /// Called when a PE has ended, after a failure has been dealt with.
    std::function<void(int pe)> gone;
  };

  explicit supervisor(rules);
  /// Kills whatever has not ended.
  ~supervisor();
  supervisor(const supervisor&) = delete;
  supervisor& operator=(const supervisor&) = delete;

  /// Forks the next PE. Returns false in this process and true in the new one, where standard output and
  /// error lead to the supervisor, standard input is that of the supervisor (PE 0) or empty (the others), and
  /// the end of the supervisor is the end of the process. Throws windrow::error when the system allows no
  /// more.
  bool start();

  /// Watches until all PEs have ended and their output has been passed on. Returns the exit code of the job:
  /// 0, that of the first PE that failed, or 128 + the signal that ended the job.
  int watch();

 private:
  struct child {
    pid_t pid;
    bool running;
    line_source output, errors;
  };
  struct child_end; ///< the pipes as the child sees them

  void become_child(child_end&&, pid_t parent);
  void give_back();
  std::vector<int> handled_signals() const;
  void poll_once();
  std::vector<line_source*> questions();
  int timeout_ms();
  void serve_signals();
  void serve_sink(line_sink&);
  void interrupted(int signal);
  void kill_rest();
  void reap();
  void ended(int pe, exit_status);
  void end_job(const std::string& reason, int code);
  void kill_running(int signal);
  void kill_leftovers();
  void say(const std::string& sentence);
  int running() const;

  rules rules_;
  rlimit descriptors_{};            ///< as found, to be given back
  sigset_t signals_{};              ///< the same
  struct sigaction at_child_end_{}; ///< the same, of SIGCHLD
  descriptor signal_fd_;
  std::vector<pid_t> not_ours_; ///< children that this process had before
  bool has_other_threads_;      ///< one of them may take SIGCHLD, which it has not blocked, and lose it
  bool at_terminal_;            ///< where PE 0 may ask questions
  line_sink output_{1}, errors_{2};
  std::vector<child> children_;
  bool ending_ = false;
  bool killed_ = false;
  bool interrupted_ = false;
  int code_ = 0;
  std::chrono::steady_clock::time_point kill_at_{};
};

} // namespace windrow::os
