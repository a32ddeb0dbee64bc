// SPDX-License-Identifier: BSD-3-Clause
#include "tools/results_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace windrow::tools {

namespace {

constexpr auto row_format = "{:<18}  {:<10}  {:>9}  {:>17}  {:>8}  {:>8}  {:>8}  {:>6}\n";

bool same_work(const apps::result& a, const apps::result& b) {
  return a.graph == b.graph && a.kernel == b.kernel && a.pes == b.pes;
}

std::string times(double factor) {
  return factor > 0 ? fmt::format("{:.{}f} x", factor, factor < 100 ? 2 : 0) : "";
}

std::string spread_ms(const apps::result& r) {
  if (r.seconds.empty()) return "";
  const auto [best, worst] = std::ranges::minmax(r.seconds);
  return fmt::format("{:.3f} - {:.3f}", best * 1e3, worst * 1e3);
}

std::string row(const std::vector<apps::result>& results, const apps::result& r) {
  const auto median = r.median_seconds();
  return fmt::format(row_format, r.kernel.substr(0, 18), r.style, fmt::format("{:.3f}", median * 1e3),
                     spread_ms(r), fmt::format("{:.2f}", r.million_operations_per_second_and_pe()),
                     times(speed_up(results, r)), times(median > 0 ? r.sequential_seconds / median : 0),
                     r.peak_bytes >> 20);
}

std::string heading(const apps::result& r) {
  const auto title = fmt::format("{}, {} PE{}", r.graph.substr(0, 80), r.pes, r.pes == 1 ? "" : "s");
  const auto columns =
      fmt::format(row_format, "kernel", "style", "ms", "best - worst", "M op/s", "x block", "x seq", "MiB");
  return fmt::format("{}\n{}{}\n", title, columns, std::string(columns.size() - 1, '-'));
}

} // namespace

const apps::result* blocking_twin(const std::vector<apps::result>& results, const apps::result& r) {
  const auto twin = std::ranges::find_if(
      results, [&](const apps::result& other) { return other.style == "blocking" && same_work(other, r); });
  return twin == results.end() ? nullptr : &*twin;
}

double speed_up(const std::vector<apps::result>& results, const apps::result& r) {
  const auto* const twin = blocking_twin(results, r);
  const auto median = r.median_seconds();
  return twin != nullptr && median > 0 ? twin->median_seconds() / median : 0;
}

std::string results_table(const std::vector<apps::result>& results) {
  std::string table;
  const apps::result* last = nullptr;
  for (const auto& r : results) {
    if (last != nullptr && (last->graph != r.graph || last->pes != r.pes)) {
      table += '\n';
      last = nullptr;
    }
    if (last == nullptr) table += heading(r);
    table += row(results, r);
    last = &r;
  }
  return table;
}

std::string results_legend() {
  return "ms: median of the timed runs, from barrier to barrier, by the slowest PE. M op/s: million remote\n"
         "operations per second and PE. x block, x seq: speed-up over the blocking style and over the\n"
         "sequential program. MiB: most memory that a PE had in use, its copy of the input included.\n";
}

std::string verdict(const std::vector<apps::result>& results) {
  std::string wrong;
  for (const auto& r : results)
    if (!r.is_right()) wrong += fmt::format("\n  {}", apps::describe(r));
  if (!wrong.empty()) return "These results differ from the sequential program's:" + wrong;
  return fmt::format("All {} results equal those of the sequential programs.", results.size());
}

namespace {

std::string counted_energy(const std::vector<apps::result>& results, const std::string& source) {
  std::set<std::string> parts;
  for (const auto& r : results)
    for (const auto& [part, joules] : r.joules) parts.insert(part);
  auto text = fmt::format("Energy: joules of one run (mean), from the node's counters in {}\n{:<18}  {:<10}",
                          source, "kernel", "style");
  for (const auto& part : parts) text += fmt::format("  {:>10}", part);
  for (const auto& r : results) {
    text += fmt::format("\n{:<18}  {:<10}", r.kernel.substr(0, 18), r.style);
    for (const auto& part : parts)
      text +=
          fmt::format("  {:>10}", r.joules.contains(part) ? fmt::format("{:.3f}", r.joules.at(part)) : "");
  }
  return text + '\n';
}

std::string modelled_energy(const std::vector<apps::result>& results, const std::string& source) {
  auto text = fmt::format(
      "Energy: {}.\nA model instead, not a measurement: what energy is spent on in one run\n"
      "{:<18}  {:<10}  {:>12}  {:>12}  {:>12}",
      source, "kernel", "style", "CPU-seconds", "MB moved", "messages");
  for (const auto& r : results)
    text += fmt::format("\n{:<18}  {:<10}  {:>12.6f}  {:>12.3f}  {:>12}", r.kernel.substr(0, 18), r.style,
                        r.cpu_seconds, static_cast<double>(r.moved.bytes) * 1e-6, r.moved.messages());
  return text + '\n';
}

} // namespace

std::string energy_table(const std::vector<apps::result>& results, bool counted, const std::string& source) {
  return counted ? counted_energy(results, source) : modelled_energy(results, source);
}

} // namespace windrow::tools
