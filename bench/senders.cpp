// SPDX-License-Identifier: BSD-3-Clause
// What a second worker that sends is worth: one stream of items, sent by one worker of each PE or in equal
// parts by several, to a handler that discards them, so that sending is all that takes time.
// `windrow bench senders --help` describes the options.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "bench/options.hpp"
#include "windrow/windrow.hpp"

namespace windrow::bench {
namespace {

struct options : common_options {
  std::uint64_t operations = 20'000'000;
};

class items_from_workers {
 public:
  items_from_workers(job& j, const options& o)
      : job_(j),
        items_(o.operations),
        stream_(j, [this](std::span<const std::uint64_t> batch, pe_t) { arrived_ += batch.size(); }) {}

  std::vector<variant> variants() {
    std::vector<variant> result;
    for (int senders = 1; senders <= workers(); ++senders)
      result.push_back({fmt::format("{} of {} workers", senders, workers()),
                        [=, this] { send_from(senders); }, [this] { require_all(); }});
    return result;
  }

 private:
  void send_from(int senders) {
    const auto of = static_cast<std::uint64_t>(senders);
    for (int w = 0; w < senders; ++w) {
      const auto part = static_cast<std::uint64_t>(w);
      async_at(w, [this, begin = items_ * part / of, end = items_ * (part + 1) / of] { send(begin, end); });
    }
    stream_.barrier(); // waits for the tasks too
  }
  void send(std::uint64_t begin, std::uint64_t end) {
    const auto pes = static_cast<std::uint64_t>(job_.pes());
    for (auto i = begin; i < end; ++i) stream_.send(static_cast<pe_t>(i % pes), i);
  }
  void require_all() {
    if (job_.world().sum(std::exchange(arrived_, 0)) == items_ * static_cast<std::uint64_t>(job_.pes()))
      return;
    std::fprintf(stderr, "bench senders: PE %d: wrong result\n", job_.pe());
    std::exit(EXIT_FAILURE);
  }

  job& job_;
  std::uint64_t items_, arrived_ = 0;
  stream<std::uint64_t> stream_;
};

void report(const options& o, const job& j, const std::vector<timing>& timings) {
  if (j.pe() != 0) return;
  for (const auto& t : timings) {
    const auto rate = [&](double seconds) { return static_cast<double>(o.operations) / seconds / 1e6; };
    if (o.json)
      fmt::print("{}\n", nlohmann::json{{"pes", j.pes()},
                                        {"variant", t.name},
                                        {"seconds", t.seconds},
                                        {"million_per_second_per_pe", rate(t.median())}}
                             .dump());
    else
      fmt::print("{:<28} {:>7.1f} [{:>6.1f} to {:>6.1f}]  {:5.2f} x the rate of the first\n", t.name,
                 rate(t.median()), rate(t.worst()), rate(t.best()), timings.front().median() / t.median());
  }
}

void run(job& j, const options& o) {
  items_from_workers work(j, o);
  const auto variants = selected(work.variants(), o);
  if (j.pe() == 0 && !o.json)
    fmt::print("{} PEs, {} items per PE; M items/s per PE: median of {} [worst to best]\n", j.pes(),
               o.operations, o.repetitions);
  report(o, j, measure(j, variants, o.repetitions));
}

} // namespace
} // namespace windrow::bench

int main(int argc, char** argv) {
  windrow::bench::options o;
  windrow::apps::command_line line(
      "Items sent by one worker of each PE and by several, to a handler that discards them");
  line.add("--operations", &o.operations, "items per PE");
  windrow::bench::declare_common(line, o);
  if (const int code = line.parse(argc, argv); code >= 0) return code;
  windrow::job job(argc, argv);
  windrow::bench::run(job, o);
}
