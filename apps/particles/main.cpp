// SPDX-License-Identifier: BSD-3-Clause
// Particles in cells whose dense region drifts: cells as mobile objects, beside cells that stay.
#include "apps/particles/simulation.hpp"
#include "apps/support/balanced_program.hpp"

namespace particles = windrow::apps::particles;

namespace {

using options = windrow::apps::balanced_options<particles::settings>;

int parse(options& o, int argc, char** argv, bool speaks) {
  windrow::apps::command_line line(
      "Particles in cells whose dense region drifts: cells that stay, and cells as mobile objects",
      "particles");
  line.add("--side", &o.chosen.cells.side, "cells in a row, and rows").in(1, 4096);
  line.add("--particles", &o.chosen.particles, "particles");
  line.add("--steps", &o.chosen.steps, "steps");
  windrow::apps::add_balancing_options(line, o.chosen.balance_every, o.policy);
  return line.parse(argc, argv, speaks);
}

bool report(const particles::settings& s, const particles::outcome& stay, const particles::outcome& move) {
  return windrow::apps::print_outcomes(particles::run_sequential(s), stay, move);
}

} // namespace

int main(int argc, char** argv) {
  return windrow::apps::run_balanced<particles::settings>(argc, argv, parse, particles::run_static,
                                                          particles::run_mobile, report);
}
