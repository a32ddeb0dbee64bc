// SPDX-License-Identifier: BSD-3-Clause
#include "tools/demo/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "tools/describe_graph.hpp"
#include "tools/results_table.hpp"

namespace windrow::tools {

namespace {

constexpr double noise = 0.95; // of the blocking style's speed: what is not slower than that needs no reason

struct reason {
  std::string_view kernel, style, text;
};

constexpr std::array known_reasons{
    reason{"histogram", "aggregated",
           "the counters fit the caches, where an atomic instruction is as fast as it gets"},
    reason{"histogram", "mailbox",
           "the counters fit the caches, where an atomic instruction is as fast as it gets"},
    reason{"index_gather", "aggregated", "on one host a read is a load, and the caches hold what is read"},
    reason{"index_gather", "mailbox", "each read is a question and an answer, where blocking it is one load"},
    reason{"triangles", "aggregated", "it copies whole rows, which direct copies within a host do as fast"},
    reason{"triangles", "mailbox",
           "it sends a probe for each pair of neighbours, where the others copy a row once"},
};

std::string_view reason_of(const apps::result& r) {
  const auto found = std::ranges::find_if(
      known_reasons, [&](const reason& known) { return known.kernel == r.kernel && known.style == r.style; });
  return found == known_reasons.end() ? "on one host a blocking operation is an instruction" : found->text;
}

/// 3.14 ms, 314 ms: three digits.
std::string milliseconds(double seconds) {
  const auto ms = seconds * 1e3;
  return fmt::format("{:.{}f}", ms, ms < 10 ? 2 : ms < 100 ? 1 : 0);
}

std::string factor(double times) {
  return fmt::format("{:.{}f} x", times, times < 10 ? 1 : 0);
}

std::vector<std::string> styles_of(const std::vector<apps::result>& results) {
  std::vector<std::string> styles;
  for (const auto& r : results)
    if (r.style != "blocking" && std::ranges::find(styles, r.style) == styles.end())
      styles.push_back(r.style);
  return styles;
}

std::string row(const std::vector<apps::result>& results, const apps::result& blocking,
                const std::vector<std::string>& styles) {
  auto line = fmt::format("{:<14}{:>12}{:>12}", blocking.kernel, grouped(blocking.operations),
                          milliseconds(blocking.median_seconds()));
  for (const auto& style : styles)
    for (const auto& r : results)
      if (r.kernel == blocking.kernel && r.style == style)
        line += fmt::format("{:>12}{:>10}", milliseconds(r.median_seconds()),
                            r.operations > 0 ? factor(speed_up(results, r)) : "-");
  return line + '\n';
}

} // namespace

std::string demo_table(const std::vector<apps::result>& results) {
  const auto styles = styles_of(results);
  auto table = fmt::format("{:<14}{:>12}{:>12}", "kernel", "operations", "blocking");
  for (const auto& style : styles) table += fmt::format("{:>12}{:>10}", style, "");
  table.erase(table.find_last_not_of(' ') + 1);
  table += fmt::format("\n{:<14}{:>12}{:>12}", "", "", "ms");
  for (std::size_t k = 0; k < styles.size(); ++k) table += fmt::format("{:>12}{:>10}", "ms", "faster");
  table += '\n';
  for (const auto& r : results)
    if (r.style == "blocking") table += row(results, r, styles);
  return table;
}

std::string reasons(const std::vector<apps::result>& results) {
  std::string text;
  for (const auto& r : results)
    if (r.style != "blocking" && r.operations > 0 && speed_up(results, r) < noise)
      text += fmt::format("  {}, {}: {}.\n", r.kernel, r.style, reason_of(r));
  return text.empty() ? text : "Slower than blocking, and why:\n" + text;
}

std::string answers(const std::vector<apps::result>& results) {
  std::string text;
  for (const auto& r : results)
    if (r.style == "blocking")
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", r.kernel,
                          r.kernel == "triangles" ? grouped(r.expected) : fmt::format("{:016x}", r.expected));
  return text;
}

} // namespace windrow::tools
