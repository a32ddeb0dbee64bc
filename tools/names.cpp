// SPDX-License-Identifier: BSD-3-Clause
#include "tools/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tools/commands.hpp"

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

} // namespace

words by_name(const std::string& program, words arguments) {
  const auto name = program.substr(program.find_last_of('/') + 1);
  if (name == "oshrun") return as_run(std::move(arguments));
  if (name == "oshcc") arguments.insert(arguments.begin(), "cc");
  if (name == "oshc++" || name == "oshcxx" || name == "oshCC") arguments.insert(arguments.begin(), "c++");
  return arguments;
}

} // namespace windrow::tools
