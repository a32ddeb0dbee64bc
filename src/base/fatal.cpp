// SPDX-License-Identifier: BSD-3-Clause
#include "base/fatal.hpp"

#include <poll.h>
#include <stdio_ext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "base/fiber_local.hpp"

namespace windrow::base {

namespace {

constinit thread_local const std::string* speaker_of_thread = nullptr;
const fiber_local speaker_is_local([]() -> auto& { return speaker_of_thread; });
std::atomic<void (*)()> act_before_end = nullptr;

// Whoever is to read a pipe may have stopped to, for good, and a process that must end has to end.
constexpr int limit_ms = 2000;

/// Waits, not for ever, until something can be written there without waiting.
bool may_write(int fd) {
  pollfd polled{fd, POLLOUT, 0};
  return ::poll(&polled, 1, limit_ms) != 0; // an error is that of poll
}

// What was printed before belongs before. A thread that is in the middle of printing may never get on.
void flush_output() {
  for (int waited_ms = 0; ::ftrylockfile(stdout) != 0; ++waited_ms)
    if (waited_ms == limit_ms || ::poll(nullptr, 0, 1) < 0) return;
  if (::__fpending(stdout) > 0 && may_write(STDOUT_FILENO)) ::fflush_unlocked(stdout);
  ::funlockfile(stdout);
}

} // namespace

void set_speaker(std::string speaker) {
  static constinit std::mutex mutex;
  static auto& all = *new std::set<std::string>; // for ever: threads may speak until the very end
  const std::lock_guard held(mutex);
  speaker_of_thread = &*all.insert(std::move(speaker)).first;
}

void say(std::string_view sentence) {
  std::string line = "windrow: ";
  if (speaker_of_thread != nullptr) line += *speaker_of_thread + ": ";
  line.append(sentence).push_back('\n');
  flush_output();
  // Nothing sensible can be done when standard error itself is gone.
  if (may_write(STDERR_FILENO)) [[maybe_unused]]
    auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

void before_end(void (*act)()) {
  act_before_end = act;
}

void fatal(std::string_view sentence) {
  say(sentence);
  if (auto* const act = act_before_end.exchange(nullptr)) act();
  std::_Exit(EXIT_FAILURE);
}

void fatal_errno(std::string_view sentence) {
  fatal(std::string(sentence) + ": " + std::strerror(errno));
}

} // namespace windrow::base
