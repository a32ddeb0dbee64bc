// SPDX-License-Identifier: BSD-3-Clause
#include "tools/predict_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace windrow::tools {

namespace {

using bench::point;

constexpr auto predict_row = "{:>5} |{:>8} {:>8} {:>8} |{:>6} {:>6} |{:>8} {:>6} {:>6} |{:>8} {:>8} {:>6}\n";

const point* find(const std::vector<point>& points, const std::string& kernel, int pes, const char* style) {
  const auto found = std::ranges::find_if(
      points, [&](const point& p) { return p.kernel == kernel && p.pes == pes && p.style == style; });
  return found == points.end() ? nullptr : &*found;
}

template <class T, class Key>
std::vector<T> distinct(const std::vector<point>& points, Key key) {
  std::vector<T> found;
  for (const auto& p : points)
    if (std::ranges::find(found, p.*key) == found.end()) found.push_back(p.*key);
  return found;
}

/// Three significant digits.
std::string number(double value, const char* unit = "") {
  if (value <= 0) return "";
  return fmt::format("{:.{}f}{}", value, value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 4, unit);
}

std::string speed(const point* p) {
  return p == nullptr ? "" : p->right ? number(p->speed()) : "WRONG";
}

std::string factor(const std::vector<point>& points, const point* p) {
  return p == nullptr ? "" : number(predicted_speed_up(points, *p));
}

std::string memory(std::uint64_t bytes) {
  return bytes < 10'000'000 ? fmt::format("{} K", bytes >> 10) : fmt::format("{} M", bytes >> 20);
}

/// The style whose messages and memory are shown.
const point* shown(const std::vector<point>& points, const std::string& kernel, int pes) {
  for (const auto* style : {"aggregated", "mailbox", "blocking", "deferred"})
    if (const auto* p = find(points, kernel, pes, style)) return p;
  return nullptr;
}

std::string row(const std::vector<point>& points, const std::string& kernel, int pes,
                const publication* from) {
  const auto* const blocking = find(points, kernel, pes, "blocking");
  const auto* const aggregated = find(points, kernel, pes, "aggregated");
  const auto* const mailbox = find(points, kernel, pes, "mailbox");
  const auto* const moved = shown(points, kernel, pes);
  if (moved == nullptr) return "";
  const auto* const run = published_run_of(from, kernel, pes);
  const auto operations = static_cast<double>(moved->operations);
  return fmt::format(predict_row, pes, speed(blocking), speed(aggregated), speed(mailbox),
                     factor(points, aggregated), factor(points, mailbox),
                     number(static_cast<double>(moved->messages) / pes),
                     number(static_cast<double>(moved->bytes) / operations), memory(moved->bytes_per_pe),
                     run ? number(run->blocking_speed()) : "", run ? number(run->selector_speed()) : "",
                     run ? number(run->speed_up()) : "");
}

std::string heading(const std::string& kernel) {
  const auto groups = fmt::format(predict_row, "", "M ops/s", "per PE", "", "times", "block.", "messages",
                                  "bytes", "memory", "publ'd:", "M ops/s", "times");
  const auto names = fmt::format(predict_row, "PEs", "blocking", "aggreg.", "mailbox", "aggr.", "mailb.",
                                 "per PE", "per op", "per PE", "blocking", "selector", "block.");
  return fmt::format("{}\n{}{}{}\n", kernel, groups, names, std::string(names.size() - 1, '-'));
}

} // namespace

double predicted_speed_up(const std::vector<point>& points, const point& p) {
  const auto* const blocking = find(points, p.kernel, p.pes, "blocking");
  return blocking != nullptr && blocking->speed() > 0 ? p.speed() / blocking->speed() : 0;
}

std::string predict_table(const std::vector<point>& points, const publication* published) {
  std::string text;
  for (const auto& kernel : distinct<std::string>(points, &point::kernel)) {
    text += heading(kernel);
    for (const auto pes : distinct<int>(points, &point::pes)) text += row(points, kernel, pes, published);
    text += '\n';
  }
  return text;
}

chart_table predict_chart(const std::vector<point>& points, const publication* published,
                          const std::string& model) {
  chart_table table;
  table.title = "Predicted for " + model;
  table.x_label = "PEs";
  table.y_label = "speed-up over the blocking style";
  const auto kernels = distinct<std::string>(points, &point::kernel);
  constexpr const char* styles[] = {"aggregated", "mailbox"};
  for (const auto& kernel : kernels) {
    for (const auto* style : styles) table.columns.push_back(kernel + ", " + style);
    if (published != nullptr && !published->runs.empty()) table.columns.push_back(kernel + ", published");
  }
  for (const auto pes : distinct<int>(points, &point::pes)) {
    table.rows.push_back(std::to_string(pes));
    auto& values = table.values.emplace_back();
    for (const auto& kernel : kernels) {
      for (const auto* style : styles) {
        const auto* const p = find(points, kernel, pes, style);
        values.push_back(p == nullptr ? 0 : predicted_speed_up(points, *p));
      }
      if (published == nullptr || published->runs.empty()) continue;
      const auto* const run = published_run_of(published, kernel, pes);
      values.push_back(run == nullptr ? 0 : run->speed_up());
    }
  }
  return table;
}

} // namespace windrow::tools
