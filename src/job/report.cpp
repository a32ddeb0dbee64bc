// SPDX-License-Identifier: BSD-3-Clause
#include "job/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "job/room.hpp"
#include "pgas/synchronization.hpp"

namespace windrow {

namespace {

struct column {
  const char* title;
  std::uint64_t counters::* value;
};

constexpr column columns[] = {
    {"direct", &counters::direct_operations},
    {"items out", &counters::items_sent},
    {"items in", &counters::items_handled},
    {"runs", &counters::runs_sent},
    {"blocks", &counters::blocks_sent},
    {"bytes", &counters::bytes_sent},
    {"polls", &counters::polls},
    {"waits", &counters::waits},
    {"sleeps", &counters::sleeps},
    {"spilled", &counters::spilled_blocks},
    {"barriers", &counters::barriers},
};

// Four significant digits, so that the table of a job fits a terminal.
std::string compact(std::uint64_t value) {
  constexpr const char* units[] = {"", "k", "M", "G", "T", "P"};
  auto scaled = static_cast<double>(value);
  std::size_t unit = 0;
  for (; scaled >= 9999.5 && unit + 1 < std::size(units); ++unit) scaled /= 1000.0;
  return unit == 0 ? fmt::format("{}", value) : fmt::format("{:.4g}{}", scaled, units[unit]);
}

constexpr report_column bulk_columns[] = {
    {"bulk puts", 10, &counters::bulk_puts},   {"updates", 9, &counters::bulk_updates},
    {"messages", 9, &counters::bulk_messages}, {"conflicts", 10, &counters::bulk_conflicts},
    {"prefetched", 11, &counters::bulk_ahead}, {"unused", 7, &counters::bulk_unused},
};

/// What only some jobs have.
struct extra_columns {
  bool delayed, simulated;
  std::vector<report_column> others; ///< of WINDROW_BULK, and of rooms
};

constexpr column simulated_columns[] = {
    {"messages", &counters::messages},
    {"to hosts", &counters::messages_between_hosts},
    {"msg bytes", &counters::message_bytes},
};

/// A PE's counters, and its simulated clock.
struct counted {
  counters all;
  std::uint64_t clock_ns;
};

std::string simulated_part(const counted& pe) {
  std::string text;
  for (const auto& column : simulated_columns) text += fmt::format(" {:>9}", compact(pe.all.*column.value));
  return text + fmt::format(" {:>11.1f} {:>11.1f}", static_cast<double>(pe.all.idle_ns) / 1e3,
                            static_cast<double>(pe.clock_ns) / 1e3);
}

std::string others_part(const counters& c, const extra_columns& extra) {
  std::string text;
  for (const auto& [title, width, value, is_size] : extra.others)
    text += fmt::format(" {:>{}}", is_size ? base::format_size(c.*value) : compact(c.*value), width);
  return text;
}

// Those that have counted anything.
std::vector<report_column> other_columns(const std::vector<counted>& all) {
  std::vector<report_column> found;
  const auto add = [&](std::span<const report_column> columns) {
    const auto counts = [](const counted& c, const report_column& one) { return c.all.*one.value > 0; };
    const auto any = [&](const report_column& one) {
      return std::ranges::any_of(all, [&](const counted& c) { return counts(c, one); });
    };
    if (std::ranges::any_of(columns, any)) found.insert(found.end(), columns.begin(), columns.end());
  };
  add(bulk_columns);
  for (const auto* type : all_rooms()) add(type->columns);
  return found;
}

std::string row(pe_t pe, const counted& pe_counted, const extra_columns& extra) {
  const auto& c = pe_counted.all;
  std::string line = fmt::format("\n{:>4}", pe);
  for (const auto& column : columns) line += fmt::format(" {:>9}", compact(c.*column.value));
  const auto sent = static_cast<double>(c.blocks_sent == 0 ? 1 : c.blocks_sent);
  return line +
         fmt::format(" {:>6.1f} {:>10.1f}", 100.0 * static_cast<double>(c.blocks_full) / sent,
                     static_cast<double>(c.inbox_age_max_ns) / 1e3) +
         (extra.delayed ? fmt::format(" {:>11}", compact(c.round_trips)) : "") + others_part(c, extra) +
         (extra.simulated ? simulated_part(pe_counted) : "");
}

} // namespace

void report_counters(pgas::core& core, const counters& own, const team& world) {
  const pgas::own_questions asks(core);
  const auto all = world.allgather(counted{own, core.link().now_ns()});
  if (core.pe() != 0) return;
  std::string text = fmt::format("counters\n{:>4}", "PE");
  for (const auto& column : columns) text += fmt::format(" {:>9}", column.title);
  const extra_columns extra{core.latency() != nullptr, core.link().takes_turns(), other_columns(all)};
  text += fmt::format(" {:>6} {:>10}{}", "full %", "max age us", extra.delayed ? " round trips" : "");
  for (const auto& column : extra.others) text += fmt::format(" {:>{}}", column.title, column.width);
  if (extra.simulated) text += "  messages  to hosts msg bytes     idle us    clock us";
  for (pe_t pe = 0; pe < core.pes(); ++pe) text += row(pe, all[static_cast<std::size_t>(pe)], extra);
  base::say(text);
}

} // namespace windrow
