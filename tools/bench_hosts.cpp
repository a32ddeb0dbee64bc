// SPDX-License-Identifier: BSD-3-Clause
// windrow bench hosts: operations between hosts and, in turn with them, plain MPI of the same library, in one
// table.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "apps/support/json.hpp"
#include "tools/commands.hpp"
#include "tools/run_on_hosts.hpp"
#include "tools/side_job.hpp"
#include "tools/surroundings.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

struct bench_options {
  std::string hosts;
  std::string mpi;
  std::string only;
  int pes = 2;
  bool progress_thread = false; ///< of plain MPI
  bool json_lines = false;
};

std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

/// The value below which this share of the sorted values lies.
double quantile(const std::vector<double>& values, double share) {
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

/// A figure of the programs, one value for each turn.
struct figure {
  explicit figure(const json& line)
      : name(line.at("figure")), unit(line.at("unit")), values(line.at("values")) {}

  std::string name, unit;
  std::vector<double> values;
};

/// Ratios of a figure of ours to one of plain MPI in the turn before, the middle half of them.
struct comparison {
  comparison(const figure& ours, const figure& plain) : with(plain.name) {
    std::vector<double> ratios;
    ratios.reserve(ours.values.size());
    for (std::size_t i = 0; i < ours.values.size(); ++i) ratios.push_back(ours.values[i] / plain.values[i]);
    ratios = sorted(ratios);
    median = quantile(ratios, 0.5);
    low = quantile(ratios, 0.25);
    high = quantile(ratios, 0.75);
  }

  std::string with;
  double median, low, high;
};

/// Whether both have a word that says what is measured, or neither.
bool agree(const figure& ours, const figure& plain, const char* word_of_ours, const char* word_of_plain) {
  return (ours.name.find(word_of_ours) == std::string::npos) ==
         (plain.name.find(word_of_plain) == std::string::npos);
}

/// With those of plain MPI of the same turns: a message there and back, and the same operation.
std::vector<comparison> comparisons_of(const figure& ours, const std::vector<figure>& plain) {
  std::vector<comparison> all;
  for (const auto& p : plain) {
    const bool in_same_turns = p.unit == ours.unit && p.values.size() == ours.values.size() &&
                               agree(ours, p, "target computes", "target computes");
    const bool is_message = p.name.find("MPI_") == std::string::npos;
    if (in_same_turns && (is_message || agree(ours, p, "fetch_add", "Fetch_and_op")))
      all.emplace_back(ours, p);
  }
  return all;
}

void print(const figure& f) {
  const auto values = sorted(f.values);
  fmt::print("{:<44} {:>10.3f}   {:>8.3f} to {:<8.3f} {}\n", f.name, quantile(values, 0.5),
             quantile(values, 0.25), quantile(values, 0.75), f.unit);
}

void print(const std::vector<figure>& ours, const std::vector<figure>& plain) {
  fmt::print("{:<44} {:>10}   the middle half\n", "", "median");
  for (const auto& f : plain) print(f);
  for (const auto& f : ours) {
    print(f);
    for (const auto& c : comparisons_of(f, plain))
      fmt::print("    of {:<37} {:>10.3f}   {:>8.3f} to {:<8.3f}\n", c.with, c.median, c.low, c.high);
  }
}

void print_lines(const std::vector<figure>& ours, const std::vector<figure>& plain) {
  for (const auto* all : {&plain, &ours})
    for (const auto& f : *all) {
      json line{{"figure", f.name},
                {"unit", f.unit},
                {"value", quantile(sorted(f.values), 0.5)},
                {"values", f.values}};
      if (all == &ours)
        for (const auto& c : comparisons_of(f, plain)) line["of"][c.with] = {c.low, c.median, c.high};
      fmt::print("{}\n", line.dump());
    }
}

/// Both jobs take turns (bench/hosts/turns.h); each prints its figures in the end, a line of JSON each, and
/// other lines are passed on.
std::pair<std::vector<figure>, std::vector<figure>> measure(const std::vector<std::string>& plain_command,
                                                            const std::vector<std::string>& command) {
  std::vector<figure> plain, ours;
  const auto note = [](std::vector<figure>& to) {
    return [&to](const std::string& line) {
      const auto parsed = json::parse(line, nullptr, false);
      if (parsed.is_object() && parsed.contains("figure"))
        to.emplace_back(parsed);
      else
        fmt::print(stderr, "{}\n", line);
    };
  };
  side_job first(plain_command, note(plain)), second(command, note(ours));
  run_side_by_side(first, second);
  if (ours.empty()) throw error("bench: a program ended without figures");
  return {ours, plain};
}

void run(const bench_options& o, const std::vector<std::string>& arguments) {
  const surroundings place;
  const hosts_options on{o.hosts, choose_mpi(o.mpi), o.pes, "", false, false, {}};
  ::setenv("WINDROW_LOST_SECONDS", "600", 0); // whose turn it is not is silent
  const auto name = fmt::format("{}-{}", ::getpid(), std::random_device()());
  std::vector<std::string> theirs{place.program("bench_plain_" + on.mpi), name};
  if (o.progress_thread) {
    if (on.mpi != "mpich") throw error("bench: only MPICH has a progress thread (--mpi mpich)");
    // The shell, since `env` would take a path with a = in it for one more variable.
    theirs.insert(theirs.begin(), {"sh", "-c", "MPIR_CVAR_ASYNC_PROGRESS=1 exec \"$0\" \"$@\""});
  }
  std::vector<std::string> ours{place.program("bench_hosts"), "--turns", name};
  ours.insert(ours.end(), arguments.begin(), arguments.end());
  if (!o.only.empty()) {
    theirs.push_back(o.only);
    ours.insert(ours.end(), {"--only", o.only});
  }
  const auto [our_figures, plain_figures] = measure(command_on_hosts(on, theirs), command_on_hosts(on, ours));
  if (o.json_lines)
    print_lines(our_figures, plain_figures);
  else
    print(our_figures, plain_figures);
}

} // namespace

void add_bench_hosts(CLI::App& bench) {
  auto o = std::make_shared<bench_options>();
  auto* command = bench.add_subcommand("hosts", "Operations between hosts, in turn with plain MPI");
  command
      ->add_option("--hosts", o->hosts, "As for windrow run; the figures are from the first PE to the last")
      ->required()
      ->type_name("LIST");
  command->add_option("--mpi", o->mpi, "openmpi or mpich")->type_name("NAME");
  command->add_option("-n", o->pes, "Number of PEs")
      ->check(CLI::Range(2, 4096))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--only", o->only, "latency, flow, busy or kernels")
      ->check(CLI::IsMember({"latency", "flow", "busy", "kernels"}))
      ->type_name("KIND");
  command->add_flag("--progress-thread", o->progress_thread,
                    "Let plain MPI work for others in a thread of its own (MPICH)");
  command->add_flag("--json", o->json_lines, "Print lines of JSON");
  command->prefix_command();
  command->footer("Options that follow go to the benchmark: --operations, --blocking, --repetitions.");
  command->callback([command, o] { run(*o, command->remaining()); });
}

} // namespace windrow::tools
