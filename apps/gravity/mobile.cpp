// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/mobile.hpp"

#include <cereal/types/map.hpp>
#include <cereal/types/vector.hpp>
#include <chrono>
#include <functional>
#include <span>

#include "apps/gravity/simulation.hpp"

namespace windrow::apps::gravity {

/// A mobile object.
struct mobile_box {
  box bodies{};
  std::vector<mobile_ptr<mobile_box>> all{};
  std::map<std::uint64_t, bounds> others{}; ///< boxes with bodies, in this step
  std::uint64_t trees = 0;                  ///< of them that are here
  bool has_sent = false;

  void begin_step() {
    bodies.begin_step();
    if (bodies.is_empty()) return;
    for (const auto& b : all)
      if (b != all[bodies.index()]) b.send<&mobile_box::expect>(bodies.index(), bodies.where());
  }
  void expect(std::uint64_t from, const bounds& where) { others.emplace(from, where); }

  void send_trees() {
    has_sent = true;
    if (!bodies.is_empty())
      for (const auto& [i, where] : others)
        all[i].send<&mobile_box::take>(bodies.index(), std::span<const node>(bodies.essential_for(where)));
    end_step_if_ready();
  }
  void take(std::uint64_t from, std::span<const node> part) {
    bodies.take(from, part);
    ++trees;
    end_step_if_ready();
  }
  void enter(const body& b) { bodies.enter(b); }

  template <class Archive>
  void serialize(Archive& a) {
    a(bodies, all, others, trees, has_sent);
  }

 private:
  void end_step_if_ready() {
    if (!has_sent || (trees < others.size() && !bodies.is_empty())) return;
    for (const auto& b : bodies.end_step()) all[bodies.cell_of(b)].send<&mobile_box::enter>(b);
    others.clear();
    trees = 0;
    has_sent = false;
  }
};

outcome run_mobile(job& j, const settings& s, const balance::policy& policy) {
  const auto begin = std::chrono::steady_clock::now();
  const auto& g = s.of.cells;
  object_space space(j, s.runs);
  collection<mobile_box> boxes(space, g.cells(),
                               [&](std::uint64_t i) { return mobile_box{.bodies = box(s.of, i)}; });
  std::vector<mobile_ptr<mobile_box>> all;
  all.reserve(boxes.size());
  for (std::uint64_t i = 0; i < boxes.size(); ++i) all.push_back(boxes[i]);
  boxes.for_each_local([&](mobile_box& b) { b.all = all; });
  const auto to_each = [&](auto send) {
    space.run([&] {
      for (auto i = static_cast<std::uint64_t>(j.pe()); i < all.size();
           i += static_cast<std::uint64_t>(j.pes()))
        send(i);
    });
  };
  space.run([&] {
    for (auto i = static_cast<std::uint64_t>(j.pe()); i < s.of.bodies;
         i += static_cast<std::uint64_t>(j.pes())) {
      const auto b = first_state(i, s.of.bodies);
      all[g.cell_of(b)].send<&mobile_box::enter>(b);
    }
  });
  outcome result;
  for (std::uint64_t step = 0; step < s.steps; ++step) {
    if (step % s.balance_every == 1 % s.balance_every) {
      const auto report = space.balance(policy);
      result.before.push_back(report.before);
      result.after.push_back(report.after);
      result.moves += report.moved;
    }
    to_each([&](std::uint64_t i) { all[i].send<&mobile_box::begin_step>(); });
    to_each([&](std::uint64_t i) { all[i].send<&mobile_box::send_trees>(); });
  }
  boxes.for_each_local(
      [](mobile_box& b) { b.bodies.begin_step(); }); // those that have entered are bodies like others
  const auto sum = [&](auto of) { return boxes.reduce(std::uint64_t{0}, of, std::plus<>()); };
  result.checksum = sum([](const mobile_box& b) { return checksum(b.bodies.bodies()); });
  result.bodies = sum([](const mobile_box& b) { return b.bodies.bodies().size(); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  result.seconds = j.world().max(seconds.count());
  return result;
}

} // namespace windrow::apps::gravity
