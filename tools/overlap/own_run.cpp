// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/own_run.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
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
  const auto child = ::fork();
  if (child < 0) throw error(fmt::format("overlap: no process can be started: {}", std::strerror(errno)));
  if (child == 0) os::execute(words);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return os::exit_status(status).code();
}

} // namespace windrow::tools
