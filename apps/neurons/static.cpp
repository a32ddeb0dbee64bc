// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>

#include "apps/neurons/simulation.hpp"
#include "windrow/mailbox.hpp"

namespace windrow::apps::neurons {

namespace {

struct spike {
  std::uint64_t neuron;
  potential input;
};

} // namespace

outcome run_static(job& j, const settings& s) {
  const auto begin = std::chrono::steady_clock::now();
  const auto& n = s.net;
  const auto owner = [&](std::uint64_t group) {
    return static_cast<pe_t>(group * static_cast<std::uint64_t>(j.pes()) / n.groups());
  };
  std::vector<neuron_group> groups(n.groups()); // empty where they are others'
  for (std::uint64_t g = 0; g < n.groups(); ++g)
    if (owner(g) == j.pe()) groups[g] = neuron_group(n, g);
  {
    std::uint64_t step = 0;
    mailbox<spike> post(
        j, [&](const spike& i) { groups[i.neuron / n.group].receive(step + 1, i.neuron, i.input); });
    for (; step < s.steps; ++step)
      post.run([&] {
        for (auto& g : groups)
          g.step(n, step, [&](std::uint64_t neuron, potential input) {
            post.send(owner(neuron / n.group), {neuron, input});
          });
      });
  }
  outcome result;
  for (const auto& g : groups) {
    result.spikes += g.spikes();
    result.checksum += g.checksum();
  }
  result.spikes = j.world().sum(result.spikes);
  result.checksum = j.world().sum(result.checksum);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  result.seconds = j.world().max(seconds.count());
  return result;
}

} // namespace windrow::apps::neurons
