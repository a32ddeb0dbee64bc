// SPDX-License-Identifier: BSD-3-Clause
#include "tools/demo_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace windrow::tools {

namespace {

constexpr auto row_format = "{:<26}  {:<12}  {:>3}  {:<10}  {:>9}  {:>12}  {:>8}\n";

std::string speed_up(const std::vector<apps::result>& results, const apps::result& r) {
  const auto twin = std::ranges::find_if(results, [&](const apps::result& other) {
    return other.style == "blocking" && other.graph == r.graph && other.kernel == r.kernel &&
           other.pes == r.pes;
  });
  return twin != results.end() && r.seconds > 0 ? fmt::format("{:.2f} x", twin->seconds / r.seconds) : "";
}

} // namespace

std::string demo_table(const std::vector<apps::result>& results) {
  auto table =
      fmt::format(row_format, "graph", "kernel", "PEs", "style", "seconds", "M op/s per PE", "speed-up");
  table += std::string(table.size() - 1, '-') + '\n';
  for (const auto& r : results) {
    table += fmt::format(
        row_format, r.graph.substr(0, 26), r.kernel, r.pes, r.style, fmt::format("{:.4f}", r.seconds),
        fmt::format("{:.1f}", r.million_operations_per_second_and_pe()), speed_up(results, r));
  }
  return table;
}

std::string demo_verdict(const std::vector<apps::result>& results) {
  std::string wrong;
  for (const auto& r : results) {
    if (!r.is_right()) wrong += fmt::format("\n  {}", apps::describe(r));
  }
  if (!wrong.empty()) return "These results differ from the sequential count:" + wrong;
  return fmt::format("All {} results equal the sequential count.", results.size());
}

} // namespace windrow::tools
