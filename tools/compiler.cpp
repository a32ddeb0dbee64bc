// SPDX-License-Identifier: BSD-3-Clause
// windrow cc, windrow c++, and oshcc, oshc++: the compiler with what a Windrow program needs.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fatal.hpp"
#include "os/process.hpp"
#include "tools/build_facts.hpp"
#include "tools/commands.hpp"
#include "tools/compiler_line.hpp"
#include "tools/plugin.hpp"
#include "tools/shell_line.hpp"
#include "tools/underlying_compiler.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

struct language {
  compiler_variables named_by;
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

// Options of the wrapper's own, taken out of the arguments.
struct wishes {
  compiler_passes passes;
  bool show, only_compile, only_link;
};

// FLAG and FLAG=VALUE, which are taken out of the arguments: what stands behind each `=`.
words take_values(words& arguments, const std::string& flag) {
  const auto begins = [&](const std::string& word) { return word == flag || word.starts_with(flag + "="); };
  words lists;
  for (const auto& word : arguments)
    if (begins(word)) lists.push_back(word.size() > flag.size() ? word.substr(flag.size() + 1) : "");
  std::erase_if(arguments, begins);
  return lists;
}

words take_plan(words& arguments) {
  auto files = take_values(arguments, "-foverlap-plan");
  if (files.size() > 1 || (files.size() == 1 && files.front().empty()))
    throw error("-foverlap-plan: name one file, as in -foverlap-plan=plan.json");
  return files;
}

wishes take_wishes(words& arguments) {
  const auto take = [&](std::initializer_list<std::string_view> names) {
    return std::erase_if(arguments, [&](const auto& word) {
             return std::find(names.begin(), names.end(), word) != names.end();
           }) > 0;
  };
  return {{take({"-fdefer"}), take({"-foverlap"}), take_plan(arguments), take_values(arguments, "-fcomm")},
          take({"-show", "-showme", "--showme"}),
          take({"-showme:compile", "--showme:compile"}),
          take({"-showme:link", "--showme:link"})};
}

// Of response files, too: if there are some in these, the compiler gets the words in place of the files.
wishes take_all_wishes(words& arguments) {
  auto all = with_response_files(arguments);
  const auto of_all = all.size(), given = arguments.size();
  auto wish = take_wishes(all);
  take_wishes(arguments);
  if (of_all - all.size() > given - arguments.size()) arguments = std::move(all);
  return wish;
}

// The library and what it needs. Shared libraries leave its routines to the program, so that there is one
// copy of it; a module's program has none. A program with all its symbols has the routines that it does not
// call itself, for modules that it opens.
words link_flags(const language& lang, const words& arguments, product made, const places& place) {
  if (made == product::none || made == product::relocatable) return {};
  words flags{"-L" + place.library.string()};
  if (made == product::library) {
    if (forbids_undefined(arguments)) flags.emplace_back("-Wl,-z,undefs");
    return flags;
  }
  if (made == product::open_program)
    append(flags, {"-Wl,--whole-archive", "-lwindrow", "-Wl,--no-whole-archive"});
  else
    flags.emplace_back("-lwindrow");
  append(flags, lang.last);
  append(flags, split(build_facts::sanitizers));
  return flags;
}

std::string names_of(const compiler_variables& variables) {
  return std::string(variables.own) +
         (variables.usual == nullptr ? "" : fmt::format(" or {}", variables.usual));
}

void require_runnable(const language& lang, const std::string& program) {
  const auto reason = os::why_not_runnable(program);
  if (reason.empty()) return;
  base::say(fmt::format("{}; {} names another compiler", reason, names_of(lang.named_by)));
  throw exit_code{127};
}

// The plug-in for the compiler that the user has named, or the one that names the compiler.
const build_facts::plugin& choose_plugin(const language& lang, const compiler_choice& named) {
  if (named.line.empty()) return usual_plugin();
  require_runnable(lang, named.line.front());
  const auto line = shell_line(named.line);
  return plugin_for(line, fmt::format("{}, which {} names,", line, named.variable));
}

words compile_flags(const language& lang, const places& place, const words& of_plugin) {
  auto flags = lang.first;
  append(flags, of_plugin);
  append(flags, {"-I" + place.include.string(), "-pthread"});
  return flags;
}

// -fcomm works on optimised code where clang makes it, in one step; a plan needs to know the source.
void require_one_step(const compiler_passes& passes, const words& arguments) {
  if (passes.comm.empty() && passes.plan.empty()) return;
  for (const auto& word : arguments)
    if (word.starts_with("-save-temps") || word.starts_with("--save-temps"))
      throw error(fmt::format("{} does nothing with {}: leave one of them out",
                              passes.plan.empty() ? "-fcomm" : "-foverlap-plan", word));
}

words command_line(const language& lang, const words& arguments, const compiler_passes& passes) {
  require_one_step(passes, arguments);
  const auto place = find_library();
  const auto named = named_compiler(lang.named_by);
  mark_as_wrapper(named.variable);
  const auto* plugin = passes.any() ? &choose_plugin(lang, named) : nullptr;
  auto line = named.line;
  if (line.empty()) line = split(plugin ? plugin->*lang.clang : lang.compiler);
  append(line, compile_flags(lang, place, plugin ? flags_of(*plugin, passes) : words{}));
  append(line, arguments);
  const auto all = with_response_files(arguments);
  append(line, link_flags(lang, all, product_of(all), place));
  return line;
}

void show(const words& line) {
  fmt::print("{}\n", shell_line(line));
}

void show_compile_flags(const language& lang, const compiler_passes& passes) {
  words of_plugin;
  if (passes.any()) of_plugin = flags_of(choose_plugin(lang, named_compiler(lang.named_by)), passes);
  show(compile_flags(lang, find_library(), of_plugin));
}

[[noreturn]] void run_compiler(const language& lang, const words& line) {
  require_runnable(lang, line.front());
  os::execute(line);
}

// A wrapper has started this one, and all its flags are there.
[[noreturn]] void pass_through(const language& lang, const words& arguments) {
  auto line = split(lang.compiler);
  append(line, arguments);
  mark_as_wrapper("");
  run_compiler(lang, line);
}

void compile(const language& lang, words arguments) {
  if (is_started_by_wrapper(lang.named_by)) pass_through(lang, arguments);
  const auto wish = take_all_wishes(arguments);
  if (wish.only_compile) return show_compile_flags(lang, wish.passes);
  if (wish.only_link) return show(link_flags(lang, {}, product::program, find_library()));
  const auto line = command_line(lang, arguments, wish.passes);
  if (wish.show) return show(line);
  run_compiler(lang, line);
}

struct wrapper {
  const char *name, *description;
  bool listed; ///< in `windrow --help`
  language lang;
};

// The names of OpenSHMEM add no standard, and builds set CC and CXX to them.
std::vector<wrapper> wrappers() {
  const language c{
      {"WINDROW_CC", "CC"}, build_facts::c_compiler, &build_facts::plugin::clang, {}, {"-lstdc++", "-lm"}};
  const language cxx{
      {"WINDROW_CXX", "CXX"}, build_facts::cxx_compiler, &build_facts::plugin::clangxx, {"-std=gnu++20"}, {}};
  auto plain_c = c, plain_cxx = cxx;
  plain_c.named_by.usual = plain_cxx.named_by.usual = nullptr;
  plain_cxx.first.clear();
  const char* const same = "The same as other OpenSHMEM libraries have it";
  return {{"cc", "Compile and link a C program", true, c},
          {"c++", "Compile and link a C++ program", true, cxx},
          {"oshcc", same, false, plain_c},
          {"oshc++", same, false, plain_cxx}};
}

void add_for_help(CLI::App& app, const wrapper& w) {
  auto* command = app.add_subcommand(w.name, w.description);
  if (!w.listed) command->group("");
  command->set_help_flag("--help", "Print this help message and exit");
  command->footer(
      fmt::format("All arguments are the compiler's, e.g. {} -O2 prog -o prog. -fdefer carries out "
                  "#pragma shmem defer, -fcomm combines remote accesses of loops, -foverlap is for windrow "
                  "overlap record, -foverlap-plan=FILE moves waits as a plan of windrow overlap says, all "
                  "with clang. -show prints the command line instead; -showme:compile and "
                  "-showme:link print only what it adds.\nThe variable {} names another compiler than {}.",
                  w.name, names_of(w.lang.named_by), w.lang.compiler));
}

} // namespace

void add_compilers(CLI::App& app) {
  for (const auto& w : wrappers()) add_for_help(app, w);
}

bool act_as_compiler(const words& given) {
  const bool asks_for_help = given.size() == 2 && given.back() == "--help";
  if (given.empty() || asks_for_help) return false;
  for (const auto& w : wrappers())
    if (given.front() == w.name) return compile(w.lang, {given.begin() + 1, given.end()}), true;
  return false;
}

} // namespace windrow::tools
