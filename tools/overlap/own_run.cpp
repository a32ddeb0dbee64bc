// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/own_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "os/process.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

volatile std::sig_atomic_t child_of_signals = 0;

void pass_on(int signal) {
  if (child_of_signals > 0) ::kill(child_of_signals, signal);
}

// The launcher ends the job upon them; this process still has to do something with what is there then.
void pass_signals_on() {
  struct sigaction passing{};
  passing.sa_handler = pass_on;
  passing.sa_flags = SA_RESTART;
  for (const int signal : os::ending_signals()) ::sigaction(signal, &passing, nullptr);
}

} // namespace

int run_program(int pes, const std::vector<std::string>& program) {
  std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe"), "run", "-n",
                                 std::to_string(pes), "--"};
  words.insert(words.end(), program.begin(), program.end());
  pass_signals_on();
  const auto self = ::getpid();
  const auto child = ::fork();
  if (child < 0) throw error(fmt::format("overlap: no process can be started: {}", std::strerror(errno)));
  if (child == 0) {
    os::die_with_parent(self);
    os::execute(words);
  }
  child_of_signals = child;
  return os::wait_for(child).code();
}

} // namespace windrow::tools
