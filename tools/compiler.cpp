// SPDX-License-Identifier: BSD-3-Clause
// windrow cc, windrow c++: the compiler with what a Windrow program needs.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "os/process.hpp"
#include "tools/build_facts.hpp"
#include "tools/commands.hpp"
#include "tools/plugin.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

struct language {
  const char* command;
  const char* variable; ///< environment variable that names another compiler
  const char* compiler;
  const char* build_facts::plugin::* clang; ///< the compiler that loads a plug-in
  words first, last;                        ///< flags before and after the user's
};

struct places {
  fs::path include, library;
};

places find_library() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const auto& [include, library] :
       {places{build_facts::installed_include, build_facts::installed_library},
        places{build_facts::build_include, build_facts::build_library}})
    if (fs::exists(here / library / "libwindrow.a"))
      return {(here / include).lexically_normal(), (here / library).lexically_normal()};
  throw error(fmt::format("libwindrow.a is neither in {} nor in {}: build Windrow, or install it as a whole",
                          (here / build_facts::installed_library).lexically_normal().string(),
                          (here / build_facts::build_library).lexically_normal().string()));
}

words split(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

void append(words& to, const words& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Compilers complain about libraries that they do not need.
bool links(const words& arguments) {
  constexpr std::array stop_early{"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--version"};
  return std::find_first_of(arguments.begin(), arguments.end(), stop_early.begin(), stop_early.end()) ==
         arguments.end();
}

// So that a shell reads the word as it is.
std::string quoted(const std::string& word) {
  constexpr const char* harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(harmless) == std::string::npos) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::string shell_line(const words& line) {
  std::string text;
  for (const auto& word : line) text += (text.empty() ? "" : " ") + quoted(word);
  return text;
}

void require_runnable(const language& lang, const std::string& program) {
  const auto reason = os::why_not_runnable(program);
  if (reason.empty()) return;
  base::say(fmt::format("{}; {} names another compiler", reason, lang.variable));
  throw exit_code{127};
}

// The plug-in for the compiler that the user has named, or the one that names the compiler.
const build_facts::plugin& choose_plugin(const language& lang, const words& named) {
  if (named.empty()) return usual_plugin();
  require_runnable(lang, named.front());
  const auto line = shell_line(named);
  return plugin_for(line, fmt::format("{}, which {} names,", line, lang.variable));
}

words command_line(const language& lang, words arguments) {
  const auto place = find_library();
  const bool defer = std::erase(arguments, "-fdefer") > 0;
  auto line = split(base::text_option(lang.variable).value_or(""));
  const auto* plugin = defer ? &choose_plugin(lang, line) : nullptr;
  if (line.empty()) line = split(plugin ? plugin->*lang.clang : lang.compiler);
  append(line, lang.first);
  if (plugin) append(line, flags_of(*plugin));
  append(line, {"-I" + place.include.string(), "-pthread"});
  append(line, arguments);
  if (links(arguments)) {
    append(line, {"-L" + place.library.string(), "-lwindrow"});
    append(line, lang.last);
    append(line, split(build_facts::sanitizers));
  }
  return line;
}

void compile(const language& lang, words arguments) {
  const bool only_show = std::erase(arguments, "-show") > 0;
  const auto line = command_line(lang, arguments);
  if (only_show) return fmt::print("{}\n", shell_line(line));
  require_runnable(lang, line.front());
  os::execute(line);
}

void add_compiler(CLI::App& app, const language& lang, const std::string& description) {
  auto* command = app.add_subcommand(lang.command, description);
  command->set_help_flag("--help", "Print this help message and exit");
  command->footer(
      fmt::format("All arguments are the compiler's, e.g. windrow {} -O2 prog -o prog. -fdefer carries out "
                  "#pragma shmem defer, with clang. -show prints the command line instead.\nThe variable {} "
                  "names another compiler than {}.",
                  lang.command, lang.variable, lang.compiler));
  command->prefix_command();
  command->callback([command, lang] { compile(lang, command->remaining()); });
}

} // namespace

void add_compilers(CLI::App& app) {
  add_compiler(app,
               {"cc", "CC", build_facts::c_compiler, &build_facts::plugin::clang, {}, {"-lstdc++", "-lm"}},
               "Compile and link a C program");
  add_compiler(app,
               {"c++", "CXX", build_facts::cxx_compiler, &build_facts::plugin::clangxx, {"-std=c++20"}, {}},
               "Compile and link a C++ program");
}

} // namespace windrow::tools
