// SPDX-License-Identifier: BSD-3-Clause
// A network of neurons with hubs: groups that stay, and groups as mobile objects.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "apps/neurons/simulation.hpp"
#include "apps/support/balanced_program.hpp"
#include "windrow/error.hpp"

namespace neurons = windrow::apps::neurons;

namespace {

struct options {
  neurons::settings chosen;
  std::string policy = "refine";
};

int parse(options& o, int argc, char** argv, bool speaks) {
  CLI::App app("A network of neurons with hubs: groups that stay, and groups as mobile objects", "neurons");
  app.add_option("--neurons", o.chosen.net.neurons, "neurons")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  app.add_option("--group", o.chosen.net.group, "neurons of a group")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
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
  const auto stay = neurons::run_static(job, o.chosen);
  const auto move = neurons::run_mobile(job, o.chosen, policy);
  if (job.pe() != 0) return 0;
  const auto alone = neurons::run_sequential(o.chosen);
  windrow::apps::print_outcome("sequential", alone, true);
  windrow::apps::print_outcome("static", stay, stay.checksum == alone.checksum);
  windrow::apps::print_outcome("mobile", move, move.checksum == alone.checksum);
  windrow::apps::print_gain(stay.seconds, move.seconds);
  return stay.checksum == alone.checksum && move.checksum == alone.checksum ? 0 : 1;
}
