// SPDX-License-Identifier: BSD-3-Clause
#include "transport/foreign/guard.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/fatal.hpp"
#include "os/cpu.hpp"
#include "os/process.hpp"

namespace windrow::transport {

namespace {

constexpr int look_every_ms = 500;

} // namespace

guard::guard(const host_memory& memory, pe_t pe, std::vector<watched_pe> others,
             std::function<void(pe_t)> before_end)
    : memory_(memory),
      pe_(pe),
      others_(std::move(others)),
      before_end_(std::move(before_end)),
      parent_pid_(::getppid()),
      stop_(::eventfd(0, EFD_CLOEXEC)) {
  // An orphan's parent is the system's first process, which will not end.
  if (parent_pid_ > 1) {
    auto watched = os::watch_process(parent_pid_);
    looks_for_parent_ = !watched;
    if (watched) parent_ = std::move(*watched);
  }
  thread_ = os::start_thread("watches over the other PEs", [this] { watch(); });
}

guard::~guard() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(stop_.get(), &one, sizeof one);
  thread_.join();
}

void guard::watch() {
  base::set_speaker(fmt::format("PE {}", pe_));
  for (auto& other : others_)
    if (!other.end.is_open()) judge(other); // it had ended before it could be watched
  for (;;) {
    std::vector<pollfd> polled{{stop_.get(), POLLIN, 0}, {parent_.get(), POLLIN, 0}};
    for (const auto& other : others_) polled.push_back({other.end.get(), POLLIN, 0});
    if (::poll(polled.data(), polled.size(), looks_for_parent_ ? look_every_ms : -1) < 0) {
      rest_after_error();
      continue;
    }
    if (polled[0].revents != 0) return;
    for (std::size_t i = 0; i < others_.size(); ++i)
      if (polled[i + 2].revents != 0) judge(others_[i]);
    if (polled[1].revents != 0 || (looks_for_parent_ && ::getppid() != parent_pid_)) parent_has_ended();
  }
}

// Too few descriptors are allowed by now, or too little memory is left. That may pass.
void guard::rest_after_error() {
  if (errno == EINTR) return;
  if (!std::exchange(error_said_, true))
    base::say(fmt::format("cannot watch the other PEs for the moment: {}", std::strerror(errno)));
  os::sleep(std::chrono::milliseconds(look_every_ms));
}

// Nobody is left who would read a sentence, or wait for the exit code.
void guard::parent_has_ended() {
  if (!may_end(memory_.control(pe_).state.load())) end(EXIT_FAILURE, pe_);
  parent_.close();
  looks_for_parent_ = false;
}

void guard::judge(watched_pe& other) {
  other.end.close();
  if (memory_.job().over.load() != 0) end(EXIT_SUCCESS, -1);
  // This PE has failed itself, and is on its way to say why.
  if (memory_.control(pe_).state.load() == pe_state::failed) return;
  if (!may_end(memory_.control(other.pe).state.load())) report_loss(other);
  memory_.set_state(other.pe, pe_state::finalized);
}

// The others learn it from the end of this process, at the latest.
void guard::report_loss(const watched_pe& other) {
  memory_.set_state(other.pe, pe_state::failed);
  if (memory_.job().loss_reported.exchange(1) == 0)
    base::say(fmt::format("PE {} (pid {}) has ended without finalizing the job; ending the others", other.pe,
                          other.pid));
  end(EXIT_FAILURE, other.pe);
}

void guard::end(int code, pe_t lost) {
  if (before_end_) before_end_(lost);
  std::_Exit(code);
}

} // namespace windrow::transport
