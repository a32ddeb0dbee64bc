// SPDX-License-Identifier: BSD-3-Clause
// Bodies that attract each other, by the method of Barnes and Hut: boxes that stay, and boxes as mobile
// objects.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "apps/gravity/simulation.hpp"
#include "apps/support/balanced_program.hpp"

namespace gravity = windrow::apps::gravity;

namespace {

struct options {
  gravity::settings chosen;
  std::string policy = "refine";
};

int parse(options& o, int argc, char** argv, bool speaks) {
  CLI::App app(
      "Two clusters of bodies that fly through one another, by the method of Barnes and Hut: boxes that "
      "stay, "
      "and boxes as mobile objects",
      "gravity");
  app.add_option("--side", o.chosen.of.cells.side, "boxes in each direction")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--bodies", o.chosen.of.bodies, "bodies")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  app.add_option("--opening", o.chosen.of.opening,
                 "size by distance up to which a cube counts as one body; 0: never")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--steps", o.chosen.steps, "steps")->capture_default_str();
  app.add_flag_callback(
      "--all-workers", [&] { o.chosen.runs = windrow::handlers::on_all_workers; },
      "boxes on all workers of a PE");
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
  const auto stay = gravity::run_static(job, o.chosen);
  const auto move = gravity::run_mobile(job, o.chosen, policy);
  if (job.pe() != 0) return 0;
  std::vector<gravity::body> last;
  const auto alone = gravity::run_sequential(o.chosen, &last);
  fmt::print("accelerations differ from sums over all bodies by {:.2e}\n",
             gravity::error_of_tree(o.chosen.of, last, 1 + last.size() / 100));
  windrow::apps::print_outcome("sequential", alone, true);
  windrow::apps::print_outcome("static", stay, stay.checksum == alone.checksum);
  windrow::apps::print_outcome("mobile", move, move.checksum == alone.checksum);
  windrow::apps::print_gain(stay.seconds, move.seconds);
  return stay.checksum == alone.checksum && move.checksum == alone.checksum ? 0 : 1;
}
