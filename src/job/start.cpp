// SPDX-License-Identifier: BSD-3-Clause
#include "job/start.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/options.hpp"
#include "transport/foreign/join.hpp"
#include "transport/host/heap_size.hpp"
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
  if (name != "auto" && name != "self" && name != "shm")
    throw error(
        fmt::format("WINDROW_TRANSPORT='{}' is not available: this Windrow has self and shm, and auto "
                    "to choose between them",
                    name));
  return name;
}

void check_self(const std::string& wanted, pe_t pes) {
  if (wanted == "self" && pes > 1)
    throw error(fmt::format("WINDROW_TRANSPORT=self has one PE and cannot carry {}: use shm", pes));
}

void check_foreign(const transport::foreign_job& job, pe_t own_pes) {
  if (!job.on_one_host)
    throw error(
        fmt::format("{} has started {} PEs on several hosts, but this Windrow has no transport "
                    "between hosts: start them on one",
                    job.launcher, job.pes));
  if (own_pes > 1)
    throw error(
        fmt::format("WINDROW_PES={} asks each of the {} processes that {} has started for PEs of its "
                    "own: unset WINDROW_PES or start one process",
                    own_pes, job.pes, job.launcher));
}

} // namespace

std::string start_plan::launcher() const {
  if (passed_on) return "windrow run";
  if (foreign) return foreign->launcher;
  return pes > 1 ? "itself (WINDROW_PES)" : "nobody";
}

start_plan plan_start() {
  const auto wanted = wanted_transport();
  if (auto membership = transport::take_membership()) {
    check_self(wanted, membership->pes);
    return {membership, std::nullopt, false, membership->pes};
  }
  const auto pes = static_cast<pe_t>(base::integer_option("WINDROW_PES", 1, 1, transport::most_pes));
  if (auto job = transport::find_foreign_job()) {
    check_self(wanted, job->pes);
    check_foreign(*job, pes);
    const auto all = job->pes;
    return {std::nullopt, std::move(job), false, all};
  }
  check_self(wanted, pes);
  return {std::nullopt, std::nullopt, pes == 1 && wanted != "shm", pes};
}

std::unique_ptr<transport::transport> start_transport() {
  check_first();
  const auto plan = plan_start();
  if (plan.alone) return transport::make_self_transport();
  if (plan.foreign) {
    pe_of_this_process = plan.foreign->pe;
    return transport::join(*plan.foreign);
  }
  const auto place = plan.passed_on ? *plan.passed_on
                                    : transport::launch({plan.pes, transport::heap_bytes_per_pe(plan.pes)});
  pe_of_this_process = place.pe;
  return transport::join(place);
}

} // namespace windrow
