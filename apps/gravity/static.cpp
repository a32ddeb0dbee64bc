// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <map>
#include <span>

#include "apps/gravity/simulation.hpp"
#include "windrow/selector.hpp"

namespace windrow::apps::gravity {

namespace {

struct located {
  std::uint64_t box;
  bounds where;
};

/// The PE of a box, for ever.
pe_t owner(const job& j, const grid& g, std::uint64_t box) {
  return static_cast<pe_t>(box * static_cast<std::uint64_t>(j.pes()) / g.cells());
}

/// A part of a tree as a message. The first node says between which boxes.
tree message(std::uint64_t boxes, std::uint64_t from, std::uint64_t to, const tree& part) {
  tree result{{.mass = 0, .centre = {}, .size = 0, .skip = from * boxes + to}};
  result.insert(result.end(), part.begin(), part.end());
  return result;
}

} // namespace

outcome run_static(job& j, const settings& s) {
  const auto begin = std::chrono::steady_clock::now();
  const auto& g = s.of.cells;
  std::map<std::uint64_t, box> boxes; // of this PE
  for (std::uint64_t i = 0; i < g.cells(); ++i)
    if (owner(j, g, i) == j.pe()) boxes.emplace(i, box(s.of, i));
  const auto put = [&](const body& b) { boxes.at(g.cell_of(b)).enter(b); };
  for (std::uint64_t i = 0; i < s.of.bodies; ++i) {
    const auto b = first_state(i, s.of.bodies);
    if (owner(j, g, g.cell_of(b)) == j.pe()) put(b);
  }
  std::vector<located> with_bodies; // all boxes that have some
  {
    selector<located, std::span<const node>, body> post(
        j, [&](const located& l) { with_bodies.push_back(l); },
        [&](std::span<const node> m) {
          boxes.at(m.front().skip % g.cells()).take(m.front().skip / g.cells(), m.subspan(1));
        },
        [&](const body& b) { put(b); });
    for (std::uint64_t step = 0; step < s.steps; ++step) {
      with_bodies.clear();
      post.run([&] {
        for (auto& [i, b] : boxes) {
          b.begin_step();
          if (b.is_empty()) continue;
          for (pe_t pe = 0; pe < j.pes(); ++pe) post.send(pe, located{i, b.where()});
        }
        post.complete<0>();
        for (const auto& [i, b] : boxes) {
          if (b.is_empty()) continue;
          for (const auto& [to, where] : with_bodies)
            if (to != i) post.send(owner(j, g, to), message(g.cells(), i, to, b.essential_for(where)));
        }
        post.complete<1>();
        for (auto& [i, b] : boxes)
          for (const auto& leaver : b.end_step()) post.send(owner(j, g, g.cell_of(leaver)), leaver);
      });
    }
  }
  outcome result;
  for (auto& [i, b] : boxes) {
    b.begin_step(); // those that have entered are bodies like others
    result.checksum += checksum(b.bodies());
    result.bodies += b.bodies().size();
  }
  result.checksum = j.world().sum(result.checksum);
  result.bodies = j.world().sum(result.bodies);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  result.seconds = j.world().max(seconds.count());
  return result;
}

} // namespace windrow::apps::gravity
