// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>

#include "apps/particles/simulation.hpp"
#include "windrow/mailbox.hpp"

namespace windrow::apps::particles {

namespace {

/// The PE of a cell, for ever.
pe_t owner(const job& j, const grid& g, std::uint64_t cell) {
  return static_cast<pe_t>(cell * static_cast<std::uint64_t>(j.pes()) / g.cells());
}

} // namespace

outcome run_static(job& j, const settings& s) {
  const auto begin = std::chrono::steady_clock::now();
  const auto& g = s.cells;
  std::vector<std::vector<particle>> cells(g.cells()); // empty where they are others'
  for (std::uint64_t i = 0; i < s.particles; ++i) {
    const auto p = first_state(i);
    if (owner(j, g, g.cell_of(p)) == j.pe()) cells[g.cell_of(p)].push_back(p);
  }
  {
    mailbox<particle> enter(j, [&](const particle& p) { cells[g.cell_of(p)].push_back(p); });
    for (std::uint64_t step = 0; step < s.steps; ++step) {
      std::vector<particle> leavers;
      for (std::uint64_t c = 0; c < cells.size(); ++c) {
        advance(cells[c]);
        for (const auto& p : take_leavers(g, c, cells[c])) leavers.push_back(p);
      }
      enter.run([&] {
        for (const auto& p : leavers) enter.send(owner(j, g, g.cell_of(p)), p);
      });
    }
  }
  outcome result;
  for (const auto& c : cells) {
    result.checksum += checksum(c);
    result.particles += c.size();
  }
  result.checksum = j.world().sum(result.checksum);
  result.particles = j.world().sum(result.particles);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  result.seconds = j.world().max(seconds.count());
  return result;
}

} // namespace windrow::apps::particles
