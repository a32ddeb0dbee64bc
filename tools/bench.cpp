// SPDX-License-Identifier: BSD-3-Clause
// windrow bench: runs one of the benchmarks. Most are Windrow programs named bench_*.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "os/process.hpp"
#include "tools/commands.hpp"
#include "tools/surroundings.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

struct bench_entry {
  const char* name;
  const char* pes; ///< unless -n says otherwise
  const char* about;
};

constexpr bench_entry benches[] = {
    {"updates", "2", "histogram and index gather, blocking and aggregated, beside a program written by hand"},
    {"defer", "2", "operations that depend on fetched values: deferred, by hand, and fused at the owner"},
    {"mailbox", "2", "messages by stream, mailbox and selector: what each form of a handler costs"},
    {"mobile", "2", "messages to mobile objects beside a mailbox, calls, moves"},
    {"oversubscription", "8", "total rate and barrier with 2, 4, 8 PEs on this machine's processors"},
    {"senders", "1",
     "items sent by one worker and by several, to a handler that discards them (WINDROW_WORKERS)"},
    {"tasks", "1", "what a task costs, beside a plain call; stealing; tasks in handlers (WINDROW_WORKERS)"},
};

std::string list() {
  std::string text = "Benchmarks:\n";
  for (const auto& b : benches) text += fmt::format("  {:<18}{} ({} PEs)\n", b.name, b.about, b.pes);
  text += "  bale              irregular kernels in every style, beside sequential programs\n";
  text += "  hosts             operations between hosts, beside plain MPI\n";
  text += "  latency-sweep     the same with PEs further and further apart\n";
  text +=
      "  optimiser         plain blocking programs as written, by -fcomm and by hand, in a simulated "
      "network\n";
  text += "  predict           kernels on up to 1,024 PEs of a simulated machine, beside published results\n";
  return text + "Options after the name go to the benchmark: windrow bench updates --help";
}

const bench_entry& find(const std::string& name) {
  for (const auto& b : benches)
    if (name == b.name) return b;
  throw error(fmt::format("there is no benchmark '{}'; windrow bench lists them", name));
}

// `-n` may also stand behind the name, among the benchmark's own options.
std::string take_pes(std::vector<std::string>& words) {
  const auto option = std::find(words.begin(), words.end(), "-n");
  if (option == words.end()) return "";
  if (option + 1 == words.end()) throw error("bench: -n needs a number of PEs");
  auto pes = *(option + 1);
  words.erase(option, option + 2);
  return pes;
}

bool asks_for_help(const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [](const auto& word) { return word == "-h" || word == "--help"; });
}

void run(std::string pes, std::vector<std::string> words) {
  if (words.empty()) return fmt::print("{}\n", list());
  if (pes.empty()) pes = take_pes(words);
  if (asks_for_help(words)) pes = "1"; // each PE would answer
  const surroundings place;
  const auto& chosen = find(words.front());
  std::vector<std::string> command{place.windrow(),
                                   "run",
                                   "-n",
                                   pes.empty() ? chosen.pes : pes,
                                   "--",
                                   place.program(fmt::format("bench_{}", chosen.name))};
  command.insert(command.end(), words.begin() + 1, words.end());
  os::execute(command);
}

// In front of a name it is meant as it is in front of the others.
void pass_pes_on(const CLI::App& bench, CLI::App& to) {
  const auto* given = bench.get_option("-n");
  if (given->empty()) return;
  auto* own = to.get_option_no_throw("-n");
  if (own == nullptr)
    throw error(fmt::format("bench: {} takes numbers of PEs by --pes, not by -n", to.get_name()));
  own->take_last()->add_result(given->results().front());
}

} // namespace

void add_bench(CLI::App& app) {
  auto pes = std::make_shared<std::string>();
  auto* bench = app.add_subcommand("bench", "Measure this machine and this library");
  bench->add_option("-n", *pes, "Number of PEs")->type_name("N");
  bench->prefix_command();
  add_bench_bale(*bench);
  add_bench_sweep(*bench);
  add_bench_hosts(*bench);
  add_bench_optimiser(*bench);
  add_bench_predict(*bench);
  for (auto* one : bench->get_subcommands({}))
    one->preparse_callback([bench, one](std::size_t) { pass_pes_on(*bench, *one); });
  bench->footer(list());
  bench->callback([bench, pes] {
    if (bench->get_subcommands().empty()) run(*pes, bench->remaining());
  });
}

} // namespace windrow::tools
