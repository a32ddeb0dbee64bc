// SPDX-License-Identifier: BSD-3-Clause
// Scattered updates and reads: histogram and index gather, blocking and aggregated, beside the limit program,
// in one interleaved run. `windrow bench updates --help` describes the options.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "apps/support/json.hpp"
#include "bench/limit.hpp"
#include "bench/options.hpp"
#include "windrow/windrow.hpp"

namespace windrow::bench {
namespace {

struct options : common_options {
  std::uint64_t operations = 10'000'000;
  std::vector<std::uint64_t> entries{1000, 4'000'000};
  std::vector<std::string> kernels{"histogram", "gather"};
};

constexpr std::size_t ahead = 32; // prefetch distance of the limit program, in items

template <class Item, class Change>
void apply_ahead(std::span<Item> items, std::uint64_t* local, Change change) {
  const auto safe = items.size() > ahead ? items.size() - ahead : 0;
  std::size_t i = 0;
  for (; i < safe; ++i) {
    __builtin_prefetch(&local[items[i + ahead]], 1);
    change(items[i], local);
  }
  for (; i < items.size(); ++i) change(items[i], local);
}

class kernels {
 public:
  kernels(job& j, std::uint64_t entries, std::uint64_t operations)
      : job_(j),
        per_pe_(entries),
        table_(j.array<std::uint64_t>(entries * static_cast<std::uint64_t>(j.pes()))),
        indices_(operations),
        out_(operations),
        wide_(j),
        light_(j) {
    std::mt19937_64 random(static_cast<std::uint64_t>(j.pe()) + 1);
    for (auto& i : indices_) i = random() % table_.size();
    for (const auto i : indices_) places_.push_back(table_[i]);
  }
  ~kernels() { job_.free(table_); }

  std::vector<variant> histogram() {
    const auto check = [this] { check_histogram(); };
    std::ranges::fill(table_.local(), 0); // gather, if it comes first, fills it
    job_.barrier();
    return {{"plain loop, own part", [this] { plain(); }, check},
            {"limit program, 8-byte items", [this] { limit_histogram(wide_); }, check},
            {"limit program, 4-byte items", [this] { limit_histogram(light_); }, check},
            {"blocking", [this] { histogram_with(blocking); }, check},
            {"aggregated", [this] { histogram_with(aggregate); }, check},
            {"places known, aggregated", [this] { histogram_at_known_places(); }, check}};
  }
  std::vector<variant> gather() {
    const auto check = [this] { check_gather(); };
    fill_table();
    return {{"limit program, 8-byte items", [this] { limit_gather(wide_); }, check},
            {"blocking", [this] { gather_with(blocking); }, check},
            {"aggregated", [this] { gather_with(aggregate); }, check}};
  }

 private:
  void plain() {
    auto* local = table_.local().data();
    const auto begin = table_.global_index(0);
    // The same random access pattern, folded into this PE's part.
    for (const auto i : indices_) ++local[i >= begin && i < begin + per_pe_ ? i - begin : i % per_pe_];
  }
  void histogram_with(style how) {
    context ctx(job_, how);
    const auto table = table_;
    for (const auto i : indices_) ctx.add(table[i], 1);
    ctx.barrier();
  }
  // Where an element is, is known already: what remains is the operation itself.
  void histogram_at_known_places() {
    context ctx(job_, aggregate);
    for (const auto& place : places_) ctx.add(place, 1);
    ctx.barrier();
  }
  void gather_with(style how) {
    context ctx(job_, how);
    const auto table = table_;
    auto* out = out_.data();
    for (const auto i : indices_) ctx.get(table[i], out++);
    ctx.barrier();
  }

  template <class Item>
  void limit_histogram(limit_rings<Item>& rings) {
    auto* local = table_.local().data();
    rings.template run<false>(
        [&](auto send) {
          for (const auto i : indices_) send(table_.owner(i), i - begin_of(table_.owner(i)), 0);
        },
        [&](std::span<Item> items) { apply_ahead(items, local, [](Item at, std::uint64_t* t) { ++t[at]; }); },
        nullptr);
  }
  void limit_gather(limit_rings<std::uint64_t>& rings) {
    auto* local = table_.local().data();
    rings.run<true>(
        [&](auto send) {
          std::uint64_t k = 0;
          for (const auto i : indices_) send(table_.owner(i), i - begin_of(table_.owner(i)), k++);
        },
        [&](std::span<std::uint64_t> items) {
          apply_ahead(items, local, [](std::uint64_t& at, const std::uint64_t* t) { at = t[at]; });
        },
        out_.data());
  }
  std::uint64_t begin_of(pe_t owner) const { return static_cast<std::uint64_t>(owner) * per_pe_; }

  void check_histogram() {
    std::uint64_t sum = 0;
    for (auto& count : table_.local()) sum += std::exchange(count, 0);
    require(job_.world().sum(sum) == indices_.size() * static_cast<std::uint64_t>(job_.pes()), "histogram");
  }
  void fill_table() {
    auto local = table_.local();
    for (std::size_t k = 0; k < local.size(); ++k) local[k] = table_.global_index(k) * 3 + 1;
    job_.barrier();
  }
  void check_gather() {
    for (std::size_t k = 0; k < out_.size(); ++k)
      require(std::exchange(out_[k], 0) == indices_[k] * 3 + 1, "gather");
  }
  void require(bool right, const char* what) const {
    if (right) return;
    std::fprintf(stderr, "bench updates: PE %d: wrong result of %s\n", job_.pe(), what);
    std::exit(EXIT_FAILURE);
  }

  job& job_;
  std::uint64_t per_pe_;
  array<std::uint64_t> table_;
  std::vector<std::uint64_t> indices_, out_;
  std::vector<global_ref<std::uint64_t>> places_;
  limit_rings<std::uint64_t> wide_;
  limit_rings<std::uint32_t> light_;
};

void report(const options& o, const job& j, const std::string& kernel, std::uint64_t entries,
            const std::vector<timing>& timings) {
  if (j.pe() != 0) return;
  const auto rate = [&](double seconds) { return static_cast<double>(o.operations) / seconds / 1e6; };
  const timing* limit = nullptr;
  for (const auto& t : timings)
    if (t.name.starts_with("limit program, 8")) limit = &t;
  for (const auto& t : timings) {
    if (o.json) {
      fmt::print("{}\n", json{{"kernel", kernel},
                              {"entries_per_pe", entries},
                              {"pes", j.pes()},
                              {"variant", t.name},
                              {"seconds", t.seconds},
                              {"million_per_second_per_pe", rate(t.median())}}
                             .dump());
      continue;
    }
    const auto share =
        limit == nullptr ? std::string() : fmt::format("{:5.2f} x limit", limit->median() / t.median());
    fmt::print("{:<13} {:>8} {:<30} {:>7.1f} [{:>6.1f} to {:>6.1f}]  {}\n", kernel, entries, t.name,
               rate(t.median()), rate(t.worst()), rate(t.best()), share);
  }
}

void run(job& j, const options& o) {
  if (j.pe() == 0 && !o.json)
    fmt::print(
        "{} PEs, {} operations per PE; M operations/s per PE: median of {} [worst to best]\n{:<13} {:>8}\n",
        j.pes(), o.operations, o.repetitions, "kernel", "entries");
  bool any = false;
  for (const auto entries : o.entries) {
    kernels k(j, entries, o.operations);
    for (const auto& name : o.kernels) {
      const auto variants = selected(name == "gather" ? k.gather() : k.histogram(), o);
      any = any || !variants.empty();
      report(o, j, name, entries, measure(j, variants, o.repetitions));
    }
  }
  require_some(j, any, o);
}

} // namespace
} // namespace windrow::bench

int main(int argc, char** argv) {
  windrow::bench::options o;
  windrow::apps::command_line line(
      "Scattered updates and reads, blocking and aggregated, beside a program written by hand");
  line.add("--operations", &o.operations, "per PE");
  line.add("--entries", &o.entries, "table sizes, in 8-byte entries per PE").with_commas().positive();
  line.add("--kernels", &o.kernels, "histogram, gather").with_commas().one_of({"histogram", "gather"});
  windrow::bench::declare_common(line, o);
  windrow::job job(argc, argv);
  if (const int code = line.parse(argc, argv, job.pe() == 0); code >= 0) return code;
  windrow::bench::run(job, o);
}
