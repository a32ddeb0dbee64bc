// SPDX-License-Identifier: BSD-3-Clause
#include "job/report.hpp"

#include <fmt/format.h>

#include <string>

#include "base/fatal.hpp"

namespace windrow {

namespace {

struct column {
  const char* title;
  std::uint64_t counters::* value;
};

constexpr column columns[] = {
    {"direct ops", &counters::direct_operations},
    {"direct bytes", &counters::direct_bytes},
    {"items sent", &counters::items_sent},
    {"items handled", &counters::items_handled},
    {"runs", &counters::runs_sent},
    {"blocks", &counters::blocks_sent},
    {"bytes", &counters::bytes_sent},
    {"polls", &counters::polls},
    {"waits", &counters::waits},
    {"sleeps", &counters::sleeps},
    {"spilled", &counters::spilled_blocks},
    {"barriers", &counters::barriers},
};

std::string row(pe_t pe, const counters& c) {
  std::string line = fmt::format("\n{:>4}", pe);
  for (const auto& column : columns) line += fmt::format(" {:>13}", c.*column.value);
  const double full = c.blocks_sent == 0
                          ? 0.0
                          : 100.0 * static_cast<double>(c.blocks_full) / static_cast<double>(c.blocks_sent);
  return line + fmt::format(" {:>7.1f} {:>11.1f}", full, static_cast<double>(c.inbox_age_max_ns) / 1e3);
}

} // namespace

void report_counters(pgas::core& core, const team& world) {
  const auto all = world.allgather(core.stats());
  if (core.pe() != 0) return;
  std::string text = fmt::format("counters\n{:>4}", "PE");
  for (const auto& column : columns) text += fmt::format(" {:>13}", column.title);
  text += fmt::format(" {:>7} {:>11}", "full %", "max age us");
  for (pe_t pe = 0; pe < core.pes(); ++pe) text += row(pe, all[static_cast<std::size_t>(pe)]);
  base::say(text);
}

} // namespace windrow
