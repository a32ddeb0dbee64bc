// SPDX-License-Identifier: BSD-3-Clause
#include "tools/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>

#include "base/fatal.hpp"
#include "tools/commands.hpp"
#include "tools/launcher_options.hpp"
#include "tools/program_path.hpp"
#include "tools/shell_line.hpp"

namespace windrow::tools {

namespace {

using words = std::vector<std::string>;

void show_run(words arguments) {
  arguments.insert(arguments.begin(), "windrow");
  fmt::print("{}\n", shell_line(arguments));
  throw exit_code{0};
}

words as_run(const words& arguments) {
  auto said = translate_launcher(arguments);
  if (said.version) return {"--version"};
  if (!said.ignored.empty())
    base::say(fmt::format("oshrun: ignored, since PEs are placed by --bind and --hosts: {}",
                          fmt::join(said.ignored, ", ")));
  words result{"run"};
  result.insert(result.end(), said.options.begin(), said.options.end());
  result.insert(result.end(), said.program.begin(), said.program.end());
  if (said.show) show_run(result);
  return result;
}

std::string last_part(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

// Those of the standard, and those that Open MPI, Sandia and OSSS install beside them.
std::string subcommand(const std::string& name) {
  static const std::map<std::string, std::string> known{
      {"oshcc", "oshcc"},  {"shmemcc", "oshcc"},   {"oshc++", "oshc++"},   {"oshcxx", "oshc++"},
      {"oshCC", "oshc++"}, {"shmemc++", "oshc++"}, {"shmemcxx", "oshc++"}, {"shmemCC", "oshc++"},
      {"oshrun", "run"},   {"oshexec", "run"},     {"shmemrun", "run"}};
  const auto found = known.find(name);
  return found == known.end() ? "" : found->second;
}

// A link to a link has the meaning of the first name that has one.
std::string subcommand_by_links(const std::string& program) {
  namespace fs = std::filesystem;
  auto file = find_program(program);
  auto found = subcommand(last_part(program));
  std::error_code failure;
  for (int links = 0; found.empty() && links < 40 && fs::is_symlink(file, failure); ++links) {
    file = file.parent_path() / fs::read_symlink(file, failure);
    found = subcommand(file.filename());
  }
  return found;
}

} // namespace

words by_name(const std::string& program, words arguments) {
  const auto meant = subcommand_by_links(program);
  if (meant == "run") return as_run(arguments);
  if (!meant.empty()) arguments.insert(arguments.begin(), meant);
  return arguments;
}

} // namespace windrow::tools
