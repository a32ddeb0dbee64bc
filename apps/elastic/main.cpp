// SPDX-License-Identifier: BSD-3-Clause
// Elastic waves on a grid in three dimensions: blocks that stay, and blocks as mobile objects.
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "apps/elastic/simulation.hpp"
#include "apps/support/balanced_program.hpp"

namespace elastic = windrow::apps::elastic;

namespace {

using options = windrow::apps::balanced_options<elastic::settings>;

int parse(options& o, int argc, char** argv, bool speaks) {
  windrow::apps::command_line line(
      "Elastic waves in three dimensions, of fourth order: blocks of the grid that stay, and blocks as "
      "mobile "
      "objects. Those that no wave has reached compute nothing.",
      "elastic");
  std::map<std::string, elastic::scenario> scenarios;
  std::vector<std::string> names;
  for (const auto which : {elastic::scenario::p_wave, elastic::scenario::s_wave, elastic::scenario::ripples,
                           elastic::scenario::source}) {
    names.emplace_back(elastic::name_of(which));
    scenarios.emplace(names.back(), which);
  }
  std::string name{elastic::name_of(elastic::scenario::source)};
  line.add("--problem", &name,
           "source: an explosion below a soft layer; p-wave, s-wave, ripples: a solution that is known")
      .one_of(names);
  line.add("--blocks", &o.chosen.points.blocks, "blocks in each direction").in(1, 256);
  line.add("--side", &o.chosen.points.side, "points of a block in each direction").in(4, 256);
  line.add("--quiet", &o.chosen.points.quiet, "displacement that does not wake a block").not_negative();
  line.add("--steps", &o.chosen.steps, "steps").in(1, 1'000'000);
  line.add_flag(
      "--all-workers", [&] { o.chosen.where = windrow::handlers::on_all_workers; },
      "different blocks on all workers of a PE, too; planes of a block always are");
  windrow::apps::add_balancing_options(line, o.chosen.balance_every, o.policy);
  const int code = line.parse(argc, argv, speaks);
  if (code < 0) o.chosen.what = elastic::make_problem(scenarios.at(name));
  return code;
}

bool report(const elastic::settings& s, const elastic::outcome& stay, const elastic::outcome& move) {
  const auto alone = elastic::run_sequential(s);
  if (s.what.has_solution())
    fmt::print("{} steps, t = {:.3f}: within {:.2e} of the solution\n", s.steps, s.end(), alone.error);
  else
    fmt::print("{} steps, t = {:.3f}: at most {:.2e} from rest, {} of {} blocks awake\n", s.steps, s.end(),
               alone.error, alone.awake, s.points.count());
  return windrow::apps::print_outcomes(alone, stay, move);
}

} // namespace

int main(int argc, char** argv) {
  return windrow::apps::run_balanced<elastic::settings>(argc, argv, parse, elastic::run_static,
                                                        elastic::run_mobile, report);
}
