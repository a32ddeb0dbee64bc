// SPDX-License-Identifier: BSD-3-Clause
// windrow explain: what the compiler makes of `#pragma shmem defer`, beside the lines that it is about.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/fatal.hpp"
#include "tools/commands.hpp"
#include "tools/explain/source.hpp"
#include "tools/shell_line.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

namespace fs = std::filesystem;

struct explain_options {
  std::string html;
  bool as_json = false, all_lines = false;
  std::vector<std::string> words; ///< the source and the compiler's arguments
};

std::string wrapper_for(const std::string& source) {
  const auto suffix = fs::path(source).extension();
  if (suffix == ".c") return "cc";
  for (const auto* known : {".cpp", ".cc", ".cxx", ".C", ".c++"})
    if (suffix == known) return "c++";
  if (source.starts_with("--"))
    throw error(fmt::format(
        "explain: it has no option {}, but --html, --json and --all; the compiler's stand behind the source",
        source));
  throw error(
      fmt::format("explain: {} is no C or C++ source by its name; the source comes first, and the compiler's "
                  "options behind it",
                  source));
}

// So that the compiler's words are as parse_remarks reads them, and no file is written but none.
constexpr const char* last_flags[] = {"-Rpass=windrow-.*",
                                      "-Rpass-missed=windrow-.*",
                                      "-Rpass-analysis=windrow-.*",
                                      "-Wpass-failed",
                                      "-Wno-error=pass-failed",
                                      "-Wno-unused-command-line-argument",
                                      "-fno-caret-diagnostics",
                                      "-fno-color-diagnostics",
                                      "-fdiagnostics-format=clang",
                                      "-fdiagnostics-show-option",
                                      "-fdiagnostics-show-category=none",
                                      "-fshow-column",
                                      "-c",
                                      "-MF",
                                      "/dev/null",
                                      "-o",
                                      "/dev/null"};

/// Whether the compiler would stop before the pass, which then says nothing.
bool stops_early(const std::string& word) {
  static constexpr const char* all[] = {"-E", "-M", "-MM", "-fsyntax-only", "--analyze"};
  return std::ranges::find(all, word) != std::end(all);
}

struct compiled {
  compiler_output said;
  int code; ///< not 0: a strict directive was refused
};

compiled compile(const explain_options& chosen) {
  std::vector<std::string> line{fs::read_symlink("/proc/self/exe"), wrapper_for(chosen.words.front()),
                                "-fdefer"};
  // The first, unlike the second, could not be taken back for -Wpass-failed.
  for (const auto& word : chosen.words)
    if (!stops_early(word)) line.push_back(word == "-w" ? "-Wno-everything" : word);
  line.insert(line.end(), std::begin(last_flags), std::end(last_flags));
  const auto done = run_in_shell(shell_line(line) + " 2>&1 >/dev/null");
  auto said = parse_remarks(done.output);
  fmt::print(stderr, "{}", said.rest);
  if (done.code != 0 && said.remarks.empty()) throw exit_code{done.code};
  return {std::move(said), done.code};
}

bool wants_colours() {
  return ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
}

void show(const explain_options& chosen, const remarks_by_file& remarks) {
  if (chosen.as_json) fmt::print("{}", as_json(remarks));
  if (chosen.as_json && chosen.html.empty()) return;
  const auto sources = read_sources(remarks);
  if (!chosen.html.empty())
    return write_page(chosen.html, as_html(sources, chosen.words.front() + ", explained"));
  for (const auto& source : sources) fmt::print("{}", as_text(source, {wants_colours(), chosen.all_lines}));
}

void explain(const explain_options& chosen) {
  if (chosen.words.empty()) throw error("explain: name the source, as in: windrow explain prog.c -O2");
  const auto [said, code] = compile(chosen);
  const auto& remarks = said.remarks;
  if (remarks.empty())
    base::say(fmt::format("{} has no #pragma shmem defer in front of a fetch: there is nothing to explain",
                          chosen.words.front()));
  show(chosen, remarks);
  if (code != 0) throw exit_code{code};
}

} // namespace

void add_explain(CLI::App& app) {
  auto chosen = std::make_shared<explain_options>();
  auto* command =
      app.add_subcommand("explain", "Show what #pragma shmem defer does, beside the lines of a source");
  command->add_option("--html", chosen->html, "write a page for a browser")->type_name("FILE");
  command->add_flag("--json", chosen->as_json, "print an object, for programs");
  command->add_flag("--all", chosen->all_lines, "print all lines, not only those near a remark");
  command->footer(
      "The source and the compiler's options follow these options, e.g. windrow explain --html "
      "page.html prog.c -Iinclude");
  command->prefix_command();
  command->callback([command, chosen] {
    chosen->words = words_behind(*command);
    explain(*chosen);
  });
}

} // namespace windrow::tools
