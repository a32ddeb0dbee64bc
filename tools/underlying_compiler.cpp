// SPDX-License-Identifier: BSD-3-Clause
#include "tools/underlying_compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "base/options.hpp"
#include "tools/program_path.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

// Holds the name of the variable that named the compiler.
constexpr const char* mark = "WINDROW_COMPILER_FROM";
constexpr const char* nothing = "default";

words named_by(const char* variable) {
  std::istringstream stream(base::text_option(variable).value_or(""));
  return {std::istream_iterator<std::string>(stream), {}};
}

bool is_this_program(const std::string& program) {
  std::error_code failure;
  const auto file = find_program(program);
  return !file.empty() && fs::equivalent(file, "/proc/self/exe", failure);
}

// In "ccache oshcc -m64", programs come before options.
bool leads_back(const words& line) {
  const auto options =
      std::find_if(line.begin(), line.end(), [](const auto& word) { return word.starts_with('-'); });
  return std::any_of(line.begin(), options, is_this_program);
}

error leading_back(const char* variable) {
  return error(fmt::format("{}='{}' leads back to Windrow's own wrapper: name the compiler behind it",
                           variable, base::text_option(variable).value_or("")));
}

} // namespace

compiler_choice named_compiler(const compiler_variables& variables) {
  if (auto line = named_by(variables.own); !line.empty()) {
    if (leads_back(line)) throw leading_back(variables.own);
    return {std::move(line), variables.own};
  }
  if (variables.usual == nullptr) return {};
  auto line = named_by(variables.usual);
  if (line.empty() || leads_back(line)) return {};
  return {std::move(line), variables.usual};
}

bool is_started_by_wrapper(const compiler_variables& variables) {
  const auto from = base::text_option(mark);
  if (!from) return false;
  if (from->starts_with("WINDROW_")) throw leading_back(from->c_str());
  if (*from == nothing)
    throw error(fmt::format(
        "the compiler that Windrow was built with leads back to its wrapper: name another one in {}",
        variables.own));
  return true;
}

void mark_as_wrapper(const std::string& variable) {
  ::setenv(mark, variable.empty() ? nothing : variable.c_str(), 1);
}

} // namespace windrow::tools
