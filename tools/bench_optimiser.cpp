// SPDX-License-Identifier: BSD-3-Clause
// windrow bench optimiser: plain blocking programs, as they are, by WINDROW_BULK, by -fcomm=relaxed and by
// hand, in a simulated network.
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
#include "tools/surroundings.hpp"
#include "windrow/error.hpp"
#include "windrow/version.hpp"

namespace windrow::tools {

namespace {

struct optimiser_options {
  std::vector<std::string> pes{"2", "4", "16"};
  std::string model = "hdr", size, json_file;
};

struct suite_program {
  const char* name;
  const char* size; ///< unless --size says otherwise
};

constexpr std::array programs{suite_program{"adaptive_mesh", "8"},
                              suite_program{"barnes_hut", "30"},
                              suite_program{"conjugate_gradient", "1000"},
                              suite_program{"fourier", "8"},
                              suite_program{"gups", "10000"},
                              suite_program{"gups_bulk", "500"},
                              suite_program{"integer_sort", "10000"},
                              suite_program{"line_solve", "100"},
                              suite_program{"matrix_chain", "40"},
                              suite_program{"multigrid", "100"},
                              suite_program{"sobel", "500"},
                              suite_program{"sparse_product", "200"},
                              suite_program{"transpose", "32"},
                              suite_program{"tree_search", "400"}};

/// One run: what all PEs sent, and when the last was done by the simulated clock.
struct optimiser_run {
  std::string checksum;
  double microseconds = 0, messages = 0;

  /// For ratios: what the table of counters tells is rounded to tenths.
  double time() const { return std::max(microseconds, 0.1); }
};

/// Of what a program printed: its checksum, and of the table of counters the columns by their titles' places.
optimiser_run understood(const std::string& said) {
  optimiser_run run;
  std::istringstream lines(said);
  bool in_counters = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("checksum ")) run.checksum = line.substr(9);
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

optimiser_run simulate(const surroundings& place, const optimiser_options& chosen,
                       const suite_program& program, const std::string& pes, const char* variant,
                       const char* version, const char* bulk = "off") {
  const auto file = place.program(fmt::format("optimiser_{}_{}", program.name, variant));
  const auto done = apps::run_to_end({place.windrow(),
                                      file,
                                      pes,
                                      {version, chosen.size.empty() ? program.size : chosen.size},
                                      {"WINDROW_STATS=1", "WINDROW_SIM=" + chosen.model + ",pes_per_host=1",
                                       std::string("WINDROW_BULK=") + bulk}});
  const auto run = understood(done.said);
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

std::string table_of(const std::vector<optimiser_row>& rows) {
  constexpr auto titles = "{:<18} {:>3} |{:>10} {:>8} |{:>10} |{:>9} {:>8} {:>5} |{:>9} {:>8} |{:>8}\n";
  std::string text =
      fmt::format(titles, "", "", "as written", "", "BULK", "-fcomm", "", "", "by hand", "", "-fcomm /");
  text += fmt::format(titles, "program", "PEs", "us", "messages", "us", "us", "messages", "gain", "us",
                      "messages", "by hand");
  for (const auto& r : rows)
    text += fmt::format(
        "{:<18} {:>3} |{:>10.1f} {:>8.0f} |{:>10.1f} |{:>9.1f} {:>8.0f} {:>5.1f} |{:>9.1f} "
        "{:>8.0f} |{:>8}\n",
        r.program, r.pes, r.plain.microseconds, r.plain.messages, r.bulk.microseconds, r.comm.microseconds,
        r.comm.messages, r.gain(), r.hand.microseconds, r.hand.messages,
        r.right() ? fmt::format("{:.2f}", r.reached()) : "WRONG");
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

json as_json(const optimiser_run& run) {
  return {{"microseconds", run.microseconds}, {"messages", run.messages}};
}

json file_content(const optimiser_options& chosen, const std::vector<optimiser_row>& rows) {
  json content{{"benchmark", "optimiser"},
               {"schema", 1},
               {"windrow", WINDROW_VERSION},
               {"model", chosen.model},
               {"all_right", std::ranges::all_of(rows, &optimiser_row::right)},
               {"rows", json::array()}};
  for (const auto& r : rows)
    content["rows"].push_back({{"program", r.program},
                               {"pes", std::stoi(r.pes)},
                               {"plain", as_json(r.plain)},
                               {"bulk", as_json(r.bulk)},
                               {"comm", as_json(r.comm)},
                               {"by_hand", as_json(r.hand)}});
  return content;
}

void run_optimiser(const optimiser_options& chosen) {
  require_results_file(chosen.json_file);
  const surroundings place;
  std::vector<optimiser_row> rows;
  {
    progress watch;
    for (const auto& program : programs)
      for (const auto& pes : chosen.pes) {
        watch.announce(fmt::format("{} with {} PEs", program.name, pes));
        rows.push_back({program.name, pes, simulate(place, chosen, program, pes, "plain", "plain"),
                        simulate(place, chosen, program, pes, "plain", "plain", "overlap"),
                        simulate(place, chosen, program, pes, "comm", "plain"),
                        simulate(place, chosen, program, pes, "plain", "by_hand")});
      }
  }
  const bool right = std::ranges::all_of(rows, &optimiser_row::right);
  fmt::print(
      "Plain blocking programs in the simulated network {}, each PE on a host of its own\n\n{}\n"
      "Times are those of communication, by the simulated clock, start and end of the program included: its\n"
      "own work costs nothing there. BULK: as written, with WINDROW_BULK=overlap. messages: of all PEs.\n\n"
      "{}\n{}\n",
      chosen.model, table_of(rows), conclusion(rows),
      right ? "All checksums are the same." : "Some checksums DIFFER.");
  if (!chosen.json_file.empty()) write_json(chosen.json_file, file_content(chosen, rows));
  if (!right) throw exit_code{1};
}

} // namespace

void add_bench_optimiser(CLI::App& bench) {
  auto chosen = std::make_shared<optimiser_options>();
  auto* command = bench.add_subcommand(
      "optimiser",
      "Plain blocking programs, as they are, by WINDROW_BULK, by -fcomm and by hand, in a simulated network");
  command->add_option("--pes", chosen->pes, "Numbers of PEs (2,4,16)")
      ->delimiter(',')
      ->check(check_pes)
      ->option_text("N,…");
  command->add_option("--model", chosen->model, "hdr, slingshot11, cloud, or a file (hdr)")
      ->option_text("MODEL");
  command->add_option("--size", chosen->size, "of each program's problem (its own)")->option_text("N");
  command->add_option("--json", chosen->json_file, "Write the results to a file")->option_text("FILE");
  command->prefix_command(false);
  command->callback([chosen] { run_optimiser(*chosen); });
}

} // namespace windrow::tools
