// SPDX-License-Identifier: BSD-3-Clause
// A triangular mesh that is fine around a spot which goes round: patches that stay, and patches as mobile
// objects.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "apps/refinement/simulation.hpp"
#include "apps/support/balanced_program.hpp"

namespace refinement = windrow::apps::refinement;

namespace {

struct options {
  refinement::settings chosen;
  std::string policy = "refine";
};

int parse(options& o, int argc, char** argv, bool speaks) {
  CLI::App app(
      "A triangular mesh, refined around a spot that goes round: patches that stay, and patches as "
      "mobile objects",
      "refinement");
  app.add_option("--side", o.chosen.where.side, "patches in a row, and rows")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--finest", o.chosen.where.finest, "size of the triangles at the spot; the domain has 1")
      ->check(CLI::Range(1e-4, 1.0))
      ->capture_default_str();
  app.add_option("--steps", o.chosen.steps, "steps")->check(CLI::Range(1, 1'000'000))->capture_default_str();
  windrow::apps::add_balancing_options(app, o.chosen.balance_every, o.policy);
  app.add_option("--picture", o.chosen.picture, "SVG file of the last mesh, and of the loads");
  return windrow::apps::parse_arguments(app, argc, argv, speaks);
}

void print(const char* name, const refinement::outcome& r, const refinement::outcome& wanted) {
  const bool right = r.triangles == wanted.triangles && r.checksums == wanted.checksums;
  fmt::print("{:<12}{:>9.3f} s  {}", name, r.seconds, right ? "right" : "WRONG");
  if (!r.loads.empty()) fmt::print("; {:.2f} of ideal, {} moves", r.imbalance(), r.moves);
  fmt::print("\n");
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
  const auto stay = refinement::run_static(job, o.chosen);
  const auto move = refinement::run_mobile(job, o.chosen, policy);
  if (job.pe() != 0) return 0;
  const auto alone = refinement::run_sequential(o.chosen);
  fmt::print("{} triangles in the last of {} meshes\n", alone.triangles.back(), alone.triangles.size());
  print("sequential", alone, alone);
  print("static", stay, alone);
  print("mobile", move, alone);
  windrow::apps::print_gain(stay.seconds, move.seconds);
  return stay.checksums == alone.checksums && move.checksums == alone.checksums ? 0 : 1;
}
