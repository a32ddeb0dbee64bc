// SPDX-License-Identifier: BSD-3-Clause
// windrow info: what this machine offers and what a job here would use.

#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>
#include <memory>
#include <string>

#include "apps/support/json.hpp"
#include "base/options.hpp"
#include "job/start.hpp"
#include "os/cpu.hpp"
#include "os/memory.hpp"
#include "tools/build_facts.hpp"
#include "tools/commands.hpp"
#include "tools/topology.hpp"
#include "transport/host/heap_size.hpp"
#include "transport/mpi/load.hpp"
#include "windrow/error.hpp"
#include "windrow/version.hpp"

namespace windrow::tools {

namespace {

// The chosen one of "always [madvise] never".
std::string kernel_choice(const std::string& path) {
  std::ifstream file(path);
  for (std::string word; file >> word;)
    if (word.front() == '[') return word.substr(1, word.size() - 2);
  return "unavailable";
}

std::string host_name() {
  utsname names{};
  ::uname(&names);
  return fmt::format("{} ({} {} {})", names.nodename, names.sysname, names.release, names.machine);
}

json mpi_modules() {
  auto list = json::array();
  for (const char* flavour : transport::mpi_flavours)
    if (!transport::find_mpi_module(flavour).empty()) list.push_back(flavour);
  return list;
}

// What a Windrow program would be that is started as this command was.
json job_here() {
  try {
    const auto plan = plan_start();
    return {{"transport", plan.transport()}, {"pes", plan.pes}, {"launcher", plan.launcher()}};
  } catch (const error& e) {
    return {{"error", e.what()}};
  }
}

json facts() {
  const topology machine;
  const std::string pages = "/sys/kernel/mm/transparent_hugepage/";
  return {
      {"version", WINDROW_VERSION},
      {"build", build_facts::build_type},
      {"compiler", build_facts::compiler},
      {"host", host_name()},
      {"cores", machine.cores()},
      {"processors", machine.processors()},
      {"usable_processors", os::usable_cpus()},
      {"packages", machine.packages()},
      {"numa_nodes", machine.numa_nodes()},
      {"caches", machine.caches()},
      {"usable_memory_bytes", os::usable_memory()},
      {"symmetric_heap_of_one_pe_bytes", transport::heap_bytes_per_pe(1)},
      {"huge_pages",
       {{"private", kernel_choice(pages + "enabled")}, {"shared", kernel_choice(pages + "shmem_enabled")}}},
      {"transports", {"self", "shm"}},
      {"mpi_modules", mpi_modules()},
      {"job_here", job_here()},
  };
}

std::string joined(const json& list) {
  std::string text;
  for (const auto& item : list) text += (text.empty() ? "" : ", ") + item.get<std::string>();
  return text;
}

std::string advice(const json& huge_pages) {
  const auto& shared = huge_pages["shared"];
  if (shared != "never" && shared != "deny") return "";
  return "\n              large tables run faster after: echo advise > "
         "/sys/kernel/mm/transparent_hugepage/shmem_enabled";
}

std::string sentence_about(const json& job) {
  if (job.contains("error")) return "cannot be: " + job["error"].get<std::string>();
  return fmt::format("{} PE{} over {}, started by {}", job["pes"].get<int>(), job["pes"] == 1 ? "" : "s",
                     job["transport"].get<std::string>(), job["launcher"].get<std::string>());
}

void print(const json& f) {
  const auto line = [](const char* name, const std::string& value) {
    fmt::print("{:<13} {}\n", name, value);
  };
  const auto size = [&f](const char* name) { return base::format_size(f[name].get<std::uint64_t>()); };
  const auto number = [&f](const char* name) { return f[name].get<int>(); };
  const auto text = [](const json& value) { return value.get<std::string>(); };
  line("windrow", fmt::format("{} ({}, {})", text(f["version"]), text(f["build"]), text(f["compiler"])));
  line("host", text(f["host"]));
  line("processors", fmt::format("{} usable (cores: {}, hardware threads: {}, packages: {}, NUMA nodes: {})",
                                 number("usable_processors"), number("cores"), number("processors"),
                                 number("packages"), number("numa_nodes")));
  line("caches", joined(f["caches"]));
  line("memory", fmt::format("{} usable; a symmetric heap of {} {}", size("usable_memory_bytes"),
                             size("symmetric_heap_of_one_pe_bytes"),
                             transport::heap_size_is_chosen() ? "for each PE" : "divided by the PEs"));
  line("huge pages", fmt::format("private memory: {}, shared memory: {}{}", text(f["huge_pages"]["private"]),
                                 text(f["huge_pages"]["shared"]), advice(f["huge_pages"])));
  line("transports",
       "self (one PE), shm (PEs on this host: windrow run, mpirun, mpiexec or srun -n N, or WINDROW_PES=N)");
  line("between hosts", f["mpi_modules"].empty() ? "nothing: no module for an MPI was built"
                                                 : "mpi, by the modules for " + joined(f["mpi_modules"]));
  line("a job here", sentence_about(f["job_here"]));
}

} // namespace

void add_info(CLI::App& app) {
  auto* command = app.add_subcommand("info", "Show what this machine offers and what a job here would use");
  auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "Print a JSON object, for programs");
  command->callback([as_json] {
    const auto all = facts();
    if (*as_json)
      fmt::print("{}\n", all.dump(2, ' ', false, json::error_handler_t::replace));
    else
      print(all);
  });
}

} // namespace windrow::tools
