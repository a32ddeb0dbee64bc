// SPDX-License-Identifier: BSD-3-Clause
#include "base/fatal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <stdio_ext.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
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

// The reader of a pipe may have stopped for good, and a process that must end has to end.
constexpr int limit_ms = 2000;

bool is_pipe(int fd) {
  struct stat what{};
  return ::fstat(fd, &what) == 0 && S_ISFIFO(what.st_mode);
}

/// Waits, not for ever, until something can be written there without waiting.
bool may_write(int fd) {
  pollfd polled{fd, POLLOUT, 0};
  return ::poll(&polled, 1, limit_ms) != 0; // an error is that of poll
}

/// Writes all of it if that can be done in time. Of a pipe with room for a page a longer line would fill the
/// rest later, and another process may be faster: so a pipe is opened once more, to be written to without
/// waiting, which is nothing to those who have it open already.
void write_in_time(int fd, std::string_view text) {
  const int own = is_pipe(fd)
                      ? ::open(fmt::format("/proc/self/fd/{}", fd).c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
                      : -1;
  const int to = own >= 0 ? own : fd;
  while (!text.empty() && may_write(to)) {
    const auto written = ::write(to, text.data(), text.size());
    if (written > 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EAGAIN && errno != EINTR)
      break; // nothing sensible can be done when standard error itself is gone
  }
  if (own >= 0) ::close(own);
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
  write_in_time(STDERR_FILENO, line);
}

void before_end(void (*act)()) {
  act_before_end = act;
}

void fatal(std::string_view sentence) {
  say(sentence);
  if (auto* const act = act_before_end.exchange(nullptr)) act();
  std::_Exit(EXIT_FAILURE);
}

std::string text_of_exception() {
  try {
    throw;
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) { // has no text
    return "of unknown type";
  }
}

} // namespace windrow::base
