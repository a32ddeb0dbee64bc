// SPDX-License-Identifier: BSD-3-Clause
// Whether a process has got more threads, whoever has begun them.
#pragma once

#include <cstddef>

namespace windrow::os {

class thread_watch {
 public:
  /// Those that there are now are not counted.
  thread_watch();

  /// Cheap where the process had one thread. Else threads that have ended are not noticed.
  bool has_more() const;

 private:
  bool was_alone_;
  std::size_t threads_;
};

} // namespace windrow::os
