// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/fatal.hpp"
#include "tools/commands.hpp"
#include "tools/names.hpp"
#include "windrow/error.hpp"
#include "windrow/version.hpp"

namespace {

using words = std::vector<std::string>;

// Those behind which another program's words follow.
bool may_have_separator(const words& given) {
  const std::string first = given.empty() ? "" : given[0], second = given.size() < 2 ? "" : given[1];
  return first == "run" || first == "explain" ||
         (first == "overlap" && (second == "record" || second == "check"));
}

words arguments(int argc, char** argv) {
  words result = windrow::tools::by_name(argv[0], words(argv + 1, argv + argc));
  if (!may_have_separator(result)) return result;
  const auto first = std::find(result.begin(), result.end(), "--");
  if (first != result.end()) first->assign(windrow::tools::separator);
  return result;
}

// CLI11 would only say that a subcommand is missing.
void check_command(const CLI::App& app, const words& given) {
  if (given.empty() || given.front().starts_with('-')) return;
  for (const auto* command : app.get_subcommands({}))
    if (command->check_name(given.front())) return;
#ifndef WINDROW_APPLICATIONS
  for (const auto* left_out : {"demo", "bench", "graph"})
    if (given.front() == left_out)
      throw windrow::error("this windrow has no command '" + given.front() +
                           "': it was built without -DWINDROW_DEVELOPER=ON");
#endif
  throw windrow::error("there is no command '" + given.front() + "'; windrow --help lists them");
}

int parse(CLI::App& app, words given) {
  if (windrow::tools::act_as_compiler(given)) return 0;
  check_command(app, given);
  std::reverse(given.begin(), given.end()); // as CLI11 wants them
  try {
    app.parse(given);
    return 0;
  } catch (const CLI::ParseError& result) { // also --help and --version
    return app.exit(result) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  }
}

// What was printed may still be on its way, and be too much for the disk.
int after_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  windrow::base::say(std::string("cannot write to standard output: ") + std::strerror(errno));
  return code == 0 ? EXIT_FAILURE : code;
}

} // namespace

int main(int argc, char** argv) {
  using namespace windrow;
  try {
    CLI::App app("Windrow: plain one-sided code at hand-aggregated speed", "windrow");
    app.set_version_flag("--version", "windrow " WINDROW_VERSION);
    app.require_subcommand(1);
    tools::add_run(app);
#ifdef WINDROW_APPLICATIONS
    tools::add_demo(app);
    tools::add_bench(app);
    tools::add_graph(app);
#endif
    tools::add_balance(app);
    tools::add_compilers(app);
    tools::add_explain(app);
    tools::add_overlap(app);
    tools::add_info(app);
    return after_output(parse(app, arguments(argc, argv)));
  } catch (const tools::exit_code& end) {
    return after_output(end.code);
  } catch (const std::exception& problem) {
    base::fatal(problem.what());
  }
}
