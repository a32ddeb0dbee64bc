// SPDX-License-Identifier: BSD-3-Clause
#include "tools/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "tools/commands.hpp"
#include "tools/program_path.hpp"

namespace windrow::tools {

namespace {

using words = std::vector<std::string>;

// Options end where the program begins, which has options of its own. All of ours but --tag-output take a
// value.
words::iterator end_of_options(words& arguments) {
  auto at = arguments.begin();
  while (at != arguments.end() && at->starts_with('-') && *at != "--") {
    const bool alone =
        *at == "--tag-output" || *at == "-show" || *at == "--help" || at->find('=') != std::string::npos;
    at += alone || std::next(at) == arguments.end() ? 1 : 2;
  }
  return at;
}

void show_run(words& arguments, words::iterator end) {
  arguments.erase(std::remove(arguments.begin(), end, "-show"), end);
  fmt::print("windrow run");
  for (const auto& word : arguments) fmt::print(" {}", word);
  fmt::print("\n");
  throw exit_code{0};
}

words as_run(words arguments) {
  const auto end = end_of_options(arguments);
  std::replace(arguments.begin(), end, std::string("-np"), std::string("-n"));
  if (std::find(arguments.begin(), end, "-show") != end) show_run(arguments, end);
  arguments.insert(arguments.begin(), "run");
  return arguments;
}

std::string last_part(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

std::string subcommand(const std::string& name) {
  if (name == "oshrun") return "run";
  if (name == "oshcc") return name;
  if (name == "oshc++" || name == "oshcxx" || name == "oshCC") return "oshc++";
  return "";
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
  if (meant == "run") return as_run(std::move(arguments));
  if (!meant.empty()) arguments.insert(arguments.begin(), meant);
  return arguments;
}

} // namespace windrow::tools
