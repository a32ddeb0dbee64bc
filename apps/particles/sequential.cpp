// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>

#include "apps/particles/simulation.hpp"

namespace windrow::apps::particles {

outcome run_sequential(const settings& s) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::vector<particle>> cells(s.cells.cells());
  for (std::uint64_t i = 0; i < s.particles; ++i) {
    const auto p = first_state(i);
    cells[s.cells.cell_of(p)].push_back(p);
  }
  for (std::uint64_t step = 0; step < s.steps; ++step) {
    for (auto& c : cells) advance(c);
    std::vector<particle> moved;
    for (std::uint64_t c = 0; c < cells.size(); ++c)
      for (const auto& p : take_leavers(s.cells, c, cells[c])) moved.push_back(p);
    for (const auto& p : moved) cells[s.cells.cell_of(p)].push_back(p);
  }
  outcome result;
  for (const auto& c : cells) {
    result.checksum += checksum(c);
    result.particles += c.size();
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

} // namespace windrow::apps::particles
