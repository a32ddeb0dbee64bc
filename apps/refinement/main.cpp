// SPDX-License-Identifier: BSD-3-Clause
// A triangular mesh that is fine around a spot which goes round: patches that stay, and patches as mobile
// objects.
#include <fmt/format.h>

#include "apps/refinement/simulation.hpp"
#include "apps/support/balanced_program.hpp"
#include "apps/support/whole_file.hpp"

namespace refinement = windrow::apps::refinement;

namespace {

using options = windrow::apps::balanced_options<refinement::settings>;

int parse(options& o, int argc, char** argv, bool speaks) {
  windrow::apps::command_line line(
      "A triangular mesh, refined around a spot that goes round: patches that stay, and patches as "
      "mobile objects",
      "refinement");
  line.add("--side", &o.chosen.where.side, "patches in a row, and rows").in(1, 256);
  line.add("--finest", &o.chosen.where.finest, "size of the triangles at the spot; the domain has 1")
      .in(1e-4, 1.0);
  line.add("--steps", &o.chosen.steps, "steps").in(1, 1'000'000);
  windrow::apps::add_balancing_options(line, o.chosen.balance_every, o.policy);
  line.add("--picture", &o.chosen.picture, "SVG file of the last mesh, and of the loads");
  const int code = line.parse(argc, argv, speaks);
  if (code < 0 && speaks && !o.chosen.picture.empty())
    windrow::apps::check_can_be_written(o.chosen.picture); // before the work, not behind it
  return code;
}

void print(const char* name, const refinement::outcome& r, const refinement::outcome& wanted) {
  const bool right = r.triangles == wanted.triangles && r.checksums == wanted.checksums;
  fmt::print("{:<12}{:>9.3f} s  {}", name, r.seconds, right ? "right" : "WRONG");
  if (!r.loads.empty()) fmt::print("; {:.2f} of ideal, {} moves", r.imbalance(), r.moves);
  fmt::print("\n");
}

bool report(const refinement::settings& s, const refinement::outcome& stay, const refinement::outcome& move) {
  const auto alone = refinement::run_sequential(s);
  fmt::print("{} triangles in the last of {} meshes\n", alone.triangles.back(), alone.triangles.size());
  print("sequential", alone, alone);
  print("static", stay, alone);
  print("mobile", move, alone);
  return stay.checksums == alone.checksums && move.checksums == alone.checksums;
}

} // namespace

int main(int argc, char** argv) {
  return windrow::apps::run_balanced<refinement::settings>(argc, argv, parse, refinement::run_static,
                                                           refinement::run_mobile, report);
}
