// SPDX-License-Identifier: BSD-3-Clause
#include "apps/runner/start.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "os/process.hpp"
#include "windrow/error.hpp"

namespace windrow::apps {

namespace {

std::vector<std::string> command_of(const runner_job& j) {
  std::vector<std::string> command{j.windrow, "run", "-n", j.pes, "--", j.program};
  command.insert(command.end(), j.arguments.begin(), j.arguments.end());
  return command;
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
  auto child = os::start_piped(command_of(j), os::child_output::standard_and_errors, j.environment);
  FILE* output = fdopen(child.output.release(), "r");
  if (output == nullptr) throw error("cannot read what " + j.program + " prints: " + std::strerror(errno));
  runner_outcome outcome;
  char* line = nullptr;
  std::size_t room = 0;
  while (getline(&line, &room, output) >= 0) take(line, outcome, listener);
  std::free(line);
  std::fclose(output);
  outcome.exit_code = os::wait_for(child.pid).code();
  return outcome;
}

} // namespace windrow::apps
