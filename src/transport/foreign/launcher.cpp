// SPDX-License-Identifier: BSD-3-Clause
#include "transport/foreign/launcher.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "base/options.hpp"
#include "os/local_socket.hpp"
#include "os/process.hpp"
#include "transport/host/heap_size.hpp"
#include "windrow/error.hpp"

namespace windrow::transport {

namespace {

constexpr const char* joined = "WINDROW_JOINED";

std::string text(const char* name) {
  return base::text_option(name).value_or("");
}
bool is_set(const char* name) {
  return base::text_option(name).has_value();
}
pe_t count(const char* name) {
  return static_cast<pe_t>(base::integer_option(name, 1, 1, most_pes));
}
bool are_all(const char* pes_on_host, pe_t pes) {
  return !is_set(pes_on_host) || count(pes_on_host) == pes;
}
pe_t rank(const char* name, pe_t pes) {
  return static_cast<pe_t>(base::integer_option(name, 0, 0, pes - 1));
}

// A process that is known by its number and its birth: numbers are used again.
std::string birth_of(pid_t pid) {
  return fmt::format("{}.{}", pid, os::start_time_of(pid));
}

// Open MPI: one server of its runtime for each host, whose folder carries the server's pid.
foreign_job job_of_open_mpi() {
  const auto pes = count("OMPI_COMM_WORLD_SIZE");
  return {"mpirun of Open MPI",
          fmt::format("openmpi {} {}", text("PMIX_NAMESPACE"), text("PMIX_SERVER_TMPDIR")),
          rank("OMPI_COMM_WORLD_RANK", pes),
          pes,
          are_all("OMPI_COMM_WORLD_LOCAL_SIZE", pes),
          "openmpi"};
}

// Slurm's steps carry a number. A step without an own number of hosts is one of a single host.
foreign_job job_of_slurm(const char* rank_variable, pe_t pes) {
  return {"srun",
          fmt::format("slurm {}.{}", text("SLURM_JOB_ID"), text("SLURM_STEP_ID")),
          rank(rank_variable, pes),
          pes,
          base::integer_option("SLURM_STEP_NUM_NODES", 1, 1, 1'000'000) == 1,
          is_set("PMIX_RANK")  ? "openmpi"
          : is_set("PMI_RANK") ? "mpich"
                               : ""};
}

// Every process has its own line to the launcher's proxy on this host; the proxy made its other end.
foreign_job job_of_pmi() {
  const auto pes = count("PMI_SIZE");
  const os::descriptor line(::dup(static_cast<int>(base::integer_option("PMI_FD", -1, -1, 1'000'000))));
  const auto proxy = os::peer_of(line);
  if (proxy.pid == 0)
    throw error(
        "a launcher of PMI has started this program (PMI_RANK is set), but PMI_FD leads to none; start it "
        "with mpiexec, srun or windrow run, or unset PMI_RANK");
  return {"mpiexec (PMI)",
          "pmi " + birth_of(proxy.pid),
          rank("PMI_RANK", pes),
          pes,
          are_all("MPI_LOCALNRANKS", pes),
          "mpich"};
}

std::optional<foreign_job> find_launcher() {
  if (is_set("OMPI_COMM_WORLD_RANK") && is_set("OMPI_COMM_WORLD_SIZE")) return job_of_open_mpi();
  const bool slurm_step = is_set("SLURM_STEP_ID") && is_set("SLURM_PROCID");
  if (is_set("PMI_RANK") && is_set("PMI_SIZE")) {
    // In Slurm's own PMI the rank is that of the task; mpiexec, too, may have been started by srun.
    if (slurm_step && text("PMI_RANK") == text("SLURM_PROCID") &&
        text("PMI_SIZE") == text("SLURM_STEP_NUM_TASKS"))
      return job_of_slurm("PMI_RANK", count("PMI_SIZE"));
    return job_of_pmi();
  }
  if (slurm_step) return job_of_slurm("SLURM_PROCID", count("SLURM_STEP_NUM_TASKS"));
  if (is_set("PMIX_RANK"))
    throw error(
        "a launcher of PMIx has started this program (PMIX_RANK is set) that does not say how many PEs there "
        "are; start it with mpirun, srun or windrow run, or unset PMIX_RANK");
  return std::nullopt;
}

} // namespace

std::optional<foreign_job> find_foreign_job() {
  auto job = find_launcher();
  if (!job || job->pes == 1 || text(joined) == job->key) return std::nullopt;
  return job;
}

void note_joined(const foreign_job& job) {
  ::setenv(joined, job.key.c_str(), 1);
}

} // namespace windrow::transport
