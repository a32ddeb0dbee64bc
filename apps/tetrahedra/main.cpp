// SPDX-License-Identifier: BSD-3-Clause
// A mesh of tetrahedra that is fine around a spot which goes round: parts that stay, and parts as mobile
// objects.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "apps/support/balanced_program.hpp"
#include "apps/tetrahedra/simulation.hpp"

namespace tetrahedra = windrow::apps::tetrahedra;

namespace {

struct options {
  tetrahedra::settings chosen;
  std::string policy = "refine";
};

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

bool is_same(const tetrahedra::outcome& r, const tetrahedra::outcome& wanted) {
  return r.tetrahedra == wanted.tetrahedra && r.checksums == wanted.checksums;
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
  const auto stay = tetrahedra::run_static(job, o.chosen);
  const auto move = tetrahedra::run_mobile(job, o.chosen, policy);
  if (job.pe() != 0) return 0;
  const auto alone = tetrahedra::run_sequential(o.chosen);
  fmt::print("{} tetrahedra in the last of {} meshes\n", alone.tetrahedra.back(), alone.tetrahedra.size());
  windrow::apps::print_outcome("sequential", alone, true);
  windrow::apps::print_outcome("static", stay, is_same(stay, alone));
  windrow::apps::print_outcome("mobile", move, is_same(move, alone));
  windrow::apps::print_gain(stay.seconds, move.seconds);
  return is_same(stay, alone) && is_same(move, alone) ? 0 : 1;
}
