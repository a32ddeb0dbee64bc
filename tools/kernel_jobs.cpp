// SPDX-License-Identifier: BSD-3-Clause
#include "tools/kernel_jobs.hpp"

#include <fmt/format.h>

#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

void show(const json& event, const std::string& where, progress& watch) {
  if (event.at("event") == "start") watch.expect(event.at("runs").get<std::size_t>());
  if (event.at("event") != "turn") return;
  watch.step(fmt::format("{}, {}{}", event.at("kernel").get<std::string>(),
                         event.at("style").get<std::string>(), where));
}

} // namespace

apps::runner_outcome run_kernels(const surroundings& place, const std::string& pes,
                                 const std::vector<std::string>& arguments, progress& watch,
                                 const std::string& where, const std::vector<std::string>& environment) {
  auto outcome = apps::run_to_end({place.windrow(), place.program("kernels"), pes, arguments, environment},
                                  [&](const auto& event) { show(event, where, watch); });
  if (outcome.complete()) return outcome;
  while (outcome.said.ends_with('\n')) outcome.said.pop_back();
  throw error(fmt::format("the kernels ended with exit code {} and without all results:\n{}",
                          outcome.exit_code, outcome.said));
}

} // namespace windrow::tools
