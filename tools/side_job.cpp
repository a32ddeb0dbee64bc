// SPDX-License-Identifier: BSD-3-Clause
#include "tools/side_job.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <utility>

#include "os/process.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {
constexpr int between_requests_ms = 500, most_requests = 20;
} // namespace

side_job::side_job(const std::vector<std::string>& command, std::function<void(const std::string&)> hear,
                   const std::vector<std::string>& variables)
    : hear_(std::move(hear)) {
  auto child = os::start_piped(command, os::child_output::standard, variables);
  pid_ = child.pid;
  output_ = std::move(child.output);
}

side_job::~side_job() {
  wait();
}

bool side_job::read_some() {
  std::array<char, 4096> text;
  const auto count = ::read(output_.get(), text.data(), text.size());
  if (count <= 0) return false;
  begun_.append(text.data(), static_cast<std::size_t>(count));
  for (auto end = begun_.find('\n'); end != std::string::npos; end = begun_.find('\n')) {
    hear_(begun_.substr(0, end));
    begun_.erase(0, end + 1);
  }
  return true;
}

void side_job::end(int signal) {
  if (pid_ != 0) ::kill(pid_, signal);
}

int side_job::wait() {
  if (pid_ == 0) return code_;
  return code_ = os::wait_for(std::exchange(pid_, 0)).code();
}

void run_side_by_side(side_job& first, side_job& second) {
  std::array<std::pair<side_job*, side_job*>, 2> running{{{&first, &second}, {&second, &first}}};
  int failures = 0, asked = 0;
  for (std::size_t left = running.size(); left > 0;) {
    std::array<pollfd, 2> ready{};
    for (std::size_t i = 0; i < running.size(); ++i)
      ready[i] = {running[i].first == nullptr ? -1 : running[i].first->output(), POLLIN, 0};
    // A launcher that is still starting its processes may miss a request to end, and wait for them.
    if (::poll(ready.data(), ready.size(), failures > 0 ? between_requests_ms : -1) == 0)
      for (const auto& [job, other] : running)
        if (job != nullptr) job->end(++asked < most_requests ? SIGTERM : SIGKILL);
    for (std::size_t i = 0; i < running.size(); ++i) {
      if (ready[i].revents == 0 || running[i].first->read_some()) continue;
      --left;
      auto* const ended = std::exchange(running[i].first, nullptr);
      if (ended->wait() == 0) continue;
      ++failures;
      running[i].second->end(SIGTERM);
    }
  }
  if (failures > 0) throw error("bench: a program has failed");
}

} // namespace windrow::tools
