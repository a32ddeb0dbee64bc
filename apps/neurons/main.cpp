// SPDX-License-Identifier: BSD-3-Clause
// A network of neurons with hubs: groups that stay, and groups as mobile objects.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "apps/neurons/simulation.hpp"
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
  app.add_option("--balance-every", o.chosen.balance_every, "steps from one balancing to the next")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--policy", o.policy,
                 fmt::format("one of {}", fmt::join(windrow::balance::policy_names(), ", ")))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
    return -1;
  } catch (const CLI::ParseError& end) {
    std::ostringstream unsaid;
    return speaks ? app.exit(end) : app.exit(end, unsaid, unsaid);
  }
}

void print(const char* name, const neurons::outcome& r, std::uint64_t wanted) {
  fmt::print("{:<12}{:>9.3f} s  {}", name, r.seconds, r.checksum == wanted ? "right" : "WRONG");
  double before = 0, after = 0;
  for (std::size_t i = 0; i < r.before.size(); ++i) before += r.before[i], after += r.after[i];
  const auto count = static_cast<double>(r.before.size());
  if (count > 0)
    fmt::print("; load {:.2f} -> {:.2f} of ideal on average, {} moves", before / count, after / count,
               r.moves);
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
  const auto stay = neurons::run_static(job, o.chosen);
  const auto move = neurons::run_mobile(job, o.chosen, policy);
  if (job.pe() != 0) return 0;
  const auto alone = neurons::run_sequential(o.chosen);
  print("sequential", alone, alone.checksum);
  print("static", stay, alone.checksum);
  print("mobile", move, alone.checksum);
  return stay.checksum == alone.checksum && move.checksum == alone.checksum ? 0 : 1;
}
