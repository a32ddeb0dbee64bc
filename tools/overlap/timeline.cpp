// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "tools/markup.hpp"
#include "tools/overlap/findings.hpp"

namespace windrow::overlap {

namespace {

constexpr int width = 1100, row_height = 26, label_width = 60;
constexpr std::size_t most_boxes = 4000; // of a PE, the longest ones

struct span_of_time {
  std::uint64_t begin_ns, end_ns;
};

span_of_time span_of(const model& all) {
  span_of_time whole{UINT64_MAX, 0};
  for (int pe = 0; pe < all.pes(); ++pe)
    for (const auto& one : all.events(pe)) {
      whole.begin_ns = std::min(whole.begin_ns, one.begin_ns);
      whole.end_ns = std::max(whole.end_ns, one.end_ns);
    }
  return whole;
}

const char* colour_of(action what) {
  if (what <= action::put_signal) return "transfer";
  if (what <= action::test) return "wait";
  return "access";
}

std::string box_of(const recording& run, const event& one, int row, span_of_time whole) {
  const auto scale =
      (width - label_width) / static_cast<double>(std::max<std::uint64_t>(whole.end_ns - whole.begin_ns, 1));
  const auto x = label_width + static_cast<double>(one.begin_ns - whole.begin_ns) * scale;
  const auto wide = std::max(static_cast<double>(one.end_ns - one.begin_ns) * scale, 0.6);
  return fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\"><title>{} in {}, {:.3f} "
      "µs</title></rect>\n",
      colour_of(one.what), x, row * row_height + 3, wide, row_height - 8, name_of(one.what),
      tools::escaped(shown_place(run, one.site)), static_cast<double>(one.end_ns - one.begin_ns) * 1e-3);
}

std::vector<event> longest(std::vector<event> events) {
  std::ranges::sort(events, std::greater(), [](const event& one) { return one.end_ns - one.begin_ns; });
  if (events.size() > most_boxes) events.resize(most_boxes);
  return events;
}

} // namespace

std::string as_timeline(const model& all) {
  const auto whole = span_of(all);
  if (whole.end_ns == 0) return "";
  auto text = fmt::format(
      "<h2>What the PEs did</h2>\n<p>{:.3f} ms from left to right; <span class=\"cost\">transfers</span>, "
      "<span class=\"missed\">waits</span>, work between.</p>\n"
      "<style>.transfer {{ fill: var(--cost); }} .wait {{ fill: var(--missed); }} .access {{ fill: "
      "var(--line); }}</style>\n"
      "<svg class=\"timeline\" viewBox=\"0 0 {} {}\" font-size=\"12\" fill=\"currentColor\">\n",
      static_cast<double>(whole.end_ns - whole.begin_ns) * 1e-6, width, all.pes() * row_height);
  for (int pe = 0; pe < all.pes(); ++pe) {
    text += fmt::format("<text x=\"0\" y=\"{}\">PE {}</text>\n", pe * row_height + 17, pe);
    for (const auto& one : longest(all.events(pe))) text += box_of(all.run(), one, pe, whole);
  }
  return text + "</svg>\n";
}

} // namespace windrow::overlap
