// SPDX-License-Identifier: BSD-3-Clause
#include "apps/neurons/network.hpp"

#include <algorithm>
#include <utility>

#include "apps/graph/mix.hpp"

namespace windrow::apps::neurons {

namespace {

constexpr potential threshold = 1000, least = -1000, leak = 16;
constexpr std::uint64_t synapses_of_hubs = 600, synapses_of_others = 10, synapses_at_most = 1024;

} // namespace

std::uint64_t network::synapses(std::uint64_t neuron) const {
  return neuron % 16 == 0 && neuron < neurons / 8 ? synapses_of_hubs : synapses_of_others;
}

std::uint64_t network::target(std::uint64_t neuron, std::uint64_t synapse) const {
  return graph::mix(neuron * synapses_at_most + synapse) % neurons;
}

// One neuron in five inhibits.
potential network::weight(std::uint64_t neuron, std::uint64_t synapse) const {
  const auto strength = static_cast<potential>(40 + graph::mix(neuron ^ (synapse << 40)) % 60);
  return graph::mix(neuron) % 5 == 0 ? -3 * strength : strength;
}

// Everywhere a little, and much where the wave is: a quarter of all, a sixteenth further on with each step.
potential network::stimulus(std::uint64_t neuron, std::uint64_t step) const {
  const auto at = (neuron + neurons - step % 16 * neurons / 16) % neurons;
  const auto chance = graph::mix(neuron ^ graph::mix(step)) % 100;
  return chance < (at < neurons / 4 ? 12U : 1U) ? 2 * threshold : 0;
}

bool neuron_group::fires(std::uint64_t i, std::uint64_t step, potential stimulus) {
  auto& v = potentials_[i];
  v = std::max(least, v - v / leak + std::exchange(inputs_[step % 2][i], 0) + stimulus);
  if (v < threshold) return false;
  v = 0;
  ++spikes_;
  return true;
}

std::uint64_t neuron_group::checksum() const {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < potentials_.size(); ++i)
    sum += graph::mix(graph::mix(first_ + i) ^ static_cast<std::uint32_t>(potentials_[i]) ^
                      (std::uint64_t{static_cast<std::uint32_t>(inputs_[0][i] + inputs_[1][i])} << 32));
  return sum;
}

} // namespace windrow::apps::neurons
