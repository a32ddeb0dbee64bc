// SPDX-License-Identifier: BSD-3-Clause
// What more PEs than processors cost: the total rate of an aggregated histogram, and the time of a barrier,
// with 2, 4, 8, … of the job's PEs taking part while the others sleep. One interleaved run.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "apps/support/command_line.hpp"
#include "bench/measure.hpp"
#include "windrow/windrow.hpp"

namespace windrow::bench {
namespace {

constexpr int barriers_per_run = 2000;

struct options {
  std::uint64_t operations = 20'000'000;
  std::uint64_t entries = 1000;
  int repetitions = 5;
};

/// The first `pes` PEs of the job at work.
class crowd {
 public:
  crowd(job& j, pe_t pes, const options& o)
      : job_(j),
        members_(j.world().split_strided(0, 1, pes)),
        table_(j.allocate<std::uint64_t>(o.entries)),
        entries_(o.entries),
        pes_(pes) {
    if (!members_) return;
    std::mt19937_64 random(static_cast<std::uint64_t>(j.pe()) + 1);
    places_.resize(o.operations / static_cast<std::uint64_t>(pes));
    for (auto& p : places_)
      p = {static_cast<pe_t>(random() % static_cast<std::uint64_t>(pes)), random() % o.entries};
  }
  ~crowd() { job_.free(table_); }
  crowd(const crowd&) = delete;
  crowd& operator=(const crowd&) = delete;

  pe_t pes() const { return pes_; }

  void histogram() {
    if (!members_) return;
    context ctx(job_, members_, aggregate);
    for (const auto& p : places_) ctx.add(table_.on(p.owner)[static_cast<std::int64_t>(p.entry)], 1);
    ctx.barrier();
  }
  /// That all have been counted.
  void check() {
    std::uint64_t counted = 0;
    for (auto& entry : std::span(job_.local(table_), entries_)) counted += std::exchange(entry, 0);
    if (job_.world().sum(counted) == job_.world().sum(places_.size())) return;
    std::fprintf(stderr, "bench oversubscription: PE %d: wrong result of %d PEs\n", job_.pe(), pes_);
    std::exit(EXIT_FAILURE);
  }
  void barriers() {
    if (!members_) return;
    for (int i = 0; i < barriers_per_run; ++i) members_.barrier();
  }

 private:
  struct place {
    pe_t owner;
    std::uint64_t entry;
  };
  job& job_;
  team members_;
  global_ptr<std::uint64_t> table_;
  std::uint64_t entries_;
  std::vector<place> places_;
  pe_t pes_;
};

void report(const options& o, const std::vector<timing>& rates, const std::vector<timing>& waits) {
  fmt::print("{:<8} {:>22} {:>12} {:>14}\n", "PEs", "M operations/s, total", "of 2 PEs", "barrier, us");
  for (std::size_t k = 0; k < rates.size(); ++k)
    fmt::print("{:<8} {:>22.1f} {:>12.2f} {:>14.2f}\n", rates[k].name,
               static_cast<double>(o.operations) / rates[k].median() / 1e6,
               rates[0].median() / rates[k].median(), waits[k].median() / barriers_per_run * 1e6);
}

void run(job& j, const options& o) {
  if (j.pes() < 2) {
    std::fprintf(stderr, "bench oversubscription: it needs 2 PEs at least\n");
    std::exit(EXIT_FAILURE);
  }
  std::vector<std::unique_ptr<crowd>> crowds;
  for (pe_t pes = 2; pes <= j.pes(); pes *= 2) crowds.push_back(std::make_unique<crowd>(j, pes, o));
  std::vector<variant> rates, waits;
  for (auto& c : crowds) {
    rates.push_back({fmt::format("{}", c->pes()), [&c] { c->histogram(); }, [&c] { c->check(); }});
    waits.push_back({fmt::format("{}", c->pes()), [&c] { c->barriers(); }, {}});
  }
  const auto rate_times = measure(j, rates, o.repetitions);
  const auto wait_times = measure(j, waits, o.repetitions);
  if (j.pe() == 0) report(o, rate_times, wait_times);
}

} // namespace
} // namespace windrow::bench

int main(int argc, char** argv) {
  windrow::bench::options o;
  windrow::apps::command_line line("The cost of more PEs than processors");
  line.add("--operations", &o.operations, "in total");
  line.add("--entries", &o.entries, "table size, in 8-byte entries per PE").positive();
  line.add("--repetitions", &o.repetitions, "counted ones, after one that is not").positive();
  windrow::job job(argc, argv);
  if (const int code = line.parse(argc, argv, job.pe() == 0); code >= 0) return code;
  windrow::bench::run(job, o);
}
