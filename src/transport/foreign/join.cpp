// SPDX-License-Identifier: BSD-3-Clause
#include "transport/foreign/join.hpp"

#include <utility>

#include "transport/foreign/guard.hpp"
#include "transport/foreign/rendezvous.hpp"
#include "transport/host/host_transport.hpp"

namespace windrow::transport {

std::unique_ptr<transport> join(const foreign_job& job) {
  auto met = meet(plan_rendezvous(job));
  auto memory = enter(met.place);
  note_joined(job);
  auto watching = std::make_shared<guard>(memory.mapped, job.pe, std::move(met.others));
  return std::make_unique<host_transport>("shm", memory.mapped, job.pe, std::move(memory.file),
                                          std::move(watching));
}

} // namespace windrow::transport
