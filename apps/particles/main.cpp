// SPDX-License-Identifier: BSD-3-Clause
// Particles in cells whose dense region drifts: cells as mobile objects, beside cells that stay.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "apps/particles/simulation.hpp"
#include "apps/support/balanced_program.hpp"
#include "windrow/error.hpp"

namespace particles = windrow::apps::particles;

namespace {

struct options {
  particles::settings chosen;
  std::string policy = "refine";
};

int parse(options& o, int argc, char** argv, bool speaks) {
  CLI::App app("Particles in cells whose dense region drifts: cells that stay, and cells as mobile objects",
               "particles");
  app.add_option("--side", o.chosen.cells.side, "cells in a row, and rows")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app.add_option("--particles", o.chosen.particles, "particles")->capture_default_str();
  app.add_option("--steps", o.chosen.steps, "steps")->capture_default_str();
  windrow::apps::add_balancing_options(app, o.chosen.balance_every, o.policy);
  return windrow::apps::parse_arguments(app, argc, argv, speaks);
}

} // namespace

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  options o;
  if (const int code = parse(o, argc, argv, job.pe() == 0); code >= 0) {
    job.finalize();
    return code;
  }
  const auto policy = windrow::balance::named_policy(o.policy);
  const auto stay = particles::run_static(job, o.chosen);
  const auto move = particles::run_mobile(job, o.chosen, policy);
  if (job.pe() != 0) return 0;
  const auto alone = particles::run_sequential(o.chosen);
  windrow::apps::print_outcome("sequential", alone, true);
  windrow::apps::print_outcome("static", stay, stay.checksum == alone.checksum);
  windrow::apps::print_outcome("mobile", move, move.checksum == alone.checksum);
  windrow::apps::print_gain(stay.seconds, move.seconds);
  return stay.checksum == alone.checksum && move.checksum == alone.checksum ? 0 : 1;
}
