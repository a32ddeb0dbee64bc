// SPDX-License-Identifier: BSD-3-Clause
#include "apps/runner/start.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "windrow/error.hpp"

namespace windrow::apps {

namespace {

std::vector<std::string> command_of(const runner_job& j) {
  std::vector<std::string> command{j.windrow, "run", "-n", j.pes};
  command.insert(command.end(), j.where.begin(), j.where.end());
  command.insert(command.end(), {"--", j.program});
  command.insert(command.end(), j.arguments.begin(), j.arguments.end());
  return command;
}

/// The job, and what it prints, errors included.
struct running_job {
  pid_t pid;
  FILE* output;
};

/// In the process that becomes the job.
[[noreturn]] void become(const runner_job& j, pid_t parent, int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(128 + SIGKILL); // it has ended already
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  for (const auto& text : j.environment) {
    const auto name = text.substr(0, text.find('='));
    setenv(name.c_str(), text.c_str() + name.size() + 1, 1);
  }
  const auto words = command_of(j);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  dprintf(STDERR_FILENO, "cannot run %s: %s\n", arguments[0], std::strerror(errno));
  _exit(127);
}

running_job start(const runner_job& j) {
  int ends[2];
  FILE* output = pipe2(ends, O_CLOEXEC) == 0 ? fdopen(ends[0], "r") : nullptr;
  const auto parent = getpid();
  const auto pid = output == nullptr ? -1 : fork();
  if (pid < 0) throw error("cannot start " + j.program + ": " + std::strerror(errno));
  if (pid == 0) become(j, parent, ends[1]);
  close(ends[1]);
  return {pid, output};
}

void take(const std::string& line, runner_outcome& outcome,
          const std::function<void(const json&)>& listener) {
  const auto event = json::parse(line, nullptr, false);
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

runner_outcome run_to_end(const runner_job& j, const std::function<void(const json&)>& listener) {
  const auto child = start(j);
  runner_outcome outcome;
  char* line = nullptr;
  std::size_t room = 0;
  while (getline(&line, &room, child.output) >= 0) take(line, outcome, listener);
  std::free(line);
  std::fclose(child.output);
  int status = 0;
  while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) continue;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

} // namespace windrow::apps
