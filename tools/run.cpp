// SPDX-License-Identifier: BSD-3-Clause
// windrow run: starts N PEs of a program, on this host or on several.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "os/cpu.hpp"
#include "os/process.hpp"
#include "tasks/workers_option.hpp"
#include "tools/commands.hpp"
#include "tools/run_on_hosts.hpp"
#include "tools/topology.hpp"
#include "transport/host/heap_size.hpp"
#include "transport/shm/launch.hpp"

namespace windrow::tools {

namespace {

struct run_options {
  int pes = 1;
  std::string bind;
  std::string heap;
  std::string workers;
  std::string hosts;
  std::string mpi;
  std::vector<std::string> variables;
  bool tag_output = false;
  bool as_root = false;
};

std::string check_size(const std::string& text) {
  return base::parse_size(text) ? "" : fmt::format("'{}' is not a size such as 512M or 2GiB", text);
}

// Nothing can be given the value; and on other hosts an option of the launcher would lack its own.
std::string check_variable(const std::string& text) {
  return text.empty() || text.front() == '='
             ? fmt::format("'{}' names no variable: write VAR=value, or VAR", text)
             : "";
}

// An empty list would be taken for none.
std::string check_hosts(const std::string& text) {
  return text.empty() ? "names no host: write a list such as node1,node2:4, or leave it out for this host"
                      : "";
}

binding chosen_binding(const run_options& options, int workers) {
  if (options.bind == "core") return binding::core;
  if (options.bind == "numa") return binding::numa;
  if (options.bind == "none" || options.pes * workers > os::usable_cpus()) return binding::none;
  return binding::core;
}

// What follows the options of `run`. An unknown option before the program is a typing error, not a program.
std::vector<std::string> program_of(const CLI::App& command) {
  const auto all = command.remaining();
  if (!all.empty() && all.front().starts_with('-')) throw CLI::ExtrasError("run", {all.front()});
  auto words = words_behind(command);
  if (words.empty()) throw CLI::RequiredError("run: a program to run");
  return words;
}

// "VAR=value", or "VAR", which PEs of this host have anyway.
void set_variable(const std::string& text) {
  const auto equals = text.find('=');
  if (equals != std::string::npos) ::setenv(text.substr(0, equals).c_str(), text.c_str() + equals + 1, 1);
}

void run(const run_options& options, const std::vector<std::string>& program) {
  if (const auto reason = os::why_not_runnable(program.front()); !reason.empty()) {
    base::say(reason);
    throw exit_code{127};
  }
  for (const auto& text : options.variables) set_variable(text);
  if (!options.heap.empty()) ::setenv("WINDROW_SYMMETRIC_SIZE", options.heap.c_str(), 1);
  if (!options.workers.empty()) ::setenv("WINDROW_WORKERS", options.workers.c_str(), 1);
  if (!options.hosts.empty())
    os::execute(command_on_hosts({options.hosts, options.mpi, options.pes, options.bind, options.tag_output,
                                  options.as_root, options.variables},
                                 program));
  const int workers = tasks::workers_option();
  const auto kind = chosen_binding(options, workers);
  const auto machine = kind == binding::none ? nullptr : std::make_unique<topology>();
  const auto membership =
      transport::launch({options.pes, transport::heap_bytes_per_pe(options.pes), options.tag_output});
  if (machine) machine->bind(kind, membership.pe, membership.pes, workers);
  membership.pass_on();
  os::execute(program);
}

} // namespace

std::vector<std::string> words_behind(const CLI::App& command) {
  auto words = command.remaining();
  if (!words.empty() && words.front() == separator) words.erase(words.begin());
  std::replace(words.begin(), words.end(), std::string(separator), std::string("--"));
  return words;
}

std::string check_pes(const std::string& text) {
  if (text == "p") return "write -n N; -np is an option of oshrun";
  int pes = 0;
  const auto end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, pes);
  if (failure == std::errc{} && rest == end && pes >= 1 && pes <= transport::most_pes) return "";
  return fmt::format("cannot start '{}' PEs: choose 1 to {}", text, transport::most_pes);
}

void add_run(CLI::App& app) {
  auto* command = app.add_subcommand("run", "Start N PEs of a program, on this host or on several");
  auto options = std::make_shared<run_options>();
  command->add_option("-n", options->pes, "Number of PEs")->required()->check(check_pes)->type_name("N");
  command
      ->add_option("--bind", options->bind,
                   "Bind each PE to a core per worker or to a NUMA node (default: core, if they suffice)")
      ->check(CLI::IsMember({"none", "core", "numa"}))
      ->type_name("PLACE");
  command
      ->add_option("--heap", options->heap,
                   "Symmetric heap of each PE, e.g. 2G (default: a share of half the memory)")
      ->check(check_size)
      ->type_name("SIZE");
  command
      ->add_option("--workers", options->workers,
                   "Worker threads of each PE for tasks (default: WINDROW_WORKERS, or 1)")
      ->check(CLI::Range(1, tasks::most_workers))
      ->type_name("N");
  command
      ->add_option(
          "--hosts", options->hosts,
          "Hosts to start them on, each with the PEs it may have: node1,node2:4. The launcher of an MPI "
          "does it")
      ->check(check_hosts)
      ->type_name("LIST");
  command
      ->add_option("--mpi", options->mpi, "Which: openmpi or mpich (default: WINDROW_MPI, or what is there)")
      ->needs("--hosts")
      ->type_name("NAME");
  command
      ->add_option("-x", options->variables,
                   "Give the PEs an environment variable, VAR=value, or VAR as it is here (on other hosts)")
      ->allow_extra_args(false)
      ->check(check_variable)
      ->type_name("VAR[=VALUE]");
  command->add_flag("--tag-output", options->tag_output,
                    "Begin each line of output with the number of its PE: [3]");
  command->add_flag("--allow-run-as-root", options->as_root,
                    "With --hosts, also for the user root, which Open MPI refuses otherwise");
  command->prefix_command();
  command->footer(
      "After the options comes the program with its arguments: windrow run -n 4 ./prog -x 3\n"
      "The exit code is 0, or that of the first PE that fails (128 + the signal that killed it); a failure "
      "ends the\n"
      "other PEs. Standard input goes to PE 0. Any program can be run; one that is not made with Windrow "
      "runs N times.");
  command->callback([command, options] { run(*options, program_of(*command)); });
}

} // namespace windrow::tools
