// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/runner/result.hpp"
#include "apps/support/json.hpp"

namespace windrow::apps {

/// One job of the runner, to be started.
struct runner_job {
  std::string windrow; ///< path of the command
  std::string program; ///< path of the runner
  std::string pes;
  std::vector<std::string> arguments;   ///< of the runner
  std::vector<std::string> environment; ///< NAME=value, in addition to this process's own
  std::vector<std::string> where = {};  ///< options of `windrow run`: none, for this host
};

/// How it went.
struct runner_outcome {
  int exit_code = 0;           ///< 128 + signal if one ended it
  json start;                  ///< what the runner told of itself (run.hpp); null if it did not come so far
  std::vector<result> results; ///< one for each kernel and style
  std::string said;            ///< everything else that it printed, errors included

  /// It came to its end: all results are there.
  bool complete() const;
};

/// Runs it with `windrow run`, in a job that ends with this process, and waits for its end. `listener` gets
/// each event as it is told (run.hpp).
runner_outcome run_to_end(const runner_job&, const std::function<void(const json&)>& listener = {});

} // namespace windrow::apps
