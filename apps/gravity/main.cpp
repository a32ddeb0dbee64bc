// SPDX-License-Identifier: BSD-3-Clause
// Bodies that attract each other, by the method of Barnes and Hut: boxes that stay, and boxes as mobile
// objects.
#include <fmt/format.h>

#include <vector>

#include "apps/gravity/simulation.hpp"
#include "apps/support/balanced_program.hpp"

namespace gravity = windrow::apps::gravity;

namespace {

using options = windrow::apps::balanced_options<gravity::settings>;

int parse(options& o, int argc, char** argv, bool speaks) {
  windrow::apps::command_line line(
      "Two clusters of bodies that fly through one another, by the method of Barnes and Hut: boxes that "
      "stay, "
      "and boxes as mobile objects",
      "gravity");
  line.add("--side", &o.chosen.of.cells.side, "boxes in each direction, each of which knows all others")
      .in(1, 16);
  line.add("--bodies", &o.chosen.of.bodies, "bodies").in(1, 1'000'000'000);
  line.add("--opening", &o.chosen.of.opening,
           "size by distance up to which a cube counts as one body; 0: never")
      .in(0.0, 1.0);
  line.add("--steps", &o.chosen.steps, "steps");
  line.add_flag(
      "--all-workers", [&] { o.chosen.runs = windrow::handlers::on_all_workers; },
      "boxes on all workers of a PE");
  windrow::apps::add_balancing_options(line, o.chosen.balance_every, o.policy);
  return line.parse(argc, argv, speaks);
}

bool report(const gravity::settings& s, const gravity::outcome& stay, const gravity::outcome& move) {
  std::vector<gravity::body> last;
  const auto alone = gravity::run_sequential(s, &last);
  fmt::print("accelerations differ from sums over all bodies by {:.2e}\n",
             gravity::error_of_tree(s.of, last, 1 + last.size() / 100));
  return windrow::apps::print_outcomes(alone, stay, move);
}

} // namespace

int main(int argc, char** argv) {
  return windrow::apps::run_balanced<gravity::settings>(argc, argv, parse, gravity::run_static,
                                                        gravity::run_mobile, report);
}
