// SPDX-License-Identifier: BSD-3-Clause
// A mesh of tetrahedra that is fine around a spot which goes round: parts that stay, and parts as mobile
// objects.
#include <fmt/format.h>

#include "apps/support/balanced_program.hpp"
#include "apps/tetrahedra/simulation.hpp"

namespace tetrahedra = windrow::apps::tetrahedra;

namespace {

using options = windrow::apps::balanced_options<tetrahedra::settings>;

int parse(options& o, int argc, char** argv, bool speaks) {
  windrow::apps::command_line line(
      "A mesh of tetrahedra, refined around a spot that goes round: leaves of an octree whose parts of the "
      "mesh "
      "stay, and parts as mobile objects",
      "tetrahedra");
  line.add("--depth", &o.chosen.where.depth, "of the octree, where the spot comes by").in(1, 6);
  line.add("--finest", &o.chosen.where.finest, "edges at the spot; the cube has the side 1").in(1e-3, 1.0);
  line.add("--growth", &o.chosen.where.growth, "how much longer they may be at a distance of 1")
      .in(0.01, 10.0);
  line.add("--steps", &o.chosen.steps, "steps").in(1, 1'000'000);
  windrow::apps::add_balancing_options(line, o.chosen.balance_every, o.policy);
  return line.parse(argc, argv, speaks);
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
