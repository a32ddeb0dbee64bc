// SPDX-License-Identifier: BSD-3-Clause
// A program that runs beside this one, and what it prints.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "os/descriptor.hpp"

namespace windrow::tools {

class side_job {
 public:
  /// Starts `command`, found as execvp(3) does, with `variables` (NAME=value) besides those of this process;
  /// it dies with this process. `hear` gets each line of its standard output. Throws windrow::error where no
  /// process can be started.
  side_job(const std::vector<std::string>& command, std::function<void(const std::string&)> hear,
           const std::vector<std::string>& variables = {});
  /// Waits for its end.
  ~side_job();
  side_job(const side_job&) = delete;
  side_job& operator=(const side_job&) = delete;

  int output() const { return output_.get(); }
  /// Reads what is there; false at the end of the output.
  bool read_some();
  /// Sends it a signal, such as SIGTERM.
  void end(int signal);
  /// Waits for its end and returns the exit code, as shells count.
  int wait();

 private:
  std::function<void(const std::string&)> hear_;
  os::descriptor output_;
  pid_t pid_ = 0; ///< 0: it has ended
  int code_ = 0;
  std::string begun_; ///< a line whose end is to come
};

/// Returns when both have ended. When one fails, the other one is ended. Throws windrow::error if one has
/// failed.
void run_side_by_side(side_job&, side_job&);

} // namespace windrow::tools
