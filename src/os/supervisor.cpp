// SPDX-License-Identifier: BSD-3-Clause
#include "os/supervisor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "windrow/error.hpp"

namespace windrow::os {

namespace {

constexpr auto grace = std::chrono::seconds(2);

error cannot_start(std::size_t pe) {
  return error(
      fmt::format("cannot start PE {}: {}; start fewer PEs, or raise the limit (ulimit -u, ulimit -n)", pe,
                  std::strerror(errno)));
}

std::string other_pes(int count) {
  if (count == 0) return "";
  return count == 1 ? "; ending the other PE" : fmt::format("; ending the other {} PEs", count);
}

} // namespace

struct supervisor::child_end {
  descriptor output, errors;
};

supervisor::supervisor(rules r)
    : rules_(std::move(r)),
      not_ours_(children()),
      has_other_threads_(os::has_other_threads()),
      at_terminal_(::isatty(0) != 0) {
  ::getrlimit(RLIMIT_NOFILE, &descriptors_);
  rlimit most = descriptors_;
  most.rlim_cur = most.rlim_max; // two pipes per PE
  ::setrlimit(RLIMIT_NOFILE, &most);
  // What PEs leave behind comes to this process, which can then end it.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);

  struct sigaction usual{}; // if it is ignored, exit codes are lost
  usual.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &usual, &at_child_end_);
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : handled_signals()) sigaddset(&set, signal);
  ::sigprocmask(SIG_BLOCK, &set, &signals_);
  signal_fd_ = descriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signal_fd_.is_open()) throw error(fmt::format("cannot watch for signals: {}", std::strerror(errno)));
}

supervisor::~supervisor() {
  kill_running(SIGKILL);
  for (const auto& c : children_)
    if (c.running) ::waitpid(c.pid, nullptr, 0);
  give_back();
}

void supervisor::give_back() {
  signal_fd_.close();
  ::setrlimit(RLIMIT_NOFILE, &descriptors_);
  ::sigaction(SIGCHLD, &at_child_end_, nullptr);
  ::sigprocmask(SIG_SETMASK, &signals_, nullptr);
}

// SIGPIPE is how a vanished reader of our own output shows itself.
std::vector<int> supervisor::handled_signals() const {
  auto result = ending_signals();
  result.insert(result.end(), {SIGCHLD, SIGPIPE});
  for (const int signal : not_ignored({SIGUSR1, SIGUSR2})) result.push_back(signal);
  return result;
}

bool supervisor::start() {
  const auto pe = children_.size();
  int out[2], err[2];
  if (::pipe2(out, O_CLOEXEC) != 0) throw cannot_start(pe);
  descriptor out_read(out[0]), out_write(out[1]);
  if (::pipe2(err, O_CLOEXEC) != 0) throw cannot_start(pe);
  descriptor err_read(err[0]), err_write(err[1]);

  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) throw cannot_start(pe);
  if (pid == 0) {
    become_child({std::move(out_write), std::move(err_write)}, parent);
    return true;
  }
  const auto tag = rules_.tag_output ? fmt::format("[{}] ", pe) : "";
  children_.push_back({pid, true, {std::move(out_read), output_, tag}, {std::move(err_read), errors_, tag}});
  return false;
}

void supervisor::become_child(child_end&& end, pid_t parent) {
  die_with_parent(parent);
  if (!children_.empty()) {
    const descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (nothing.is_open()) ::dup2(nothing.get(), 0);
  }
  ::dup2(end.output.get(), 1);
  ::dup2(end.errors.get(), 2);
  children_.clear(); // sibling processes are not this process's to manage
  give_back();
}

int supervisor::watch() {
  while (running() > 0 || output_.has_pending() || errors_.has_pending()) {
    poll_once();
    if (running() > 0) continue;
    kill_leftovers();
    for (auto& c : children_) c.output.drain(), c.errors.drain();
  }
  return code_;
}

void supervisor::poll_once() {
  std::vector<pollfd> polled{{signal_fd_.get(), POLLIN, 0}};
  std::vector<line_sink*> sinks;
  std::vector<line_source*> sources;
  for (auto* sink : {&output_, &errors_})
    if (sink->has_pending()) sinks.push_back(sink), polled.push_back({sink->fd(), POLLOUT, 0});
  for (auto& c : children_)
    for (auto* source : {&c.output, &c.errors})
      if (source->is_open() && !source->sink().is_full())
        sources.push_back(source), polled.push_back({source->fd(), POLLIN, 0});

  const int events = ::poll(polled.data(), polled.size(), timeout_ms());
  if (events < 0 && errno != EINTR)
    throw error(fmt::format("cannot watch the PEs: {}", std::strerror(errno)));
  if (events == 0)
    for (auto* question : questions()) question->pass_on_partial();
  if (ending_ && std::chrono::steady_clock::now() >= kill_at_) {
    killed_ = true;
    kill_rest();
  }
  const auto* ready = polled.data();
  const bool signalled = (ready++)->revents != 0;
  for (auto* sink : sinks)
    if ((ready++)->revents != 0) serve_sink(*sink);
  for (auto* source : sources)
    if ((ready++)->revents != 0) source->read_some();
  if (signalled) serve_signals();
  if (has_other_threads_) reap();
}

// A line of PE 0 that has begun, while all are silent, may be a question to who sits at the terminal.
std::vector<line_source*> supervisor::questions() {
  std::vector<line_source*> result;
  if (!at_terminal_ || children_.empty()) return result;
  for (auto* source : {&children_[0].output, &children_[0].errors})
    if (source->has_partial() && ::isatty(source->sink().fd()) != 0) result.push_back(source);
  return result;
}

int supervisor::timeout_ms() {
  constexpr int until_next_look = 50, until_question = 100;
  const int longest = has_other_threads_ ? until_next_look : questions().empty() ? -1 : until_question;
  if (!ending_ || killed_) return longest; // after the kill there is nothing left to do but to wait
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(kill_at_ - std::chrono::steady_clock::now());
  const int until_kill = std::max(0, static_cast<int>(left.count()));
  return longest < 0 ? until_kill : std::min(longest, until_kill);
}

void supervisor::serve_sink(line_sink& sink) {
  const int reason = sink.write_some();
  if (reason == 0 || reason == EPIPE) return; // SIGPIPE follows
  end_job(fmt::format("cannot write the output of the PEs: {}", std::strerror(reason)), 1);
}

void supervisor::serve_signals() {
  signalfd_siginfo info{};
  while (::read(signal_fd_.get(), &info, sizeof info) == sizeof info) {
    const int signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGCHLD)
      reap();
    else if (signal == SIGUSR1 || signal == SIGUSR2)
      kill_running(signal);
    else
      interrupted(signal);
  }
}

void supervisor::interrupted(int signal) {
  interrupted_ = true;
  if (ending_ || running() == 0) kill_rest();
  end_job(signal == SIGPIPE ? "" : fmt::format("{} received; ending the job", signal_text(signal)),
          128 + signal);
}

// Output that nobody reads is waited for (it may be read later), but not by a job that was told to end.
void supervisor::kill_rest() {
  kill_running(SIGKILL);
  if (!interrupted_) return;
  output_.give_up();
  errors_.give_up();
}

void supervisor::reap() {
  int wait_status = 0;
  for (pid_t pid = 0; (pid = ::waitpid(-1, &wait_status, WNOHANG)) > 0;) {
    const auto at =
        std::find_if(children_.begin(), children_.end(), [pid](const child& c) { return c.pid == pid; });
    if (at != children_.end() && at->running)
      ended(static_cast<int>(at - children_.begin()), exit_status(wait_status));
  }
}

void supervisor::ended(int pe, exit_status status) {
  auto& c = children_[static_cast<std::size_t>(pe)];
  c.running = false;
  c.output.drain();
  c.errors.drain();
  if (status.code() != 0) {
    end_job(fmt::format("PE {} (pid {}) {}{}", pe, c.pid, status.text(), other_pes(running())),
            status.code());
  } else if (const auto fault = rules_.fault_of_success(pe); !fault.empty()) {
    end_job(fmt::format("PE {} (pid {}) {}{}", pe, c.pid, fault, other_pes(running())), 1);
  } else if (rules_.job_is_over()) {
    end_job("", 0);
  }
  rules_.gone(pe);
}

void supervisor::end_job(const std::string& reason, int code) {
  if (ending_) return;
  ending_ = true;
  code_ = code;
  kill_at_ = std::chrono::steady_clock::now() + grace;
  kill_running(SIGTERM);
  if (!reason.empty()) say(reason);
}

void supervisor::kill_running(int signal) {
  for (const auto& c : children_)
    if (c.running) ::kill(c.pid, signal);
}

// Processes that PEs started and left behind. Killing one may bring its own children here, hence the loop.
void supervisor::kill_leftovers() {
  for (bool found = true; found;) {
    found = false;
    for (const pid_t pid : children()) {
      if (std::find(not_ours_.begin(), not_ours_.end(), pid) != not_ours_.end()) continue;
      found |= ::kill(pid, SIGKILL) == 0 && ::waitpid(pid, nullptr, 0) == pid;
    }
  }
}

// Through the sink, so that it cannot fall into the middle of a PE's line.
void supervisor::say(const std::string& sentence) {
  errors_.add("windrow: " + sentence + "\n");
}

int supervisor::running() const {
  return static_cast<int>(
      std::count_if(children_.begin(), children_.end(), [](const child& c) { return c.running; }));
}

} // namespace windrow::os
