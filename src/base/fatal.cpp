// SPDX-License-Identifier: BSD-3-Clause
#include "base/fatal.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace windrow::base {

namespace {
thread_local std::string speaker_of_thread;
}

void set_speaker(std::string speaker) {
  speaker_of_thread = std::move(speaker);
}

void say(std::string_view sentence) {
  std::string line = "windrow: ";
  if (!speaker_of_thread.empty()) line += speaker_of_thread + ": ";
  line.append(sentence).push_back('\n');
  std::fflush(stdout);
  // Nothing sensible can be done when standard error itself is gone.
  [[maybe_unused]] auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

void fatal(std::string_view sentence) {
  say(sentence);
  std::_Exit(EXIT_FAILURE);
}

void fatal_errno(std::string_view sentence) {
  fatal(std::string(sentence) + ": " + std::strerror(errno));
}

} // namespace windrow::base
