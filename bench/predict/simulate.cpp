// SPDX-License-Identifier: BSD-3-Clause
// Kernels on PEs of a simulated machine (WINDROW_SIM), which are light threads of this process. One JSON
// object on each line, for `windrow bench predict`.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/graph/erdos_renyi.hpp"
#include "apps/kernels/table.hpp"
#include "apps/runner/resources.hpp"
#include "apps/runner/styles.hpp"
#include "apps/support/command_line.hpp"
#include "bench/predict/point.hpp"
#include "windrow/simulation.hpp"

namespace windrow::bench {
namespace {

using apps::kernel_entry;
using apps::kernel_style;
using apps::workload;

/// All but the one in C: OpenSHMEM's PEs are processes, and those that are simulated are light threads of
/// one.
std::vector<std::string> simulated_styles() {
  std::vector<std::string> names;
  for (const auto style : apps::cpp_styles) names.emplace_back(apps::name_of(style));
  return names;
}

struct options {
  int pes = 2;
  std::vector<std::string> kernels{"histogram", "index_gather"};
  std::vector<std::string> styles = simulated_styles();
  std::uint64_t operations = 16384, blocking_operations = 256;
  std::uint64_t places = 1000;
};

/// What one PE knows about a run.
struct part {
  std::uint64_t operations, checksum, nanoseconds;
  counters spent;
};

counters difference(const counters& before, counters after) {
  after.messages -= before.messages;
  after.messages_between_hosts -= before.messages_between_hosts;
  after.message_bytes -= before.message_bytes;
  after.idle_ns -= before.idle_ns;
  return after;
}

part run_part(job& j, const kernel_entry& entry, const workload& w, kernel_style style) {
  const auto k = entry.make(j, w);
  k->reset();
  j.barrier();
  const auto counted = j.stats();
  const auto begin = clock_ns(j);
  k->run(style);
  j.barrier();
  const auto took = clock_ns(j) - begin;
  const auto spent = difference(counted, j.stats());
  return {k->operations(), k->checksum(), took, spent};
}

/// The same number of edges for each PE: weak scaling. Their ends are spread evenly, as in bale.
workload work_for(const options& chosen, std::uint64_t operations) {
  const auto pes = static_cast<std::uint64_t>(chosen.pes);
  const auto places = std::min(chosen.places, operations);
  const graph::erdos_renyi graph{pes * places, (operations + places - 1) / places, 1};
  return {.name = "Erdős–Rényi", .graph = graph.generate(), .sequences = {}, .seed = 1, .operations = 0};
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void add(const part& p, point& sum) {
  sum.operations += p.operations;
  sum.seconds = std::max(sum.seconds, static_cast<double>(p.nanoseconds) * 1e-9);
  sum.messages += p.spent.messages;
  sum.messages_between_hosts += p.spent.messages_between_hosts;
  sum.bytes += p.spent.message_bytes;
  if (p.nanoseconds > 0)
    sum.idle += static_cast<double>(p.spent.idle_ns) / static_cast<double>(p.nanoseconds) / sum.pes;
}

point simulate(int pes, const kernel_entry& entry, const workload& w, kernel_style style) {
  point result{.kernel = entry.name, .style = std::string(apps::name_of(style)), .pes = pes};
  const auto expected = entry.sequential(w).checksum;
  std::vector<part> parts(static_cast<std::size_t>(pes));
  apps::forget_peak_memory();
  const auto before = apps::peak_memory();
  const auto begin = std::chrono::steady_clock::now();
  run_simulated(pes, [&](job& j) { parts[static_cast<std::size_t>(j.pe())] = run_part(j, entry, w, style); });
  result.real_seconds = seconds_since(begin);
  result.bytes_per_pe = (apps::peak_memory() - before) / static_cast<std::uint64_t>(pes);
  std::uint64_t checksum = 0;
  for (const auto& p : parts) {
    checksum += p.checksum;
    add(p, result);
  }
  result.right = checksum == expected;
  return result;
}

bool simulate_all(const options& chosen) {
  const auto many = work_for(chosen, chosen.operations), few = work_for(chosen, chosen.blocking_operations);
  bool right = true;
  for (const auto& name : chosen.kernels) {
    const auto& kernel = *apps::find_kernel(name);
    for (const auto style : kernel.styles) {
      if (std::ranges::find(chosen.styles, apps::name_of(style)) == chosen.styles.end()) continue;
      const auto& w = style == kernel_style::blocking ? few : many;
      const auto result = simulate(chosen.pes, kernel, w, style);
      json event = result;
      event["event"] = "point";
      std::cout << event.dump() << std::endl; // at once: somebody shows progress
      right = right && result.right;
    }
  }
  return right;
}

options parse(int argc, char** argv) {
  options chosen;
  std::vector<std::string> known;
  for (const auto& entry : apps::kernels()) known.emplace_back(entry.name);
  windrow::apps::command_line line(
      "Kernels in the network that WINDROW_SIM says; people use windrow bench predict", "simulate");
  line.add("--pes", &chosen.pes).in(1, 4096);
  line.add("--kernels", &chosen.kernels).with_commas().one_of(known);
  line.add("--styles", &chosen.styles).with_commas().one_of(simulated_styles());
  line.add("--operations", &chosen.operations).in(1, 1 << 24);
  line.add("--blocking-operations", &chosen.blocking_operations).in(1, 1 << 24);
  if (const int code = line.parse(argc, argv); code >= 0) std::exit(code);
  return chosen;
}

} // namespace
} // namespace windrow::bench

int main(int argc, char** argv) {
  const auto chosen = windrow::bench::parse(argc, argv);
  if (std::getenv("WINDROW_SIM") == nullptr) {
    std::cerr << "simulate: set WINDROW_SIM to a model, for example WINDROW_SIM=hdr\n";
    return 2;
  }
  return windrow::bench::simulate_all(chosen) ? 0 : 1;
}
