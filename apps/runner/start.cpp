// SPDX-License-Identifier: BSD-3-Clause
#include "apps/runner/start.hpp"

#include <sys/wait.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "windrow/error.hpp"

namespace windrow::apps {

namespace {

/// A word for the shell, whatever is in it.
std::string quoted(const std::string& word) {
  std::string safe = "'";
  for (const char c : word) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return safe + "'";
}

std::string command_of(const runner_job& j) {
  std::string command = "exec env";
  for (const auto& word : j.environment) command += ' ' + quoted(word);
  for (const auto& word : {j.windrow, std::string("run"), std::string("-n"), j.pes, j.program})
    command += ' ' + quoted(word);
  for (const auto& word : j.arguments) command += ' ' + quoted(word);
  return command + " 2>&1";
}

void take(const std::string& line, runner_outcome& outcome,
          const std::function<void(const nlohmann::json&)>& listener) {
  const auto event = nlohmann::json::parse(line, nullptr, false);
  if (!event.is_object() || !event.contains("event")) {
    outcome.said += line;
    return;
  }
  if (event["event"] == "start") outcome.start = event;
  if (event["event"] == "result") outcome.results.push_back(event.get<result>());
  if (listener) listener(event);
}

} // namespace

bool runner_outcome::complete() const {
  if (start.is_null()) return false;
  const auto runs = start.at("runs").get<std::size_t>(), turns = start.at("repeats").get<std::size_t>() + 1;
  return results.size() * turns == runs;
}

runner_outcome run_to_end(const runner_job& j, const std::function<void(const nlohmann::json&)>& listener) {
  FILE* pipe = popen(command_of(j).c_str(), "re");
  if (pipe == nullptr) throw error("cannot start " + j.program + ": " + std::strerror(errno));
  runner_outcome outcome;
  char* line = nullptr;
  std::size_t room = 0;
  while (getline(&line, &room, pipe) >= 0) take(line, outcome, listener);
  std::free(line);
  const int status = pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

} // namespace windrow::apps
