// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/mobile.hpp"

#include <cereal/types/vector.hpp>
#include <chrono>
#include <functional>

#include "apps/neurons/simulation.hpp"

namespace windrow::apps::neurons {

namespace {

/// A mobile object.
struct population : neuron_group {
  using neuron_group::neuron_group;
  void step(std::uint64_t number);
};

struct run_here {
  const network* net;
  collection<population>* all;
};
thread_local run_here here; ///< of this PE

void population::step(std::uint64_t number) {
  neuron_group::step(*here.net, number, [&](std::uint64_t neuron, potential input) {
    (*here.all)[neuron / here.net->group].send<&neuron_group::receive>(number + 1, neuron, input);
  });
}

} // namespace

outcome run_mobile(job& j, const settings& s, const balance::policy& policy) {
  const auto begin = std::chrono::steady_clock::now();
  object_space space(j);
  collection<population> all(space, s.net.groups(), [&](std::uint64_t g) { return population(s.net, g); });
  here = {&s.net, &all};
  outcome result;
  for (std::uint64_t step = 0; step < s.steps; ++step) {
    if (step > 0 && step % s.balance_every == 0) {
      const auto report = space.balance(policy);
      result.before.push_back(report.before);
      result.after.push_back(report.after);
      result.moves += report.moved;
    }
    space.run([&] {
      for (auto g = static_cast<std::uint64_t>(j.pe()); g < all.size();
           g += static_cast<std::uint64_t>(j.pes()))
        all[g].send<&population::step>(step);
    });
  }
  const auto sum = [&](auto of) { return all.reduce(std::uint64_t{0}, of, std::plus<>()); };
  result.spikes = sum([](const population& p) { return p.spikes(); });
  result.checksum = sum([](const population& p) { return p.checksum(); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  result.seconds = j.world().max(seconds.count());
  return result;
}

} // namespace windrow::apps::neurons
