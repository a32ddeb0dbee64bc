// SPDX-License-Identifier: BSD-3-Clause
#include "tools/sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/results_table.hpp"

namespace windrow::tools {

namespace {

std::string cell(const sweep_step& step, std::size_t k) {
  const auto& r = step.results[k];
  if (r.style == "blocking") return fmt::format("{:.2f} ms", r.best_seconds() * 1e3);
  const auto factor = best_speed_up(step.results, r);
  return factor > 0 ? fmt::format("{:.2f} x", factor) : fmt::format("{:.2f} ms", r.best_seconds() * 1e3);
}

bool rises(const std::vector<sweep_step>& steps, std::size_t k) {
  for (std::size_t s = 1; s < steps.size(); ++s)
    if (best_speed_up(steps[s].results, steps[s].results[k]) <=
        best_speed_up(steps[s - 1].results, steps[s - 1].results[k]))
      return false;
  return true;
}

} // namespace

double best_speed_up(const std::vector<apps::result>& results, const apps::result& r) {
  const auto* const twin = blocking_twin(results, r);
  const auto best = r.best_seconds();
  return twin != nullptr && best > 0 ? twin->best_seconds() / best : 0;
}

std::string sweep_table(const std::vector<sweep_step>& steps) {
  auto table = fmt::format("{:<18}  {:<10}", "kernel", "style");
  for (const auto& step : steps) table += fmt::format("  {:>11}", step.delay);
  table += fmt::format("  {:>10}\n", "messages");
  table += std::string(table.size() - 1, '-') + '\n';
  for (std::size_t k = 0; k < steps.front().results.size(); ++k) {
    const auto& r = steps.front().results[k];
    table += fmt::format("{:<18}  {:<10}", r.kernel.substr(0, 18), r.style);
    for (const auto& step : steps) table += fmt::format("  {:>11}", cell(step, k));
    table += fmt::format("  {:>10}\n", r.moved.round_trips + r.moved.blocks);
  }
  return table;
}

std::vector<std::string> not_rising(const std::vector<sweep_step>& steps) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < steps.front().results.size(); ++k) {
    const auto& r = steps.front().results[k];
    if (r.style != "blocking" && !rises(steps, k)) names.push_back(r.kernel + ", " + r.style);
  }
  return names;
}

bool same_results(const std::vector<sweep_step>& steps) {
  const auto& first = steps.front().results;
  return std::ranges::all_of(steps, [&](const sweep_step& step) {
    return std::ranges::equal(step.results, first, [](const apps::result& a, const apps::result& b) {
      return a.is_right() && a.kernel == b.kernel && a.style == b.style && a.checksum == b.checksum;
    });
  });
}

} // namespace windrow::tools
