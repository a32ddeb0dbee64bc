// SPDX-License-Identifier: BSD-3-Clause
// A network of leaky integrate-and-fire neurons, some of which are hubs with very many synapses. A wave of
// stimuli goes through it, so that others are busy after a while. Potentials are whole numbers and inputs of
// a step are added up, so that results are the same in whatever order spikes arrive.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace windrow::apps::neurons {

using potential = std::int32_t;

struct network {
  std::uint64_t neurons = 100'000;
  std::uint64_t group = 200; ///< neurons of a group, the last one may have fewer

  std::uint64_t groups() const { return (neurons + group - 1) / group; }
  std::uint64_t first(std::uint64_t g) const { return g * group; }
  std::uint64_t size(std::uint64_t g) const {
    return first(g) + group < neurons ? group : neurons - first(g);
  }

  /// Synapses of a neuron. Hubs are among the first eighth.
  std::uint64_t synapses(std::uint64_t neuron) const;
  std::uint64_t target(std::uint64_t neuron, std::uint64_t synapse) const;
  /// What a spike of the neuron adds there; less than 0 if it inhibits.
  potential weight(std::uint64_t neuron, std::uint64_t synapse) const;
  /// From outside, in a step.
  potential stimulus(std::uint64_t neuron, std::uint64_t step) const;
};

/// Neighbouring neurons.
class neuron_group {
 public:
  neuron_group() = default;
  neuron_group(const network& n, std::uint64_t number)
      : first_(n.first(number)), potentials_(n.size(number)), inputs_{potentials_, potentials_} {}

  /// Input for a neuron of this group, in a step that has not been yet, or is the next one.
  void receive(std::uint64_t step, std::uint64_t neuron, potential input) {
    inputs_[step % 2][neuron - first_] += input;
  }
  /// One step: calls `send(neuron, input)` for each synapse of those that fire, for the next step.
  template <class Send>
  void step(const network& n, std::uint64_t step, Send send) {
    for (std::uint64_t i = 0; i < potentials_.size(); ++i) {
      if (!fires(i, step, n.stimulus(first_ + i, step))) continue;
      for (std::uint64_t s = 0; s < n.synapses(first_ + i); ++s)
        send(n.target(first_ + i, s), n.weight(first_ + i, s));
    }
  }
  std::uint64_t spikes() const { return spikes_; }
  /// To be added up over all groups.
  std::uint64_t checksum() const;

  template <class Archive>
  void serialize(Archive& a) {
    a(first_, spikes_, potentials_, inputs_[0], inputs_[1]);
  }

 private:
  bool fires(std::uint64_t i, std::uint64_t step, potential stimulus);

  std::uint64_t first_ = 0, spikes_ = 0;
  std::vector<potential> potentials_;
  std::vector<potential> inputs_[2]; ///< of steps of even and odd numbers
};

} // namespace windrow::apps::neurons
