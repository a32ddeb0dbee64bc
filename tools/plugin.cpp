// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plugin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>

#include "tools/shell_line.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

namespace fs = std::filesystem;

// What it says of itself, in whichever words: "Debian clang version 19.1.7 (3~deb12u1)". 0 if it is no clang.
int clang_release(const std::string& command) {
  const auto said = run_in_shell(command + " --version 2>/dev/null").output;
  const std::string before = "clang version ";
  const auto found = said.find(before);
  return found == std::string::npos ? 0 : std::atoi(said.c_str() + found + before.size());
}

std::string known_releases() {
  std::string list;
  for (const auto& one : build_facts::plugins())
    list += (list.empty() ? "" : " and ") + std::to_string(one.release);
  return list;
}

} // namespace

const build_facts::plugin& usual_plugin() {
  const auto all = build_facts::plugins();
  if (all.empty())
    throw error(
        "-fdefer, -fcomm and -foverlap: this Windrow was built without its compiler plug-in; install the "
        "packages clang-19, llvm-19-dev and libclang-19-dev, and build it again");
  return all.front();
}

const build_facts::plugin& plugin_for(const std::string& command, const std::string& compiler) {
  usual_plugin(); // or none will do
  const auto release = clang_release(command);
  const auto all = build_facts::plugins();
  const auto found = std::ranges::find(all, release, &build_facts::plugin::release);
  if (found != all.end()) return *found;
  const auto what = release == 0 ? std::string("no clang") : fmt::format("clang {}", release);
  throw error(fmt::format(
      "-fdefer, -fcomm and -foverlap: {} is {}, and the plug-ins of this Windrow are for clang {}", compiler,
      what, known_releases()));
}

std::string file_of(const build_facts::plugin& plugin) {
  const auto here = fs::read_symlink("/proc/self/exe").parent_path();
  const auto installed = here / plugin.installed;
  return (fs::exists(installed) ? installed : here / plugin.build).lexically_normal().string();
}

namespace {

// The names and scopes of variables are for the analysis and messages of #pragma shmem defer.
void add_flags(const compiler_passes& passes, std::vector<std::string>& flags) {
  if (passes.defer)
    flags.insert(flags.end(), {"-fno-discard-value-names", "-Xclang", "-disable-lifetime-markers"});
  else
    flags.emplace_back("-fplugin-arg-windrow-no-defer");
  if (passes.overlap) flags.emplace_back("-fplugin-arg-windrow-overlap");
  for (const auto& file : passes.plan) flags.push_back("-fplugin-arg-windrow-overlap-plan=" + file);
  for (const auto& list : passes.comm)
    flags.push_back("-fplugin-arg-windrow-comm" + (list.empty() ? "" : "=" + list));
}

} // namespace

// With -save-temps clang compiles in two steps, and only one of the first two flags reaches each of them;
// both together do no harm. Messages are to have lines, which remarks of any name ask for.
std::vector<std::string> flags_of(const build_facts::plugin& plugin, const compiler_passes& passes) {
  const auto file = file_of(plugin);
  if (!fs::exists(file))
    throw error(
        fmt::format("the compiler plug-in {} is not built: build the target {}, or call "
                    "./windrow of the checkout, which does",
                    file, fs::path(file).stem().string()));
  std::vector<std::string> flags{"-fplugin=" + file, "-fpass-plugin=" + file};
  add_flags(passes, flags);
  flags.insert(flags.end(), {"-Rpass-analysis=windrow-defer-lines", "-Wno-unused-command-line-argument"});
  return flags;
}

} // namespace windrow::tools
