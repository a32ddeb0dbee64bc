// SPDX-License-Identifier: BSD-3-Clause
// A network of neurons with hubs: groups that stay, and groups as mobile objects.
#include "apps/neurons/simulation.hpp"
#include "apps/support/balanced_program.hpp"

namespace neurons = windrow::apps::neurons;

namespace {

using options = windrow::apps::balanced_options<neurons::settings>;

int parse(options& o, int argc, char** argv, bool speaks) {
  windrow::apps::command_line line(
      "A network of neurons with hubs: groups that stay, and groups as mobile objects", "neurons");
  line.add("--neurons", &o.chosen.net.neurons, "neurons").in(1, 1'000'000'000);
  line.add("--group", &o.chosen.net.group, "neurons of a group").in(1, 1'000'000);
  line.add("--steps", &o.chosen.steps, "steps");
  windrow::apps::add_balancing_options(line, o.chosen.balance_every, o.policy);
  return line.parse(argc, argv, speaks);
}

bool report(const neurons::settings& s, const neurons::outcome& stay, const neurons::outcome& move) {
  return windrow::apps::print_outcomes(neurons::run_sequential(s), stay, move);
}

} // namespace

int main(int argc, char** argv) {
  return windrow::apps::run_balanced<neurons::settings>(argc, argv, parse, neurons::run_static,
                                                        neurons::run_mobile, report);
}
