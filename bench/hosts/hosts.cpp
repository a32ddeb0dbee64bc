// SPDX-License-Identifier: BSD-3-Clause
// What operations between hosts cost, from the first PE to the last. `windrow bench hosts` starts it, and
// puts its figures beside those of plain MPI (plain_mpi.c). PE 0 prints a line of JSON for each.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "bench/measure.hpp"
#include "windrow/windrow.hpp"

namespace windrow::bench {
namespace {

struct options {
  std::uint64_t operations = 1'000'000;
  std::uint64_t blocking = 2000;
  std::uint64_t entries = 1'000'000;
  int repetitions = 5;
  std::string only;
};

/// What a stream carries here: an index and a value.
struct item {
  std::uint64_t index, value;
};

/// The work of `operations` per unit of time.
struct rate {
  variant what;
  std::string unit;
  double amount; ///< per run; for "us" the operations
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

  std::vector<rate> all() {
    const auto few = static_cast<double>(o_.blocking);
    const auto many = static_cast<double>(o_.operations * static_cast<std::uint64_t>(job_.pes()));
    const auto few_of_all = few * job_.pes();
    return {
        {{"get, 8 B", [this] { from_first([this] { return get(job_, word_.on(last_)[0]); }); }, {}},
         "us",
         few},
        {{"fetch_add", [this] { from_first([this] { return fetch_add(job_, word_.on(last_)[0], 1); }); }, {}},
         "us",
         few},
        {{"put of 64 MiB",
          [this] {
            if (job_.pe() == 0) put(job_, range_.on(last_), std::span<const std::byte>(local_));
          },
          {}},
         "GB/s",
         static_cast<double>(range_bytes)},
        {{"get of 64 MiB",
          [this] {
            if (job_.pe() == 0) get(job_, range_.on(last_), std::span(local_));
          },
          {}},
         "GB/s",
         static_cast<double>(range_bytes)},
        {{"aggregated items of 16 B", [this] { send_items(); }, [this] { require_sum(); }},
         "GB/s",
         static_cast<double>(sizeof(item) * items)},
        {{"histogram, blocking", [this] { histogram(blocking, o_.blocking); }, {}}, "M/s", few_of_all},
        {{"histogram, aggregated", [this] { histogram(aggregate, o_.operations); }, {}}, "M/s", many},
        {{"gather, blocking", [this] { gather(blocking, o_.blocking); }, {}}, "M/s", few_of_all},
        {{"gather, aggregated", [this] { gather(aggregate, o_.operations); }, {}}, "M/s", many},
    };
  }

 private:
  static constexpr std::size_t range_bytes = std::size_t{64} << 20;
  static constexpr std::uint64_t items = 8'000'000;

  template <class Operation>
  void from_first(Operation operation) {
    if (job_.pe() != 0) return;
    for (std::uint64_t i = 0; i < o_.blocking; ++i) operation();
  }
  void send_items() {
    if (job_.pe() == 0)
      for (std::uint64_t i = 0; i < items; ++i) stream_.send(last_, {i, 1});
    stream_.quiet();
  }
  void require_sum() {
    sent_ += items;
    if (job_.pe() == last_ && sum_ != sent_) throw error("items were lost or doubled");
  }
  // Every update and every read goes to the PE half the job away, which is on another host.
  global_ptr<std::uint64_t> partner_table() {
    return table_.on((job_.pe() + (job_.pes() + 1) / 2) % job_.pes());
  }
  void histogram(style how, std::uint64_t operations) {
    context ctx(job_, how);
    const auto table = partner_table();
    for (std::uint64_t i = 0; i < operations; ++i) ctx.add(table[static_cast<std::int64_t>(places_[i])], 1);
    ctx.quiet();
  }
  void gather(style how, std::uint64_t operations) {
    context ctx(job_, how);
    const auto table = partner_table();
    for (std::uint64_t i = 0; i < operations; ++i)
      ctx.get(table[static_cast<std::int64_t>(places_[i])], &values_[i]);
    ctx.quiet();
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

double value_of(const rate& r, double seconds) {
  if (r.unit == "us") return seconds / r.amount * 1e6;
  return r.amount / seconds / (r.unit == "GB/s" ? 1e9 : 1e6);
}

void run(job& j, const options& o) {
  between_hosts work(j, o);
  for (const auto& r : work.all()) {
    if (r.what.name.find(o.only) == std::string::npos) continue;
    const auto t = measure(j, {r.what}, o.repetitions).front();
    if (j.pe() != 0) continue;
    fmt::print(R"({{"figure":"{}","unit":"{}","value":{:.4f},"least":{:.4f},"most":{:.4f}}})"
               "\n",
               r.what.name, r.unit, value_of(r, t.median()), value_of(r, t.worst()), value_of(r, t.best()));
    std::fflush(stdout);
  }
}

} // namespace
} // namespace windrow::bench

int main(int argc, char** argv) {
  windrow::bench::options o;
  CLI::App app("Operations between hosts, from the first PE to the last");
  app.add_option("--operations", o.operations, "aggregated ones of each PE")->capture_default_str();
  app.add_option("--blocking", o.blocking, "blocking ones")->capture_default_str();
  app.add_option("--repetitions", o.repetitions, "counted ones, after one that is not")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--only", o.only, "figures whose name contains this");
  CLI11_PARSE(app, argc, argv);
  windrow::job job(argc, argv);
  windrow::bench::run(job, o);
}
