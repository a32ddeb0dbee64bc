// SPDX-License-Identifier: BSD-3-Clause
#include "tools/run_on_hosts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <sstream>
#include <string_view>

#include "base/options.hpp"
#include "os/process.hpp"
#include "transport/mpi/load.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

using words = std::vector<std::string>;

struct host {
  std::string name;
  int places; ///< 0: not said
};

host parse_host(const std::string& text) {
  const auto colon = text.rfind(':');
  const auto name = text.substr(0, colon);
  int places = 0;
  if (colon != std::string::npos) {
    const auto number = std::string_view(text).substr(colon + 1);
    const auto [rest, failure] = std::from_chars(number.data(), number.data() + number.size(), places);
    if (failure != std::errc{} || rest != number.data() + number.size() || places < 1)
      throw error(
          fmt::format("run: --hosts: '{}' is not a host and a number of PEs, such as {}:4", text, name));
  }
  if (name.empty() || name.front() == '-')
    throw error(fmt::format("run: --hosts: '{}' names no host; write a list such as node1,node2:4", text));
  return {name, places};
}

/// With as many places as PEs wanted, or more.
std::vector<host> parse_hosts(const std::string& list, int pes) {
  std::vector<host> hosts;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) hosts.push_back(parse_host(part));
  const auto count = static_cast<int>(hosts.size());
  std::int64_t places = 0;
  for (auto& h : hosts) {
    if (h.places == 0) h.places = (pes + count - 1) / count;
    places += h.places;
  }
  if (places < pes)
    throw error(fmt::format("run: --hosts: {} has room for {} PEs, and -n asks for {}", list, places, pes));
  return hosts;
}

std::string joined(const std::vector<host>& hosts) {
  words texts;
  for (const auto& h : hosts) texts.push_back(fmt::format("{}:{}", h.name, h.places));
  return fmt::format("{}", fmt::join(texts, ","));
}

/// Names that only one MPI gives its launcher: `mpirun` and `mpiexec` may be anybody's.
words launchers_of(const std::string& mpi) {
  if (mpi == "openmpi") return {"mpirun.openmpi", "orterun"};
  return {"mpiexec.mpich", "mpiexec.hydra"};
}

std::string find_launcher(const std::string& mpi) {
  for (const auto& name : launchers_of(mpi))
    if (os::why_not_runnable(name).empty()) return name;
  return "";
}

// Open MPI starts programs on other hosts without the environment, but for what it is told.
void pass_environment(words& command, const words& variables) {
  for (const auto& text : variables) command.insert(command.end(), {"-x", text.substr(0, text.find('='))});
  for (char** entry = ::environ; *entry != nullptr; ++entry) {
    const std::string_view variable(*entry);
    for (const std::string_view ours : {"WINDROW_", "SHMEM_", "SMA_"})
      if (variable.starts_with(ours))
        command.insert(command.end(), {"-x", std::string(variable.substr(0, variable.find('=')))});
  }
}

} // namespace

std::string choose_mpi(const std::string& wanted) {
  auto chosen = wanted.empty() ? base::text_option("WINDROW_MPI").value_or("") : wanted;
  if (!chosen.empty()) {
    if (chosen != "openmpi" && chosen != "mpich")
      throw error(fmt::format("run: {}'{}' is no MPI that Windrow knows: choose openmpi or mpich",
                              wanted.empty() ? "WINDROW_MPI=" : "", chosen));
    if (find_launcher(chosen).empty())
      throw error(fmt::format("run: no launcher of {} is installed (looked for {})", chosen,
                              fmt::join(launchers_of(chosen), ", ")));
    if (transport::find_mpi_module(chosen).empty())
      throw error("run: " + transport::why_no_mpi_module(chosen));
    return chosen;
  }
  std::string reason =
      "--hosts needs Open MPI (package libopenmpi-dev) or MPICH (package libmpich-dev), installed when "
      "Windrow was built";
  for (const char* mpi : transport::mpi_flavours) {
    if (find_launcher(mpi).empty()) continue;
    if (!transport::find_mpi_module(mpi).empty()) return mpi;
    if (base::text_option("WINDROW_MODULE_DIR")) reason = transport::why_no_mpi_module(mpi);
  }
  throw error("run: " + reason);
}

std::vector<std::string> command_on_hosts(const hosts_options& o, const words& program) {
  if (std::ranges::find(program, ":") != program.end())
    throw error(
        "run: with --hosts, ':' cannot be an argument of the program: the launcher of MPI takes it for the "
        "beginning of another one");
  const auto mpi = choose_mpi(o.mpi);
  const bool open_mpi = mpi == "openmpi";
  words command{find_launcher(mpi), open_mpi ? "-host" : "-hosts", joined(parse_hosts(o.hosts, o.pes)), "-n",
                std::to_string(o.pes)};
  if (!o.bind.empty()) command.insert(command.end(), {open_mpi ? "--bind-to" : "-bind-to", o.bind});
  if (o.tag_output) command.emplace_back(open_mpi ? "--tag-output" : "-prepend-rank");
  if (open_mpi && o.as_root) command.emplace_back("--allow-run-as-root");
  if (open_mpi) pass_environment(command, o.variables);
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

} // namespace windrow::tools
