// SPDX-License-Identifier: BSD-3-Clause
// A mesh of tetrahedra that is fine around a spot which goes round: parts that stay, and parts as mobile
// objects.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "apps/support/balanced_program.hpp"
#include "apps/tetrahedra/simulation.hpp"

namespace tetrahedra = windrow::apps::tetrahedra;

namespace {

using options = windrow::apps::balanced_options<tetrahedra::settings>;

int parse(options& o, int argc, char** argv, bool speaks) {
  CLI::App app(
      "A mesh of tetrahedra, refined around a spot that goes round: leaves of an octree whose parts of the "
      "mesh "
      "stay, and parts as mobile objects",
      "tetrahedra");
  app.add_option("--depth", o.chosen.where.depth, "of the octree, where the spot comes by")
      ->check(CLI::Range(1, 6))
      ->capture_default_str();
  app.add_option("--finest", o.chosen.where.finest, "edges at the spot; the cube has the side 1")
      ->check(CLI::Range(1e-3, 1.0))
      ->capture_default_str();
  app.add_option("--growth", o.chosen.where.growth, "how much longer they may be at a distance of 1")
      ->check(CLI::Range(0.01, 10.0))
      ->capture_default_str();
  app.add_option("--steps", o.chosen.steps, "steps")->check(CLI::Range(1, 1'000'000))->capture_default_str();
  windrow::apps::add_balancing_options(app, o.chosen.balance_every, o.policy);
  return windrow::apps::parse_arguments(app, argc, argv, speaks);
}

bool report(const tetrahedra::settings& s, const tetrahedra::outcome& stay, const tetrahedra::outcome& move) {
  const auto alone = tetrahedra::run_sequential(s);
  fmt::print("{} tetrahedra in the last of {} meshes\n", alone.tetrahedra.back(), alone.tetrahedra.size());
  return windrow::apps::print_outcomes(alone, stay, move, [&](const tetrahedra::outcome& r) {
    return r.tetrahedra == alone.tetrahedra && r.checksums == alone.checksums;
  });
}

} // namespace

int main(int argc, char** argv) {
  return windrow::apps::run_balanced<tetrahedra::settings>(argc, argv, parse, tetrahedra::run_static,
                                                           tetrahedra::run_mobile, report);
}
