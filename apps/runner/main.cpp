// SPDX-License-Identifier: BSD-3-Clause
// The runner: every kernel in every style, on one graph, checked and timed in one job.
#include <iostream>

#include "apps/kernels/table.hpp"
#include "apps/runner/input.hpp"
#include "apps/runner/run.hpp"

int main(int argc, char** argv) {
  using namespace windrow;
  job j(argc, argv);
  const auto chosen = apps::parse_plan(j, argc, argv, apps::kernels());
  const auto work = apps::load(j, chosen);
  const auto meter = j.pe() == 0 ? apps::energy_meter() : apps::energy_meter::none();
  return apps::run(j, chosen, work, meter, std::cout) ? 0 : 1;
}
