// SPDX-License-Identifier: BSD-3-Clause
// The same tasks as the runtimes run them that the build has found: what a user would have otherwise.
#pragma once

#include <cstdint>
#include <vector>

namespace windrow::bench {

/// A runtime with so many threads for each call.
struct tasks_elsewhere {
  const char* runtime;
  /// The n-th number, with a task for each addition.
  std::uint64_t (*fibonacci)(int n, int threads);
  /// `task(argument)` so many times, all started by one thread.
  void (*in_bulk)(std::uint64_t count, void (*task)(void*), void* argument, int threads);
};

extern const tasks_elsewhere openmp_tasks, onetbb_tasks;

inline std::vector<tasks_elsewhere> runtimes_elsewhere() {
  return {
#ifdef WINDROW_OPENMP
      openmp_tasks,
#endif
#ifdef WINDROW_ONETBB
      onetbb_tasks,
#endif
  };
}

} // namespace windrow::bench
