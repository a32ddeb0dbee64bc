// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

namespace windrow::tools {

/// Tells on standard error what is going on, in a line that the next one replaces. Where nobody watches, only
/// what `announce` says, in lines of their own.
class progress {
 public:
  progress();
  /// Leaves nothing behind on a terminal.
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// `steps` more are to come.
  void expect(std::size_t steps) { steps_ += steps; }
  void announce(const std::string& part);
  void step(const std::string& what);

 private:
  bool watched_;
  std::size_t step_ = 0, steps_ = 0;
};

} // namespace windrow::tools
