// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <cmath>

#include "apps/gravity/simulation.hpp"

namespace windrow::apps::gravity {

outcome run_sequential(const settings& s, std::vector<body>* last) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<box> boxes;
  boxes.reserve(s.of.cells.cells());
  for (std::uint64_t i = 0; i < s.of.cells.cells(); ++i) boxes.emplace_back(s.of, i);
  const auto put = [&](const body& b) { boxes[s.of.cells.cell_of(b)].enter(b); };
  for (std::uint64_t i = 0; i < s.of.bodies; ++i) put(first_state(i, s.of.bodies));
  for (std::uint64_t step = 0; step < s.steps; ++step) {
    for (auto& b : boxes) b.begin_step();
    for (auto& to : boxes)
      for (const auto& from : boxes)
        if (&from != &to && !from.is_empty() && !to.is_empty())
          to.take(from.index(), from.essential_for(to.where()));
    for (auto& b : boxes)
      for (const auto& leaver : b.end_step()) put(leaver);
  }
  outcome result;
  for (auto& b : boxes) {
    b.begin_step(); // those that have entered are bodies like others
    result.checksum += checksum(b.bodies());
    result.bodies += b.bodies().size();
    if (last != nullptr) last->insert(last->end(), b.bodies().begin(), b.bodies().end());
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

double error_of_tree(const setting& s, const std::vector<body>& all, std::uint64_t stride) {
  const auto nodes = make_tree(all, s.mass());
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < all.size(); i += stride, ++count) {
    vec3 by_tree{}, exact{};
    attract(nodes, s.opening, all[i].at, by_tree);
    attract(nodes, 0, all[i].at, exact);
    double difference = 0, size = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      difference += (by_tree[a] - exact[a]) * (by_tree[a] - exact[a]);
      size += exact[a] * exact[a];
    }
    if (size > 0) sum += difference / size; // a body alone has nothing to be wrong about
  }
  return std::sqrt(sum / count);
}

} // namespace windrow::apps::gravity
