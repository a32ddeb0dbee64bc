// SPDX-License-Identifier: BSD-3-Clause
// Operations that depend on fetched values: what continuations and coroutines cost beside request and reply
// written by hand, and what it brings to send the continuation to the owner instead. `windrow bench defer
// --help` describes the options.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/support/json.hpp"
#include "bench/deferred_kernels.hpp"
#include "bench/deferred_sort.hpp"
#include "bench/deferred_triangles.hpp"
#include "bench/options.hpp"
#include "windrow/windrow.hpp"

namespace windrow::bench {
namespace {

struct options : common_options {
  std::uint64_t operations = 2'000'000;
  std::vector<std::uint64_t> places{1000, 1'000'000};
  unsigned scale = 14;
  std::vector<std::string> kernels{"transpose", "histogram", "gather", "triangles", "topological_sort"};

  bool chosen(const char* kernel) const { return std::ranges::find(kernels, kernel) != kernels.end(); }
};

/// A kernel on one input.
struct task {
  std::string kernel;
  std::string input;
  std::uint64_t operations; ///< of all PEs
  std::vector<variant> variants;
};

/// Bytes of blocks per operation of each variant: from one run of each.
std::vector<double> bytes_of(job& j, const task& t) {
  std::vector<double> result;
  for (const auto& v : t.variants) {
    const auto before = j.stats().bytes_sent;
    time_once(j, v);
    const auto bytes = j.world().sum(j.stats().bytes_sent - before);
    result.push_back(static_cast<double>(bytes) / static_cast<double>(t.operations));
  }
  return result;
}

void print(const options& o, const job& j, const task& done, const std::vector<timing>& timings,
           const std::vector<double>& bytes) {
  if (j.pe() != 0) return;
  const auto by_hand = std::ranges::find(timings, request_and_reply, &timing::name);
  for (std::size_t k = 0; k < timings.size(); ++k) {
    const auto& t = timings[k];
    const double rate = static_cast<double>(done.operations) / j.pes() / t.median() / 1e6;
    const double ratio = by_hand == timings.end() ? 0 : by_hand->median() / t.median();
    if (o.json)
      fmt::print("{}\n", json{{"pes", j.pes()},
                              {"kernel", done.kernel},
                              {"input", done.input},
                              {"variant", t.name},
                              {"seconds", t.seconds},
                              {"million_per_second_per_pe", rate},
                              {"of_request_and_reply", ratio},
                              {"bytes_per_operation", bytes[k]}}
                             .dump());
    else
      fmt::print("  {:<34} {:>7.1f} M/s {:>7.1f} ns {:>6.1f} B {:>6.2f}\n", t.name, rate, 1e3 / rate,
                 bytes[k], ratio);
  }
}

/// Whether there was something to be measured.
bool measure_and_print(job& j, const options& o, task t) {
  t.variants = selected(std::move(t.variants), o);
  if (j.pe() == 0 && !o.json) fmt::print("{}, {}\n", t.kernel, t.input);
  const auto timings = measure(j, t.variants, o.repetitions);
  print(o, j, t, timings, bytes_of(j, t));
  return !timings.empty();
}

bool run_on_places(job& j, const options& o, std::uint64_t places) {
  deferred_kernels work(j, places, o.operations);
  bool any = false;
  for (const char* kernel : {"transpose", "histogram", "gather"}) {
    if (!o.chosen(kernel)) continue;
    any |= measure_and_print(j, o,
                             {kernel, fmt::format("{} places per PE", places),
                              o.operations * static_cast<std::uint64_t>(j.pes()), work.variants(kernel)});
  }
  return any;
}

bool run_on_graph(job& j, const options& o) {
  const auto input = fmt::format("R-MAT scale {}", o.scale);
  bool any = false;
  if (o.chosen("triangles")) {
    deferred_triangles work(j, o.scale);
    any |= measure_and_print(j, o, {"triangles", input, work.operations(), work.variants()});
  }
  if (o.chosen("topological_sort")) {
    deferred_sort work(j, o.scale);
    any |= measure_and_print(j, o, {"topological_sort", input, work.all_operations(), work.variants()});
  }
  return any;
}

void introduce(const options& o, const job& j) {
  if (j.pe() != 0 || o.json) return;
  fmt::print(
      "{} PEs; per PE, medians of {}: rate, time, bytes sent per operation, and speed as a fraction of\n"
      "request and reply by hand\n",
      j.pes(), o.repetitions);
  if (!deferred_kernels::has_annotated)
    fmt::print("no row 'pragma': this Windrow was built without its compiler plug-in\n");
}

void run(job& j, const options& o) {
  introduce(o, j);
  bool any = false;
  if (o.chosen("transpose") || o.chosen("histogram") || o.chosen("gather"))
    for (const auto places : o.places) any |= run_on_places(j, o, places);
  any |= run_on_graph(j, o);
  require_some(j, any, o);
  const auto most = j.world().max(j.stats().deferred_bytes_max);
  if (j.pe() == 0 && !o.json)
    fmt::print("most memory of what waited on a PE: {:.1f} MiB\n", static_cast<double>(most) / (1 << 20));
}

} // namespace
} // namespace windrow::bench

int main(int argc, char** argv) {
  windrow::bench::options o;
  windrow::apps::command_line line(
      "Operations that depend on fetched values: deferred, by hand, and fused at the owner");
  line.add("--operations", &o.operations, "operations per PE");
  line.add("--places", &o.places, "columns, or entries of the table, per PE").with_commas().positive();
  line.add("--scale", &o.scale, "of the graph of triangles and topological_sort: R-MAT, 2^SCALE vertices")
      .in(4, 20);
  line.add("--kernels", &o.kernels, "which ones").with_commas().one_of(o.kernels);
  windrow::bench::declare_common(line, o);
  windrow::job job(argc, argv);
  if (const int code = line.parse(argc, argv, job.pe() == 0); code >= 0) return code;
  windrow::bench::run(job, o);
}
