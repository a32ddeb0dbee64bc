// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/own_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "os/process.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

int run_program(int pes, const std::vector<std::string>& program) {
  std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe"), "run", "-n",
                                 std::to_string(pes), "--"};
  words.insert(words.end(), program.begin(), program.end());
  const auto self = ::getpid();
  const auto child = ::fork();
  if (child < 0) throw error(fmt::format("overlap: no process can be started: {}", std::strerror(errno)));
  if (child == 0) {
    os::die_with_parent(self);
    os::execute(words);
  }
  return os::wait_for(child).code();
}

} // namespace windrow::tools
