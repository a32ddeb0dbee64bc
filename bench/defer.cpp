// SPDX-License-Identifier: BSD-3-Clause
// Operations that depend on fetched values: what continuations and coroutines cost beside request and reply
// written by hand, and what it brings to send the continuation to the owner instead. `windrow bench defer
// --help` describes the options.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/deferred_kernels.hpp"
#include "bench/measure.hpp"
#include "windrow/windrow.hpp"

namespace windrow::bench {
namespace {

struct options {
  std::uint64_t operations = 2'000'000;
  std::vector<std::uint64_t> places{1000, 1'000'000};
  int repetitions = 5;
  std::vector<std::string> kernels{"transpose", "histogram", "gather"};
  std::string only;
  bool json = false;
};

/// What a variant did besides taking time.
struct cost {
  double bytes_per_operation;       ///< sent in blocks
  std::uint64_t deferred_bytes_max; ///< since the job began
};

void print(const options& o, const job& j, const std::string& kernel, std::uint64_t places,
           const std::vector<timing>& timings, const std::vector<cost>& costs) {
  if (j.pe() != 0) return;
  const auto by_hand = std::find_if(timings.begin(), timings.end(),
                                    [](const timing& t) { return t.name == request_and_reply; });
  for (std::size_t k = 0; k < timings.size(); ++k) {
    const auto& t = timings[k];
    const double rate = static_cast<double>(o.operations) / t.median() / 1e6;
    const double ratio = by_hand == timings.end() ? 0 : by_hand->median() / t.median();
    if (o.json)
      fmt::print("{}\n", nlohmann::json{{"pes", j.pes()},
                                        {"kernel", kernel},
                                        {"places_per_pe", places},
                                        {"variant", t.name},
                                        {"seconds", t.seconds},
                                        {"million_per_second_per_pe", rate},
                                        {"of_request_and_reply", ratio},
                                        {"bytes_per_operation", costs[k].bytes_per_operation}}
                             .dump());
    else
      fmt::print("  {:<34} {:>7.1f} M/s {:>7.1f} ns {:>6.1f} B {:>6.2f}\n", t.name, rate, 1e3 / rate,
                 costs[k].bytes_per_operation, ratio);
  }
}

/// Bytes per operation of each variant: from one run of each.
std::vector<cost> costs_of(job& j, const std::vector<variant>& variants, std::uint64_t operations) {
  std::vector<cost> result;
  for (const auto& v : variants) {
    const auto before = j.stats();
    time_once(j, v);
    const auto after = j.stats();
    const auto bytes = j.world().sum(after.bytes_sent - before.bytes_sent);
    result.push_back(
        {static_cast<double>(bytes) / static_cast<double>(operations) / j.pes(), after.deferred_bytes_max});
  }
  return result;
}

void run(job& j, const options& o) {
  if (j.pe() == 0 && !o.json)
    fmt::print(
        "{} PEs, {} operations per PE; per PE, medians of {}: rate, time, bytes sent per operation, and "
        "speed as a fraction of\nrequest and reply by hand\n",
        j.pes(), o.operations, o.repetitions);
  if (j.pe() == 0 && !o.json && !deferred_kernels::has_annotated)
    fmt::print("no row 'pragma': this Windrow was built without its compiler plug-in\n");
  for (const auto places : o.places) {
    deferred_kernels work(j, places, o.operations);
    for (const auto& kernel : o.kernels) {
      auto variants = work.variants(kernel);
      if (!o.only.empty()) std::erase_if(variants, [&](const variant& v) { return v.name != o.only; });
      if (j.pe() == 0 && !o.json) fmt::print("{}, {} places per PE\n", kernel, places);
      const auto timings = measure(j, variants, o.repetitions);
      print(o, j, kernel, places, timings, costs_of(j, variants, o.operations));
    }
  }
  if (j.pe() == 0 && !o.json)
    fmt::print("most memory of what waited: {:.1f} MiB\n",
               static_cast<double>(j.stats().deferred_bytes_max) / (1 << 20));
}

} // namespace
} // namespace windrow::bench

int main(int argc, char** argv) {
  windrow::bench::options o;
  CLI::App app("Operations that depend on fetched values: deferred, by hand, and fused at the owner");
  app.add_option("--operations", o.operations, "operations per PE")->capture_default_str();
  app.add_option("--places", o.places, "columns, or entries of the table, per PE")->capture_default_str();
  app.add_option("--repetitions", o.repetitions, "counted ones, after one that is not")
      ->check(CLI::PositiveNumber);
  app.add_option("--kernels", o.kernels, "which ones")
      ->delimiter(',')
      ->check(CLI::IsMember({"transpose", "histogram", "gather"}));
  app.add_option("--only", o.only, "only the variant of this name");
  app.add_flag("--json", o.json, "one JSON object per line");
  CLI11_PARSE(app, argc, argv);
  windrow::job job(argc, argv);
  windrow::bench::run(job, o);
}
