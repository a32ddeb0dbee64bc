// SPDX-License-Identifier: BSD-3-Clause
#include "tools/demo/directive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "apps/support/json.hpp"
#include "tools/describe_graph.hpp"
#include "tools/plugin.hpp"
#include "tools/side_job.hpp"
#include "tools/surroundings.hpp"
#include "tools/temporary_folder.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

namespace fs = std::filesystem;

/// Runs a command to its end and returns the last line that it printed; an error if it fails.
std::string last_line_of(const std::vector<std::string>& command,
                         const std::vector<std::string>& variables = {}) {
  std::string last;
  side_job job(command, [&](const std::string& line) { last = line; }, variables);
  while (job.read_some()) {
  }
  if (const int code = job.wait())
    throw error(fmt::format("{} ended with exit code {}", fmt::join(command, " "), code));
  return last;
}

struct loop_place {
  const char *label, *delay, *items;
};
constexpr std::array loop_places{loop_place{"this host", "", "1000000"},
                                 loop_place{"5 us apart", "5us", "10000"},
                                 loop_place{"50 us apart", "50us", "10000"}};

constexpr unsigned timed_runs = 3;

/// The best of a few runs.
directive_run run_loop(const surroundings& place, const loop_place& where, const std::string& program) {
  directive_run best;
  for (unsigned turn = 0; turn < timed_runs; ++turn) {
    const auto said =
        json::parse(last_line_of({place.windrow(), "run", "-n", "2", "--", program, where.items},
                                 {std::string("WINDROW_DELAY=") + where.delay}));
    const auto seconds = said.at("seconds").get<double>();
    best.plain_seconds = turn == 0 ? seconds : std::min(best.plain_seconds, seconds);
    best.operations = said.at("operations").get<std::uint64_t>();
    best.is_right = said.at("right").get<bool>();
  }
  return best;
}

std::string in_ms(double seconds) {
  return fmt::format("{:.1f}", seconds * 1e3);
}

} // namespace

std::string why_no_directive() {
  try {
    return fs::exists(file_of(usual_plugin())) ? "" : "the compiler plug-in is not built";
  } catch (const error& problem) {
    return problem.what();
  }
}

std::string directive_loop() {
  std::ifstream source(surroundings().directive_program());
  std::string lines, line;
  bool shown = false;
  while (std::getline(source, line)) {
    shown = shown || line.starts_with("#pragma");
    if (shown) lines += "    " + line + '\n';
    if (shown && line.starts_with("  }")) break;
  }
  return lines;
}

std::vector<directive_run> run_directive() {
  const surroundings place;
  const temporary_folder folder("windrow-demo");
  const auto source = place.directive_program(), plain = folder.file("plain"),
             deferred = folder.file("deferred");
  last_line_of({place.windrow(), "cc", "-O2", "-w", source, "-o", plain});
  last_line_of({place.windrow(), "cc", "-fdefer", "-O2", source, "-o", deferred});
  std::vector<directive_run> runs;
  for (const auto& where : loop_places) {
    auto run = run_loop(place, where, plain);
    const auto other = run_loop(place, where, deferred);
    run.label = where.label;
    run.deferred_seconds = other.plain_seconds;
    run.is_right = run.is_right && other.is_right;
    runs.push_back(run);
  }
  return runs;
}

std::string directive_table(const std::vector<directive_run>& runs) {
  auto table = fmt::format("{:<14}{:>12}{:>12}{:>12}\n{:<14}{:>12}{:>12}{:>12}{:>10}\n", "2 PEs",
                           "operations", "without", "-fdefer", "", "", "ms", "ms", "faster");
  for (const auto& run : runs) {
    const auto times = run.plain_seconds / run.deferred_seconds;
    table += fmt::format("{:<14}{:>12}{:>12}{:>12}{:>10}{}\n", run.label, grouped(run.operations),
                         in_ms(run.plain_seconds), in_ms(run.deferred_seconds),
                         fmt::format("{:.{}f} x", times, times < 10 ? 1 : 0), run.is_right ? "" : "  WRONG");
  }
  return table;
}

} // namespace windrow::tools
