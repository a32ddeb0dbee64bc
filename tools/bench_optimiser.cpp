// SPDX-License-Identifier: BSD-3-Clause
// windrow bench optimiser: plain blocking programs, as they are, by WINDROW_BULK, by -fcomm=relaxed and by
// hand, in a simulated network or between hosts.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "apps/runner/start.hpp"
#include "tools/commands.hpp"
#include "tools/compact_count.hpp"
#include "tools/progress.hpp"
#include "tools/results_file.hpp"
#include "tools/run_on_hosts.hpp"
#include "tools/surroundings.hpp"
#include "windrow/error.hpp"
#include "windrow/version.hpp"

namespace windrow::tools {

namespace {

struct optimiser_options {
  std::vector<std::string> pes;  ///< none: those of the place
  std::vector<std::string> only; ///< programs; none: all
  std::string model = "hdr", size, json_file;
  std::string hosts, mpi; ///< where to run them in place of a simulated network; see hosts_options

  bool simulated() const { return hosts.empty(); }
};

struct suite_program {
  const char* name;
  // Unless --size says otherwise.
  const char* simulated_size;
  const char* size; ///< between hosts, which may be milliseconds apart
};

constexpr std::array programs{suite_program{"adaptive_mesh", "8", "2"},
                              suite_program{"barnes_hut", "30", "10"},
                              suite_program{"conjugate_gradient", "1000", "1000"},
                              suite_program{"fourier", "8", "8"},
                              suite_program{"gups", "10000", "2000"},
                              suite_program{"gups_bulk", "500", "100"},
                              suite_program{"integer_sort", "10000", "2000"},
                              suite_program{"line_solve", "100", "20"},
                              suite_program{"matrix_chain", "40", "20"},
                              suite_program{"multigrid", "100", "100"},
                              suite_program{"sobel", "500", "100"},
                              suite_program{"sparse_product", "200", "20"},
                              suite_program{"transpose", "32", "20"},
                              suite_program{"tree_search", "400", "400"}};

std::vector<std::string> names_of_programs() {
  std::vector<std::string> names;
  names.reserve(programs.size());
  for (const auto& program : programs) names.emplace_back(program.name);
  return names;
}

/// One run: what all PEs sent, and when the last was done, by the simulated clock where there is one.
struct optimiser_run {
  std::string checksum;
  double microseconds = 0;
  double messages = 0; ///< counted in simulations

  /// For ratios: what the table of counters tells is rounded to tenths.
  double time() const { return std::max(microseconds, 0.1); }
};

/// Of what a program printed: its checksum and its time, which in simulations is in the table of counters,
/// whose columns are known by their titles' places.
optimiser_run understood(const std::string& said, bool simulated) {
  optimiser_run run;
  std::istringstream lines(said);
  bool in_counters = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("checksum ")) run.checksum = line.substr(9);
    if (line.starts_with("seconds ") && !simulated) run.microseconds = std::stod(line.substr(8)) * 1e6;
    if (line.ends_with("clock us")) {
      in_counters = true;
      continue;
    }
    std::istringstream row(line);
    const std::vector<std::string> words{std::istream_iterator<std::string>(row), {}};
    if (!in_counters || words.size() < 6 || line.starts_with("windrow:")) continue;
    run.microseconds = std::max(run.microseconds, std::stod(words.back()));
    run.messages += compact_count(words[words.size() - 5]);
  }
  return run;
}

/// A form of a program.
struct optimiser_form {
  const char* variant; ///< the file that the compiler made
  const char* version;
  const char* bulk = "off";
};

optimiser_run run_form(const surroundings& place, const optimiser_options& chosen,
                       const suite_program& program, const std::string& pes, const optimiser_form& form) {
  const auto file = place.program(fmt::format("optimiser_{}_{}", program.name, form.variant));
  const auto* usual_size = chosen.simulated() ? program.simulated_size : program.size;
  apps::runner_job job{.windrow = place.windrow(),
                       .program = file,
                       .pes = pes,
                       .arguments = {form.version, chosen.size.empty() ? usual_size : chosen.size},
                       .environment = {std::string("WINDROW_BULK=") + form.bulk}};
  if (chosen.simulated())
    job.environment.insert(job.environment.end(),
                           {"WINDROW_STATS=1", "WINDROW_SIM=" + chosen.model + ",pes_per_host=1"});
  else
    job.where = {"--hosts", chosen.hosts, "--mpi", chosen.mpi};
  const auto done = apps::run_to_end(job);
  const auto run = understood(done.said, chosen.simulated());
  if (done.exit_code != 0 || run.checksum.empty())
    throw error(fmt::format("{} with {} PEs ended with exit code {}:\n{}", program.name, pes, done.exit_code,
                            done.said));
  return run;
}

/// The forms of a program with a number of PEs.
struct optimiser_row {
  std::string program, pes;
  optimiser_run plain, bulk, comm, hand;

  bool right() const {
    return plain.checksum == bulk.checksum && plain.checksum == comm.checksum &&
           plain.checksum == hand.checksum;
  }
  double gain() const { return plain.time() / comm.time(); }
  /// Speed of what the compiler made, by that of the version by hand.
  double reached() const { return hand.time() / comm.time(); }
  /// Otherwise the row says nothing of the compiler.
  bool hand_gains() const { return hand.time() < 0.95 * plain.time(); }
};

/// Of some runs that of medium time; with a checksum that no other one has, if theirs differ.
optimiser_run middle_of(std::vector<optimiser_run> runs) {
  std::ranges::sort(runs, {}, &optimiser_run::microseconds);
  auto middle = runs[runs.size() / 2];
  for (const auto& run : runs)
    if (run.checksum != middle.checksum) middle.checksum = "not always the same";
  return middle;
}

optimiser_row row_of(const surroundings& place, const optimiser_options& chosen, const suite_program& program,
                     const std::string& pes) {
  constexpr std::array forms{optimiser_form{"plain", "plain"}, optimiser_form{"plain", "plain", "overlap"},
                             optimiser_form{"comm", "plain"}, optimiser_form{"plain", "by_hand"}};
  std::array<std::vector<optimiser_run>, forms.size()> runs;
  const int turns = chosen.simulated() ? 1 : 3;
  for (int turn = 0; turn < turns; ++turn)
    for (std::size_t i = 0; i < forms.size(); ++i)
      runs[i].push_back(run_form(place, chosen, program, pes, forms[i]));
  return {program.name, pes, middle_of(runs[0]), middle_of(runs[1]), middle_of(runs[2]), middle_of(runs[3])};
}

/// Without messages where nobody counts them.
std::string table_of(const std::vector<optimiser_row>& rows, bool counted) {
  std::string text;
  const auto add_line = [&](const auto& program, const auto& pes, const std::array<std::string, 9>& cells) {
    const auto [plain, sent, bulk, comm, sent_by_comm, gain, hand, sent_by_hand, reached] = cells;
    const auto messages = [&](const std::string& n) { return counted ? fmt::format(" {:>8}", n) : ""; };
    text += fmt::format("{:<18} {:>3} |{:>10}{} |{:>10} |{:>9}{} {:>5} |{:>9}{} |{:>8}\n", program, pes,
                        plain, messages(sent), bulk, comm, messages(sent_by_comm), gain, hand,
                        messages(sent_by_hand), reached);
  };
  add_line("", "", {"as written", "", "BULK", "-fcomm", "", "", "by hand", "", "-fcomm /"});
  add_line("program", "PEs", {"us", "messages", "us", "us", "messages", "gain", "us", "messages", "by hand"});
  const auto time = [](const optimiser_run& run) { return fmt::format("{:.1f}", run.microseconds); };
  const auto sent = [](const optimiser_run& run) { return fmt::format("{:.0f}", run.messages); };
  for (const auto& r : rows)
    add_line(r.program, r.pes,
             {time(r.plain), sent(r.plain), time(r.bulk), time(r.comm), sent(r.comm),
              fmt::format("{:.1f}", r.gain()), time(r.hand), sent(r.hand),
              r.right() ? fmt::format("{:.2f}", r.reached()) : "WRONG"});
  return text;
}

std::string conclusion(const std::vector<optimiser_row>& rows) {
  double sum = 0;
  int count = 0;
  for (const auto& r : rows)
    if (r.hand_gains()) sum += std::log(r.reached()), ++count;
  if (count == 0) return "The versions by hand gain nothing here.";
  return fmt::format(
      "-fcomm=relaxed reaches {:.2f} of the speed by hand, as geometric mean of the {} runs in "
      "which that gains 5 %.",
      std::exp(sum / count), count);
}

json as_json(const optimiser_run& run, bool counted) {
  json all{{"microseconds", run.microseconds}};
  if (counted) all["messages"] = run.messages;
  return all;
}

json file_content(const optimiser_options& chosen, const std::vector<optimiser_row>& rows) {
  const bool counted = chosen.simulated();
  json content{{"benchmark", "optimiser"},
               {"schema", 1},
               {"windrow", WINDROW_VERSION},
               {"all_right", std::ranges::all_of(rows, &optimiser_row::right)},
               {"rows", json::array()}};
  content[counted ? "model" : "hosts"] = counted ? chosen.model : chosen.hosts;
  for (const auto& r : rows)
    content["rows"].push_back({{"program", r.program},
                               {"pes", std::stoi(r.pes)},
                               {"plain", as_json(r.plain, counted)},
                               {"bulk", as_json(r.bulk, counted)},
                               {"comm", as_json(r.comm, counted)},
                               {"by_hand", as_json(r.hand, counted)}});
  return content;
}

std::string heading(const optimiser_options& chosen) {
  if (chosen.simulated())
    return fmt::format("Plain blocking programs in the simulated network {}, each PE on a host of its own",
                       chosen.model);
  return fmt::format("Plain blocking programs on the hosts {}, by {}", chosen.hosts, chosen.mpi);
}

std::string what_times_are(const optimiser_options& chosen) {
  if (chosen.simulated())
    return "Times are those of communication, by the simulated clock, start and end of the program included: "
           "its\nown work costs nothing there. BULK: as written, with WINDROW_BULK=overlap. messages: of all "
           "PEs.";
  return "Times are from the end of shmem_init to the last barrier, each the median of three runs in turn\n"
         "with those of the other forms. BULK: as written, with WINDROW_BULK=overlap.";
}

void run_optimiser(optimiser_options chosen) {
  require_results_file(chosen.json_file);
  if (!chosen.simulated()) chosen.mpi = choose_mpi(chosen.mpi);
  if (chosen.pes.empty())
    chosen.pes =
        chosen.simulated() ? std::vector<std::string>{"2", "4", "16"} : std::vector<std::string>{"2", "4"};
  const surroundings place;
  std::vector<optimiser_row> rows;
  {
    progress watch;
    for (const auto& program : programs) {
      if (!chosen.only.empty() && std::ranges::find(chosen.only, program.name) == chosen.only.end()) continue;
      for (const auto& pes : chosen.pes) {
        watch.announce(fmt::format("{} with {} PEs", program.name, pes));
        rows.push_back(row_of(place, chosen, program, pes));
      }
    }
  }
  const bool right = std::ranges::all_of(rows, &optimiser_row::right);
  fmt::print("{}\n\n{}\n{}\n\n{}\n{}\n", heading(chosen), table_of(rows, chosen.simulated()),
             what_times_are(chosen), conclusion(rows),
             right ? "All checksums are the same." : "Some checksums DIFFER.");
  if (!chosen.json_file.empty()) write_json(chosen.json_file, file_content(chosen, rows));
  if (!right) throw exit_code{1};
}

} // namespace

void add_bench_optimiser(CLI::App& bench) {
  auto chosen = std::make_shared<optimiser_options>();
  auto* command = bench.add_subcommand(
      "optimiser",
      "Plain blocking programs, as they are, by WINDROW_BULK, by -fcomm and by hand, in a simulated network "
      "or between hosts");
  command->add_option("--pes", chosen->pes, "Numbers of PEs (2,4,16; between hosts 2,4)")
      ->delimiter(',')
      ->check(check_pes)
      ->option_text("N,…");
  auto* model = command->add_option("--model", chosen->model, "hdr, slingshot11, cloud, or a file (hdr)")
                    ->option_text("MODEL");
  auto* hosts = command->add_option("--hosts", chosen->hosts, "Run them on these hosts, as windrow run does")
                    ->option_text("LIST")
                    ->excludes(model);
  command->add_option("--mpi", chosen->mpi, "openmpi or mpich")->option_text("NAME")->needs(hosts);
  command->add_option("--only", chosen->only, "These programs alone")
      ->delimiter(',')
      ->check(CLI::IsMember(names_of_programs()))
      ->option_text("NAME,…");
  command->add_option("--size", chosen->size, "of each program's problem (its own)")->option_text("N");
  command->add_option("--json", chosen->json_file, "Write the results to a file")->option_text("FILE");
  command->prefix_command(false);
  command->callback([chosen] { run_optimiser(*chosen); });
}

} // namespace windrow::tools
