// SPDX-License-Identifier: BSD-3-Clause
// What a mailbox costs over the stream it is made of: scattered increments by messages, in each form of a
// handler. `windrow bench mailbox --help` describes the options.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>
#include <vector>

#include "apps/support/json.hpp"
#include "bench/options.hpp"
#include "windrow/windrow.hpp"

namespace windrow::bench {
namespace {

struct options : common_options {
  std::uint64_t operations = 10'000'000;
  std::uint64_t entries = 1000;
};

/// Every variant sends the same places to the same PEs; a handler increments its own part of the table.
class increments {
  auto item_handler() {
    return [this](std::uint64_t place) { ++table_[place]; };
  }
  auto batch_handler() {
    return [this](std::span<const std::uint64_t> places, pe_t) {
      for (const auto place : places) ++table_[place];
    };
  }

 public:
  increments(job& j, const options& o)
      : job_(j),
        table_(o.entries),
        targets_(o.operations),
        stream_(j, batch_handler()),
        items_(j, item_handler()),
        senders_(j, [this](std::uint64_t place, pe_t) { ++table_[place]; }),
        batches_(j, batch_handler()),
        couriers_(j, [this](auto& /*out*/, std::uint64_t place) { ++table_[place]; }),
        spans_(j, [this](std::span<const std::uint64_t> place) { ++table_[place[0]]; }),
        replies_(j, [](auto& out, request r) { out.reply(r.place); }, item_handler()) {
    std::mt19937_64 random(static_cast<std::uint64_t>(j.pe()) + 1);
    for (auto& t : targets_)
      t = {static_cast<pe_t>(random() % static_cast<std::uint64_t>(j.pes())), random() % o.entries};
  }

  std::vector<variant> variants() {
    const auto check = [this] { require_all(); };
    return {{"stream",
             [this] {
               send_all(stream_);
               stream_.barrier();
             },
             check},
            {"mailbox (T)", [this] { run(items_); }, check},
            {"mailbox (T, pe_t)", [this] { run(senders_); }, check},
            {"mailbox (span, pe_t)", [this] { run(batches_); }, check},
            {"mailbox (courier, T)", [this] { run(couriers_); }, check},
            {"mailbox of spans", [this] { run_spans(); }, check},
            {"selector, request and reply", [this] { run_replies(); }, check}};
  }

 private:
  struct request {
    std::uint64_t place;
  };
  struct target {
    pe_t pe;
    std::uint64_t place;
  };

  template <class To>
  void send_all(To& to) {
    for (const auto& t : targets_) to.send(t.pe, t.place);
  }
  void run(mailbox<std::uint64_t>& m) {
    m.run([&] { send_all(m); });
  }
  void run_spans() {
    spans_.run([this] {
      for (const auto& t : targets_) spans_.send(t.pe, {&t.place, 1});
    });
  }
  void run_replies() {
    replies_.run([this] {
      for (const auto& t : targets_) replies_.send(t.pe, request{t.place});
    });
  }
  void require_all() {
    std::uint64_t sum = 0;
    for (auto& count : table_) sum += std::exchange(count, 0);
    if (job_.world().sum(sum) == targets_.size() * static_cast<std::uint64_t>(job_.pes())) return;
    std::fprintf(stderr, "bench mailbox: PE %d: wrong result\n", job_.pe());
    std::exit(EXIT_FAILURE);
  }

  job& job_;
  std::vector<std::uint64_t> table_;
  std::vector<target> targets_;
  stream<std::uint64_t> stream_;
  mailbox<std::uint64_t> items_, senders_, batches_, couriers_;
  mailbox<std::span<const std::uint64_t>> spans_;
  selector<request, std::uint64_t> replies_;
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
      fmt::print("{:<28} {:>7.1f} [{:>6.1f} to {:>6.1f}]  {:5.2f} x the time of the first\n", t.name,
                 rate(t.median()), rate(t.worst()), rate(t.best()), t.median() / timings.front().median());
  }
}

void run(job& j, const options& o) {
  increments work(j, o);
  const auto variants = selected(work.variants(), o);
  require_some(j, !variants.empty(), o);
  if (j.pe() == 0 && !o.json)
    fmt::print("{} PEs, {} messages per PE; M messages/s per PE: median of {} [worst to best]\n", j.pes(),
               o.operations, o.repetitions);
  report(o, j, measure(j, variants, o.repetitions));
}

} // namespace
} // namespace windrow::bench

int main(int argc, char** argv) {
  windrow::bench::options o;
  windrow::apps::command_line line(
      "Scattered increments by messages: mailboxes and selectors beside the stream they are made of");
  line.add("--operations", &o.operations, "messages per PE");
  line.add("--entries", &o.entries, "table size, in 8-byte entries per PE").positive();
  windrow::bench::declare_common(line, o);
  windrow::job job(argc, argv);
  if (const int code = line.parse(argc, argv, job.pe() == 0); code >= 0) return code;
  windrow::bench::run(job, o);
}
