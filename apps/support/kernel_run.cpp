// SPDX-License-Identifier: BSD-3-Clause
#include "apps/support/kernel_run.hpp"

#include <sys/wait.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "windrow/error.hpp"

namespace windrow::apps {

namespace {

/// A word for the shell, whatever is in it.
std::string quoted(const std::string& word) {
  std::string safe = "'";
  for (const char c : word) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return safe + "'";
}

void take_line(const std::string& line, kernel_run& run) {
  const auto parsed = nlohmann::json::parse(line, nullptr, false);
  if (parsed.is_object())
    run.found = parsed.get<result>();
  else
    run.said += line + '\n';
}

} // namespace

kernel_run run_kernel(const std::string& windrow, const std::string& program, int pes,
                      std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {windrow, "run", "-n", std::to_string(pes), program, "--json"});
  std::string command = "exec";
  for (const auto& word : arguments) command += ' ' + quoted(word);
  FILE* pipe = popen((command + " 2>&1").c_str(), "re");
  if (pipe == nullptr) throw error("cannot start " + program + ": " + std::strerror(errno));

  std::string text;
  char buffer[4096];
  while (const auto count = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, count);
  const int status = pclose(pipe);

  kernel_run run;
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) take_line(line, run);
  return run;
}

} // namespace windrow::apps
