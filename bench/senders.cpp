// SPDX-License-Identifier: BSD-3-Clause
// What a second worker that sends is worth: one stream of items, sent by one worker of each PE or in equal
// parts by several, to a handler that discards them; or updates, which the transport discards, so that
// sending is all that takes time. `windrow bench senders --help` describes the options.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>

#include "apps/support/json.hpp"
#include "bench/options.hpp"
#include "windrow/windrow.hpp"

namespace windrow::bench {
namespace {

struct options : common_options {
  std::uint64_t operations = 20'000'000;
  bool unread = false;
};

/// `variants` that do `send(begin, end)` for parts of all items on 1, 2 … workers.
template <class Send>
std::vector<variant> by_senders(std::uint64_t items, const Send& send, const std::function<void()>& barrier,
                                const std::function<void()>& check) {
  std::vector<variant> result;
  for (int senders = 1; senders <= workers(); ++senders) {
    const auto of = static_cast<std::uint64_t>(senders);
    const auto send_all = [=] {
      for (std::uint64_t part = 0; part < of; ++part)
        async_at(static_cast<int>(part), [=] { send(items * part / of, items * (part + 1) / of); });
      barrier(); // waits for the tasks too
    };
    result.push_back({fmt::format("{} of {} workers", senders, workers()), send_all, check});
  }
  return result;
}

class items_from_workers {
 public:
  items_from_workers(job& j, const options& o)
      : job_(j),
        items_(o.operations),
        stream_(j, [this](std::span<const std::uint64_t> batch, pe_t) { arrived_ += batch.size(); }) {}

  std::vector<variant> variants() {
    return by_senders(
        items_, [this](std::uint64_t begin, std::uint64_t end) { send(begin, end); },
        [this] { stream_.barrier(); }, [this] { require_all(); });
  }

 private:
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

/// Of the next PE's counters; of which nothing is to be seen.
class updates_from_workers {
 public:
  updates_from_workers(job& j, const options& o)
      : items_(o.operations),
        first_(static_cast<std::size_t>((j.pe() + 1) % j.pes()) * counters),
        table_(j.array<std::uint64_t>(counters * static_cast<std::size_t>(j.pes()))),
        context_(j, aggregate) {}

  std::vector<variant> variants() {
    return by_senders(
        items_, [this](std::uint64_t begin, std::uint64_t end) { send(begin, end); },
        [this] { context_.barrier(); }, [] {});
  }

 private:
  static constexpr std::size_t counters = 1024;

  void send(std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) context_.add(table_[first_ + i % counters], 1);
  }

  std::uint64_t items_;
  std::size_t first_;
  array<std::uint64_t> table_;
  context context_;
};

void report(const options& o, const job& j, const std::vector<timing>& timings) {
  if (j.pe() != 0) return;
  for (const auto& t : timings) {
    const auto rate = [&](double seconds) { return static_cast<double>(o.operations) / seconds / 1e6; };
    if (o.json)
      fmt::print("{}\n", json{{"pes", j.pes()},
                              {"variant", t.name},
                              {"seconds", t.seconds},
                              {"million_per_second_per_pe", rate(t.median())}}
                             .dump());
    else
      fmt::print("{:<28} {:>7.1f} [{:>6.1f} to {:>6.1f}]  {:5.2f} x the rate of the first\n", t.name,
                 rate(t.median()), rate(t.worst()), rate(t.best()), timings.front().median() / t.median());
  }
}

template <class Work>
void run(job& j, const options& o) {
  Work work(j, o);
  const auto variants = selected(work.variants(), o);
  require_some(j, !variants.empty(), o);
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
  line.add_flag(
      "--unread", o.unread,
      "updates of the next PE's counters, which a transport that discards them brings home at once");
  windrow::bench::declare_common(line, o);
  if (const int code = line.parse(argc, argv); code >= 0) return code;
  if (o.unread) setenv("WINDROW_FAULTS", "unread=1", 1);
  windrow::job job(argc, argv);
  if (o.unread)
    windrow::bench::run<windrow::bench::updates_from_workers>(job, o);
  else
    windrow::bench::run<windrow::bench::items_from_workers>(job, o);
}
