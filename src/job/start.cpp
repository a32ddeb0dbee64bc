// SPDX-License-Identifier: BSD-3-Clause
#include "job/start.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/options.hpp"
#include "transport/foreign/join.hpp"
#include "transport/host/heap_size.hpp"
#include "transport/hosts/form.hpp"
#include "transport/self/self.hpp"
#include "transport/shm/launch.hpp"
#include "windrow/error.hpp"

namespace windrow {

namespace {

// A process is a PE of one job only: its second job would otherwise silently be another one, with one PE.
std::optional<pe_t> pe_of_this_process;

void check_first() {
  if (pe_of_this_process)
    throw error(fmt::format("this process has been PE {} of a job already; it cannot join a second one",
                            *pe_of_this_process));
}

std::string wanted_transport() {
  auto name = base::text_option("WINDROW_TRANSPORT").value_or("auto");
  if (name != "auto" && name != "self" && name != "shm" && name != "mpi")
    throw error(
        fmt::format("WINDROW_TRANSPORT='{}' is not available: this Windrow has self, shm and mpi, and auto "
                    "to choose between them",
                    name));
  return name;
}

void check_self(const std::string& wanted, pe_t pes) {
  if (wanted == "self" && pes > 1)
    throw error(fmt::format("WINDROW_TRANSPORT=self has one PE and cannot carry {}: use shm", pes));
}

void check_pes(const transport::foreign_job& job, pe_t own_pes) {
  if (own_pes > 1)
    throw error(
        fmt::format("WINDROW_PES={} asks each of the {} processes that {} has started for PEs of its "
                    "own: unset WINDROW_PES or start one process",
                    own_pes, job.pes, job.launcher));
}

// Between hosts, MPI; within one, none is needed.
bool chooses_mpi(const transport::foreign_job& job, const std::string& wanted) {
  if (wanted == "shm" && !job.on_one_host)
    throw error(
        fmt::format("WINDROW_TRANSPORT=shm joins processes of one host, but {} has started {} PEs on "
                    "several: use mpi, or auto",
                    job.launcher, job.pes));
  const bool mpi = wanted == "mpi" || !job.on_one_host;
  if (mpi && job.mpi.empty())
    throw error(
        fmt::format("{} has started this program for no MPI: start it with srun --mpi=pmix (Open MPI) or "
                    "--mpi=pmi2 (MPICH)",
                    job.launcher));
  return mpi;
}

void check_launched(const std::string& wanted, const char* launcher) {
  if (wanted == "mpi")
    throw error(
        fmt::format("WINDROW_TRANSPORT=mpi is for two or more processes that mpirun, mpiexec or srun starts, "
                    "not for {}",
                    launcher));
}

} // namespace

std::string start_plan::transport() const {
  return alone ? "self" : mpi ? "mpi" : "shm";
}

std::string start_plan::launcher() const {
  if (passed_on) return "windrow run";
  if (foreign) return foreign->launcher;
  return pes > 1 ? "itself (WINDROW_PES)" : "nobody";
}

start_plan plan_start() {
  const auto wanted = wanted_transport();
  start_plan plan;
  plan.passed_on = transport::take_membership();
  if (plan.passed_on) {
    plan.pes = plan.passed_on->pes;
    check_launched(wanted, "windrow run");
  } else {
    plan.pes = static_cast<pe_t>(base::integer_option("WINDROW_PES", 1, 1, transport::most_pes));
    plan.foreign = transport::find_foreign_job();
    if (plan.foreign) {
      check_pes(*plan.foreign, plan.pes);
      plan.pes = plan.foreign->pes;
      plan.mpi = chooses_mpi(*plan.foreign, wanted);
    } else {
      check_launched(wanted, "a process alone");
      plan.alone = plan.pes == 1 && wanted != "shm";
    }
  }
  check_self(wanted, plan.pes);
  return plan;
}

std::unique_ptr<transport::transport> start_transport() {
  check_first();
  const auto plan = plan_start();
  if (plan.alone) return transport::make_self_transport();
  if (plan.foreign) {
    pe_of_this_process = plan.foreign->pe;
    return plan.mpi ? transport::form(*plan.foreign) : transport::join(*plan.foreign);
  }
  const auto place = plan.passed_on ? *plan.passed_on
                                    : transport::launch({plan.pes, transport::heap_bytes_per_pe(plan.pes)});
  pe_of_this_process = place.pe;
  return transport::join(place);
}

} // namespace windrow
