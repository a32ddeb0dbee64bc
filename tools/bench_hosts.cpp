// SPDX-License-Identifier: BSD-3-Clause
// windrow bench hosts: operations between hosts beside plain MPI of the same library, in one table.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/fatal.hpp"
#include "tools/commands.hpp"
#include "tools/run_on_hosts.hpp"
#include "tools/surroundings.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

using nlohmann::json;

struct bench_options {
  std::string hosts;
  std::string mpi;
  int pes = 2;
  bool json_lines = false;
};

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// The figures that the program prints, a line of JSON each; other lines are passed on.
std::vector<json> figures_of(const std::vector<std::string>& command) {
  std::string line;
  for (const auto& word : command) line += quoted(word) + " ";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(::popen(line.c_str(), "r"), ::pclose);
  if (!output) throw error("bench: cannot start a shell");
  std::vector<json> figures;
  for (std::array<char, 1000> text; std::fgets(text.data(), text.size(), output.get()) != nullptr;) {
    auto figure = json::parse(text.data(), nullptr, false);
    if (figure.is_object() && figure.contains("figure"))
      figures.push_back(figure);
    else
      std::fputs(text.data(), stderr);
  }
  return figures;
}

/// What a figure is to be compared with: the one of plain MPI in the same unit that is nearest in kind.
const json* measure_of(const json& figure, const std::vector<json>& plain) {
  if (figure["unit"] == "M/s") return nullptr;
  for (const auto& p : plain)
    if (p["unit"] == figure["unit"]) return &p;
  return nullptr;
}

void print(const std::vector<json>& all, const std::vector<json>& plain) {
  fmt::print("{:<32} {:>10} {:>10} {:>10} {:<5} {}\n", "", "median", "least", "most", "",
             "of plain MPI's first in that unit");
  for (const auto& f : all) {
    const auto* const measure = measure_of(f, plain);
    fmt::print("{:<32} {:>10.3f} {:>10.3f} {:>10.3f} {:<5} {}\n", f["figure"].get<std::string>(),
               f["value"].get<double>(), f["least"].get<double>(), f["most"].get<double>(),
               f["unit"].get<std::string>(),
               measure == nullptr
                   ? ""
                   : fmt::format("{:.2f}", f["value"].get<double>() / (*measure)["value"].get<double>()));
  }
}

void run(const bench_options& o, const std::vector<std::string>& arguments) {
  const surroundings place;
  const hosts_options on{o.hosts, choose_mpi(o.mpi), o.pes, "", false};
  std::vector<std::string> ours{place.program("bench_hosts")};
  ours.insert(ours.end(), arguments.begin(), arguments.end());
  const auto plain_command = command_on_hosts(on, {place.program("bench_plain_" + on.mpi)});
  auto plain = figures_of(plain_command);
  auto all = figures_of(command_on_hosts(on, ours));
  if (plain.empty() || all.empty()) throw error("bench: a program ended without figures");
  all.insert(all.begin(), plain.begin(), plain.end());
  if (!o.json_lines) return print(all, plain);
  for (const auto& f : all) fmt::print("{}\n", f.dump());
}

} // namespace

void add_bench_hosts(CLI::App& bench) {
  auto o = std::make_shared<bench_options>();
  auto* command = bench.add_subcommand("hosts", "Operations between hosts, beside plain MPI");
  command
      ->add_option("--hosts", o->hosts, "As for windrow run; the figures are from the first PE to the last")
      ->required()
      ->type_name("LIST");
  command->add_option("--mpi", o->mpi, "openmpi or mpich")->type_name("NAME");
  command->add_option("-n", o->pes, "Number of PEs")
      ->check(CLI::Range(2, 4096))
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--json", o->json_lines, "Print lines of JSON");
  command->prefix_command();
  command->footer("Options that follow go to the benchmark: --operations, --blocking, --repetitions.");
  command->callback([command, o] { run(*o, command->remaining()); });
}

} // namespace windrow::tools
