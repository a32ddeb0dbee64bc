// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/mobile.hpp"

#include <cereal/types/vector.hpp>
#include <chrono>
#include <functional>

#include "apps/particles/simulation.hpp"

namespace windrow::apps::particles {

template <class Archive>
void serialize(Archive& a, particle& p) {
  a(p.number, p.x, p.y, p.vx, p.vy);
}

/// A mobile object.
struct cell {
  std::uint64_t index = 0;
  grid whole{1};
  std::vector<particle> here{};
  std::vector<particle> entered[2]{}; ///< in steps of even and odd numbers

  void enter(std::uint64_t step, const particle& p) { entered[step % 2].push_back(p); }
  void step(std::uint64_t number);

  template <class Archive>
  void serialize(Archive& a) {
    a(index, whole.side, here, entered[0], entered[1]);
  }
};

namespace {

thread_local collection<cell>* all_cells = nullptr; ///< of this PE's run

cell first_cell(const grid& g, std::uint64_t index, const std::vector<std::vector<particle>>& begin) {
  return {.index = index, .whole = g, .here = begin[index]};
}

} // namespace

// What enters a cell during a step takes part in the next one, whether this cell has had its own step by then
// or not.
void cell::step(std::uint64_t number) {
  auto& before = entered[(number + 1) % 2];
  here.insert(here.end(), before.begin(), before.end());
  before.clear();
  advance(here);
  for (const auto& p : take_leavers(whole, index, here))
    (*all_cells)[whole.cell_of(p)].send<&cell::enter>(number, p);
}

outcome run_mobile(job& j, const settings& s, const balance::policy& policy) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::vector<particle>> first(s.cells.cells());
  for (std::uint64_t i = 0; i < s.particles; ++i) {
    const auto p = first_state(i);
    first[s.cells.cell_of(p)].push_back(p);
  }
  object_space space(j);
  collection<cell> cells(space, s.cells.cells(),
                         [&](std::uint64_t i) { return first_cell(s.cells, i, first); });
  first.clear();
  all_cells = &cells;
  outcome result;
  for (std::uint64_t step = 0; step < s.steps; ++step) {
    if (step % s.balance_every == 1 % s.balance_every) {
      const auto report = space.balance(policy);
      result.before.push_back(report.before);
      result.after.push_back(report.after);
      result.moves += report.moved;
    }
    space.run([&] {
      for (auto i = static_cast<std::uint64_t>(j.pe()); i < cells.size();
           i += static_cast<std::uint64_t>(j.pes()))
        cells[i].send<&cell::step>(step);
    });
  }
  const auto over_all = [&](auto of) {
    return cells.reduce(
        std::uint64_t{0}, [&](const cell& c) { return of(c.here) + of(c.entered[0]) + of(c.entered[1]); },
        std::plus<>());
  };
  result.checksum = over_all([](const auto& some) { return checksum(some); });
  result.particles = over_all([](const auto& some) { return some.size(); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  result.seconds = j.world().max(seconds.count());
  return result;
}

} // namespace windrow::apps::particles
