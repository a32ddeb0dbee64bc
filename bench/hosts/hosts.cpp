// SPDX-License-Identifier: BSD-3-Clause
// What operations between hosts cost, from the first PE to the last. `windrow bench hosts` starts it and, in
// turn with it, the same by plain MPI (plain_mpi.c). PE 0 prints a line of JSON for each figure in the end.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/support/command_line.hpp"
#include "bench/hosts/turns.h"
#include "windrow/windrow.hpp"

namespace windrow::bench {
namespace {

struct options {
  std::uint64_t operations = 1'000'000;
  std::uint64_t blocking = 2000;
  std::uint64_t entries = 1'000'000;
  int repetitions = 5;
  std::string turns;
  std::string only;
};

/// What a stream carries here: an index and a value.
struct item {
  std::uint64_t index, value;
};

using seconds = std::chrono::duration<double>;
using clock = std::chrono::steady_clock;

double since(clock::time_point begin) {
  return seconds(clock::now() - begin).count();
}

struct figure {
  std::string_view kind, name, unit;
  std::function<double()> once; ///< collective; measures it, in `unit`, on PE 0
  std::vector<double> values;   ///< one for each turn, and for each repetition
};

class between_hosts {
 public:
  between_hosts(job& j, const options& o)
      : job_(j),
        o_(o),
        last_(j.pes() - 1),
        word_(j.allocate<std::uint64_t>(1)),
        table_(j.allocate<std::uint64_t>(o.entries)),
        range_(j.allocate<std::byte>(range_bytes)),
        local_(range_bytes),
        stream_(j, [this](std::span<const item> batch, pe_t) {
          for (const auto& i : batch) sum_ += i.value;
        }) {
    std::mt19937_64 random(static_cast<std::uint64_t>(j.pe()) + 1);
    places_.resize(o.operations);
    for (auto& p : places_) p = random() % o.entries;
    values_.resize(o.operations);
  }
  between_hosts(const between_hosts&) = delete;
  between_hosts& operator=(const between_hosts&) = delete;

  std::vector<figure> all() {
    const auto get_one = [this] { return get(job_, word_.on(last_)[0]); };
    const auto add_one = [this] { return fetch_add(job_, word_.on(last_)[0], 1); };
    return {
        {"latency", "get of 8 B", "us", [=, this] { return latency(get_one); }, {}},
        {"latency", "fetch_add", "us", [=, this] { return latency(add_one); }, {}},
        {"flow", "put of 64 MiB", "GB/s", [this] { return put_range(); }, {}},
        {"flow", "get of 64 MiB", "GB/s", [this] { return get_range(); }, {}},
        {"flow", "aggregated items of 16 B", "GB/s", [this] { return send_items(); }, {}},
        {"busy", "get of 8 B, target computes", "us", [=, this] { return latency_of_busy(get_one); }, {}},
        {"busy", "fetch_add, target computes", "us", [=, this] { return latency_of_busy(add_one); }, {}},
        {"kernels", "histogram, blocking", "M/s", [this] { return histogram(blocking, o_.blocking); }, {}},
        {"kernels",
         "histogram, aggregated",
         "M/s",
         [this] { return histogram(aggregate, o_.operations); },
         {}},
        {"kernels", "gather, blocking", "M/s", [this] { return gather(blocking, o_.blocking); }, {}},
        {"kernels", "gather, aggregated", "M/s", [this] { return gather(aggregate, o_.operations); }, {}},
    };
  }

 private:
  static constexpr std::size_t range_bytes = std::size_t{64} << 20;
  static constexpr std::uint64_t items = 8'000'000;
  static constexpr int round_trips = 400, warm_up = 50;

  /// Microseconds of one of PE 0's, while the others wait in a barrier.
  template <class Operation>
  double latency(Operation operation) {
    const auto repeat = [&](int times) {
      for (int i = 0; job_.pe() == 0 && i < times; ++i) operation();
    };
    repeat(warm_up);
    const auto begin = clock::now();
    repeat(round_trips);
    const auto micros = since(begin) / round_trips * 1e6;
    job_.barrier();
    return micros;
  }
  /// The latency while the last PE computes and never calls the library.
  template <class Operation>
  double latency_of_busy(Operation operation) {
    job_.barrier();
    const auto begin = clock::now();
    int operations = 0;
    while (job_.pe() == last_ && since(begin) < 1.2 * busy_seconds) continue;
    for (; job_.pe() == 0 && since(begin) < busy_seconds; ++operations) operation();
    const auto micros = since(begin) / operations * 1e6;
    job_.barrier();
    return micros;
  }
  /// Amount per second, in 10^9 or 10^6: of what all do, from the time when all begin until all are done.
  template <class Work>
  double rate(double amount, double unit, Work work) {
    job_.barrier();
    const auto begin = clock::now();
    work();
    job_.barrier();
    return amount / since(begin) / unit;
  }
  double put_range() {
    return rate(range_bytes, 1e9, [this] {
      if (job_.pe() == 0) put(job_, range_.on(last_), std::span<const std::byte>(local_));
    });
  }
  double get_range() {
    return rate(range_bytes, 1e9, [this] {
      if (job_.pe() == 0) get(job_, range_.on(last_), std::span(local_));
    });
  }
  double send_items() {
    const auto measured = rate(static_cast<double>(sizeof(item) * items), 1e9, [this] {
      for (std::uint64_t i = 0; job_.pe() == 0 && i < items; ++i) stream_.send(last_, {i, 1});
      stream_.barrier();
    });
    sent_ += items;
    if (job_.pe() == last_ && sum_ != sent_) throw error("items were lost or doubled");
    return measured;
  }
  // Every update and every read goes to the PE half the job away, which is on another host.
  global_ptr<std::uint64_t> partner_table() {
    return table_.on((job_.pe() + (job_.pes() + 1) / 2) % job_.pes());
  }
  double of_all(std::uint64_t operations) { return static_cast<double>(operations) * job_.pes(); }
  double histogram(style how, std::uint64_t operations) {
    return rate(of_all(operations), 1e6, [&] {
      context ctx(job_, how);
      const auto table = partner_table();
      for (std::uint64_t i = 0; i < operations; ++i) ctx.add(table[static_cast<std::int64_t>(places_[i])], 1);
      ctx.barrier();
    });
  }
  double gather(style how, std::uint64_t operations) {
    return rate(of_all(operations), 1e6, [&] {
      context ctx(job_, how);
      const auto table = partner_table();
      for (std::uint64_t i = 0; i < operations; ++i)
        ctx.get(table[static_cast<std::int64_t>(places_[i])], &values_[i]);
      ctx.barrier();
    });
  }

  job& job_;
  options o_;
  pe_t last_;
  global_ptr<std::uint64_t> word_, table_;
  global_ptr<std::byte> range_;
  std::vector<std::byte> local_;
  std::vector<std::uint64_t> places_, values_;
  std::uint64_t sum_ = 0, sent_ = 0;
  stream<item> stream_;
};

/// In the first turn of a kind each figure once more before, which touches the memory. Those of kernels, of
/// which plain MPI has none, are repeated in their turn.
void measure(job& j, turns& in_turn, const kind_of_figures& kind, int repetitions,
             std::vector<figure>& figures) {
  const int times = std::string_view(kind.name) == "kernels" ? repetitions : 1;
  for (int turn = 0; turn < kind.turns; ++turn) {
    begin_turn(&in_turn);
    for (auto& f : figures) {
      if (f.kind != kind.name) continue;
      j.barrier();
      if (turn == 0) f.once();
      for (int i = 0; i < times; ++i) f.values.push_back(f.once());
    }
    j.barrier();
    end_turn(&in_turn);
  }
}

void run(job& j, const options& o) {
  between_hosts work(j, o);
  auto figures = work.all();
  j.barrier(); // all are there before any of them is stopped
  turns in_turn;
  open_turns(&in_turn, o.turns.empty() ? nullptr : o.turns.c_str(), j.pe(), 0);
  for (const auto& kind : kinds_of_figures)
    if (o.only.empty() || o.only == kind.name) measure(j, in_turn, kind, o.repetitions, figures);
  for (const auto& f : figures)
    if (j.pe() == 0 && !f.values.empty())
      fmt::print("{{\"figure\":\"{}\",\"unit\":\"{}\",\"values\":[{:.4f}]}}\n", f.name, f.unit,
                 fmt::join(f.values, ","));
  std::fflush(stdout);
}

} // namespace
} // namespace windrow::bench

int main(int argc, char** argv) {
  windrow::bench::options o;
  windrow::apps::command_line line("Operations between hosts, from the first PE to the last");
  line.add("--operations", &o.operations, "aggregated ones of each PE");
  line.add("--blocking", &o.blocking, "blocking ones of histogram and gather");
  line.add("--repetitions", &o.repetitions, "of histogram and gather").positive();
  line.add("--turns", &o.turns, "take turns with the other job of this name");
  line.add("--only", &o.only, "figures of this kind: latency, flow, busy, kernels");
  if (const int code = line.parse(argc, argv); code >= 0) return code;
  windrow::job job(argc, argv);
  windrow::bench::run(job, o);
}
