// SPDX-License-Identifier: BSD-3-Clause
#include "job/start.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "base/options.hpp"
#include "transport/host/heap_size.hpp"
#include "transport/self/self.hpp"
#include "transport/shm/launch.hpp"
#include "windrow/error.hpp"

namespace windrow {

namespace {

// A process is a PE of one job only: its second job would otherwise silently be another one, with one PE.
std::optional<pe_t> pe_of_this_process;

void check_name(const std::optional<std::string>& transport) {
  if (!transport || transport == "self" || transport == "shm") return;
  throw error(
      fmt::format("WINDROW_TRANSPORT='{}' is not available: this Windrow has self and shm", *transport));
}

void check_self(const std::optional<std::string>& transport, pe_t pes) {
  if (transport == "self" && pes > 1)
    throw error(fmt::format("WINDROW_TRANSPORT=self has one PE and cannot carry {}: use shm", pes));
}

void check_first() {
  if (pe_of_this_process)
    throw error(fmt::format("this process has been PE {} of a job already; it cannot join a second one",
                            *pe_of_this_process));
}

std::unique_ptr<transport::transport> become_pe(const transport::membership& membership) {
  pe_of_this_process = membership.pe;
  return transport::join(membership);
}

} // namespace

std::unique_ptr<transport::transport> start_transport() {
  const auto wanted = base::text_option("WINDROW_TRANSPORT");
  check_name(wanted);
  check_first();
  if (const auto membership = transport::take_membership()) {
    check_self(wanted, membership->pes);
    return become_pe(*membership);
  }
  const auto pes = static_cast<pe_t>(base::integer_option("WINDROW_PES", 1, 1, transport::most_pes));
  check_self(wanted, pes);
  if (pes == 1 && wanted != "shm") return transport::make_self_transport();
  return become_pe(transport::launch({pes, transport::heap_bytes_per_pe(pes)}));
}

} // namespace windrow
