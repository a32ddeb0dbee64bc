// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>

#include "apps/neurons/simulation.hpp"

namespace windrow::apps::neurons {

outcome run_sequential(const settings& s) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<neuron_group> groups;
  for (std::uint64_t g = 0; g < s.net.groups(); ++g) groups.emplace_back(s.net, g);
  for (std::uint64_t step = 0; step < s.steps; ++step)
    for (auto& g : groups)
      g.step(s.net, step, [&](std::uint64_t neuron, potential input) {
        groups[neuron / s.net.group].receive(step + 1, neuron, input);
      });
  outcome result;
  for (const auto& g : groups) {
    result.spikes += g.spikes();
    result.checksum += g.checksum();
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

} // namespace windrow::apps::neurons
