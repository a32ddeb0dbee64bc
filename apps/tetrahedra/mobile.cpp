// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/mobile.hpp"

#include <cereal/types/unordered_set.hpp>
#include <cereal/types/vector.hpp>
#include <chrono>
#include <functional>
#include <utility>

#include "apps/tetrahedra/simulation.hpp"

namespace windrow::apps::tetrahedra {

/// A mobile object.
struct mobile_part {
  part mesh{};
  std::uint64_t steps = 0;   ///< that it has begun
  std::vector<edge> early{}; ///< from neighbours that are a step ahead

  void begin(std::uint64_t step);
  void split(std::uint64_t step, const edge& e);

  template <class Archive>
  void serialize(Archive& a) {
    a(mesh, steps, early);
  }
};

namespace {

struct run_here {
  const octree* cells;
  collection<mobile_part>* all;
};
thread_local run_here here; ///< of this PE

part::teller tell_at(std::uint64_t step) {
  return [step](std::uint64_t neighbour, const edge& e) {
    (*here.all)[neighbour].send<&mobile_part::split>(step, e);
  };
}

} // namespace

void mobile_part::begin(std::uint64_t step) {
  const auto tell = tell_at(step);
  mesh.begin(step, *here.cells, tell);
  steps = step + 1;
  for (const auto& e : std::exchange(early, {})) mesh.split(e, *here.cells, tell);
}

void mobile_part::split(std::uint64_t step, const edge& e) {
  if (step < steps)
    mesh.split(e, *here.cells, tell_at(step));
  else
    early.push_back(e);
}

outcome run_mobile(job& j, const settings& s, const balance::policy& policy) {
  const auto begin = std::chrono::steady_clock::now();
  const octree cells(s.where);
  object_space space(j);
  collection<mobile_part> parts(space, cells.leaves().size(),
                                [&](std::uint64_t i) { return mobile_part{.mesh = part(s.where, i)}; });
  here = {&cells, &parts};
  outcome result;
  for (std::uint64_t step = 0; step < s.steps; ++step) {
    if (step > 0 && step % s.balance_every == 0) {
      const auto report = space.balance(policy);
      result.before.push_back(report.before);
      result.after.push_back(report.after);
      result.moves += report.moved;
    }
    space.run([&] {
      for (auto i = static_cast<std::uint64_t>(j.pe()); i < parts.size();
           i += static_cast<std::uint64_t>(j.pes()))
        parts[i].send<&mobile_part::begin>(step);
    });
    const auto sum = [&](auto of) { return parts.reduce(std::uint64_t{0}, of, std::plus<>()); };
    result.tetrahedra.push_back(sum([](const mobile_part& p) { return p.mesh.tetrahedra().size(); }));
    result.checksums.push_back(sum([](const mobile_part& p) { return checksum(p.mesh.tetrahedra()); }));
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  result.seconds = j.world().max(seconds.count());
  return result;
}

} // namespace windrow::apps::tetrahedra
