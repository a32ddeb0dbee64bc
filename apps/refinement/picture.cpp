// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "apps/refinement/simulation.hpp"
#include "windrow/error.hpp"

namespace windrow::apps::refinement {

namespace {

constexpr double picture_side = 800, chart_height = 160, gap = 20;

/// Neighbouring PEs have colours that are far from each other.
std::string colour(std::size_t pe) {
  return fmt::format("hsl({:.0f},65%,72%)", static_cast<double>(pe * 137 % 360));
}

std::string mesh(const domain& d, const std::vector<coloured>& all) {
  const auto scale = picture_side / (static_cast<double>(d.side) * patch_side);
  std::string text;
  for (const auto& [pe, t] : all) {
    text += fmt::format("<polygon fill=\"{}\" points=\"", colour(static_cast<std::size_t>(pe)));
    for (const auto& p : {t.base_a, t.base_b, t.newest})
      text += fmt::format("{:.2f},{:.2f} ", p.x * scale, p.y * scale);
    text += "\"/>\n";
  }
  return text;
}

/// A group of columns for each step, one for each PE.
std::string columns(const std::vector<std::vector<double>>& loads) {
  double most = 1;
  for (const auto& by_pe : loads) most = std::max(most, *std::ranges::max_element(by_pe));
  const auto group = picture_side / static_cast<double>(loads.size());
  std::string text;
  for (std::size_t step = 0; step < loads.size(); ++step)
    for (std::size_t pe = 0; pe < loads[step].size(); ++pe) {
      const auto width = 0.8 * group / static_cast<double>(loads[step].size());
      const auto height = chart_height * loads[step][pe] / most;
      text +=
          fmt::format("<rect fill=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n",
                      colour(pe), group * static_cast<double>(step) + width * static_cast<double>(pe),
                      picture_side + gap + chart_height - height, width, height);
    }
  return text;
}

} // namespace

void draw(const std::string& file, const domain& d, const std::vector<coloured>& all,
          const std::vector<std::vector<double>>& loads) {
  std::ofstream out(file);
  out << fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-5 -5 {} {}\">\n",
                     picture_side + 10, picture_side + chart_height + gap + 10)
      << "<title>The mesh by PE, and the triangles of each PE at each step</title>\n"
      << "<g stroke=\"black\" stroke-width=\"0.3\">\n"
      << mesh(d, all) << "</g>\n"
      << columns(loads) << "</svg>\n";
  if (!out.flush()) throw error(fmt::format("cannot write {}", file));
}

} // namespace windrow::apps::refinement
