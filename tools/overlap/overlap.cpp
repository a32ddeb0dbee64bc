// SPDX-License-Identifier: BSD-3-Clause
// windrow overlap: records a run, shows which waits could be later, and plans to move them.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/fatal.hpp"
#include "tools/commands.hpp"
#include "tools/explain/source.hpp"
#include "tools/overlap/check.hpp"
#include "tools/overlap/findings.hpp"
#include "tools/overlap/plan.hpp"
#include "tools/overlap/record.hpp"
#include "tools/overlap/replay.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

struct report_options {
  std::string file, html;
  bool as_json = false, with_sources = false, events = false, small_too = false;
};

void say_what_is_missing(const overlap::recording& run, const std::string& file) {
  const auto cut_off = std::ranges::count(run.pes, false, &overlap::pe_events::ended);
  if (cut_off > 0)
    base::say(fmt::format(
        "{}: {} of {} PEs have not recorded their end; what follows is about what they did before", file,
        cut_off, run.pes.size()));
}

// Lines of a file that has changed since may be others.
void say_what_is_newer(const remarks_by_file& remarks, const std::string& recording) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const auto recorded = fs::last_write_time(recording, failed);
  for (const auto& [file, said] : remarks)
    if (const auto written = fs::last_write_time(file, failed); !failed && written > recorded)
      base::say(fmt::format("{} is newer than {}: its lines may be others; compile and record again", file,
                            recording));
}

// For a reader who has the table and not the manual.
void say_what_comes_next(const overlap::model& all, const overlap::findings& found, const std::string& file) {
  if (!all.run().all_accesses)
    base::say("barriers are judged, and all races found, in what windrow overlap record --accesses writes");
  const auto plan = overlap::make_plan(all, found);
  if (std::ranges::any_of(plan.entries, [](const overlap::plan_entry& one) { return one.refused.empty(); }))
    base::say(
        fmt::format("to move the waits: windrow overlap plan {} --approve all > plan.json, and compile with "
                    "windrow cc -foverlap-plan=plan.json",
                    file));
}

// Nothing may be lost in silence where a disk is full.
void print_all(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  if (std::fflush(stdout) != 0)
    throw error(fmt::format("overlap: the output cannot be written: {}", std::strerror(errno)));
}

void report(const report_options& chosen) {
  const auto run = overlap::read_recording(chosen.file);
  const overlap::model all(run);
  if (chosen.events) return print_all(overlap::as_event_list(all));
  const auto found = overlap::find_all(all, chosen.small_too);
  const auto remarks = overlap::as_remarks(all, found);
  say_what_is_missing(run, chosen.file);
  say_what_is_newer(remarks, chosen.file);
  if (chosen.as_json) print_all(as_json(remarks));
  if (!chosen.html.empty()) {
    const auto plan = overlap::as_approval(overlap::make_plan(all, found), run);
    write_page(chosen.html, as_html(read_sources(remarks), chosen.file, plan + overlap::as_timeline(all)));
  }
  if (chosen.as_json || !chosen.html.empty()) return;
  print_all(overlap::as_table(all, found));
  const bool colours = ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  if (chosen.with_sources)
    for (const auto& source : read_sources(remarks)) print_all("\n" + as_text(source, {colours, false}));
  say_what_comes_next(all, found, chosen.file);
}

void add_record(CLI::App& overlap) {
  auto chosen = std::make_shared<record_options>();
  auto* command =
      overlap.add_subcommand("record", "Run a program compiled with -foverlap and record what it does");
  command->add_option("-n", chosen->pes, "Number of PEs")->required()->check(check_pes)->type_name("N");
  command->add_option("-o", chosen->output, "The file to write (default: PROGRAM.overlap)")
      ->type_name("FILE");
  command->add_flag("--accesses", chosen->accesses,
                    "Record all loads and stores of symmetric memory: for races and barriers, and slower");
  command->footer(
      "The program and its arguments follow the options, e.g. windrow overlap record -n 4 ./prog 100");
  command->prefix_command();
  command->callback([command, chosen] {
    chosen->program = words_behind(*command);
    if (chosen->program.empty())
      throw error("overlap: name the program, as in: windrow overlap record -n 4 ./prog");
    if (const int code = record_run(*chosen); code != 0) throw exit_code{code};
  });
}

void add_all(CLI::App& command, bool& small_too) {
  command.add_flag("--all", small_too, "waits that would gain less than a tenth of their time, too");
}

void add_report(CLI::App& overlap) {
  auto chosen = std::make_shared<report_options>();
  auto* command =
      overlap.add_subcommand("report", "Show what a recording says: which waits could be later, and where");
  command->add_option("recording", chosen->file, "a file written by windrow overlap record")
      ->required()
      ->type_name("FILE");
  command->add_option("--html", chosen->html, "write a page for a browser, where a plan can be approved")
      ->type_name("FILE");
  command->add_flag("--json", chosen->as_json, "print an object, for programs");
  command->add_flag("--source", chosen->with_sources,
                    "also print the source lines that the findings are about");
  command->add_flag("--events", chosen->events, "print the recorded events instead, one per line");
  add_all(*command, chosen->small_too);
  command->callback([chosen] { report(*chosen); });
}

struct plan_options {
  std::string file, approve;
  bool small_too = false;
};

void print_plan(const plan_options& chosen) {
  const auto run = overlap::read_recording(chosen.file);
  const overlap::model all(run);
  auto made = overlap::make_plan(all, overlap::find_all(all, chosen.small_too));
  if (!chosen.approve.empty()) overlap::approve(made, chosen.approve);
  say_what_is_missing(run, chosen.file);
  const auto approved = std::ranges::count(made.entries, true, &overlap::plan_entry::approved);
  base::say(
      fmt::format("{}: {} waits could be later, {} approved", chosen.file, made.entries.size(), approved));
  print_all(overlap::as_json(made, run));
}

void add_plan(CLI::App& overlap) {
  auto chosen = std::make_shared<plan_options>();
  auto* command = overlap.add_subcommand(
      "plan", "Print a plan for windrow cc -foverlap-plan=FILE, which carries out only what is approved");
  command->add_option("recording", chosen->file, "a file written by windrow overlap record")
      ->required()
      ->type_name("FILE");
  command->add_option("--approve", chosen->approve, "approve all entries, or those of these names")
      ->type_name("all|ID,...");
  add_all(*command, chosen->small_too);
  command->callback([chosen] { print_plan(*chosen); });
}

struct overlap_prediction {
  std::string file, network;
};

void print_prediction(const overlap_prediction& chosen) {
  const auto network = transport::model_named(chosen.network);
  const auto run = overlap::read_recording(chosen.file);
  const overlap::model all(run);
  const auto planned = overlap::make_plan(all, overlap::find_all(all, false));
  say_what_is_missing(run, chosen.file);
  const auto width = std::max<std::size_t>(network.name.size(), 16);
  const auto row = [width](const char* what, const overlap::replayed& one) {
    return fmt::format("{:<{}} {:>12.3f} {:>12.3f}\n", what, width, static_cast<double>(one.time_ps) * 1e-9,
                       static_cast<double>(one.waited_ps) * 1e-9);
  };
  const auto never = [](const overlap::event&) { return false; };
  const auto by_plan = [&](const overlap::event& one) { return overlap::is_planned(planned, one, run); };
  print_all(fmt::format("{:<{}} {:>12} {:>12}\n", network.name, width, "time ms", "waited ms") +
            row("as it is", overlap::replay(all, network, never)) +
            row("with the plan", overlap::replay(all, network, by_plan)) +
            row("all hidden", overlap::replay(all, overlap::without_costs(network), never)));
}

void add_predict(CLI::App& overlap) {
  auto chosen = std::make_shared<overlap_prediction>();
  auto* command = overlap.add_subcommand(
      "predict", "Tell how long the run would take in another network: as it is, with its plan, and at best");
  command->add_option("recording", chosen->file, "a file written by windrow overlap record")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--network", chosen->network, "a model, as WINDROW_SIM names it: cloud, hdr, a file, ...")
      ->required()
      ->type_name("MODEL");
  command->callback([chosen] { print_prediction(*chosen); });
}

void add_check(CLI::App& overlap) {
  auto chosen = std::make_shared<check_options>();
  auto* command = overlap.add_subcommand(
      "check", "Run a program compiled with -foverlap-plan; an access before its wait is an error");
  command->add_option("-n", chosen->pes, "Number of PEs")->required()->check(check_pes)->type_name("N");
  command->footer(
      "The program and its arguments follow the options, e.g. windrow overlap check -n 4 ./prog 100");
  command->prefix_command();
  command->callback([command, chosen] {
    chosen->program = words_behind(*command);
    if (chosen->program.empty())
      throw error("overlap: name the program, as in: windrow overlap check -n 4 ./prog");
    if (const int code = check_run(*chosen); code != 0) throw exit_code{code};
  });
}

} // namespace

void add_overlap(CLI::App& app) {
  auto* command = app.add_subcommand(
      "overlap", "Record a run, show which of its waits could be later, and plan to move them");
  command->require_subcommand(1);
  add_record(*command);
  add_report(*command);
  add_plan(*command);
  add_check(*command);
  add_predict(*command);
}

} // namespace windrow::tools
