// SPDX-License-Identifier: BSD-3-Clause
// What messages to mobile objects cost, beside the mailbox: creation, sending to one PE and to many objects,
// round trips, moves. `windrow bench mobile --help` describes the options.
#include "windrow/mobile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "apps/support/json.hpp"
#include "bench/options.hpp"
#include "windrow/windrow.hpp"

namespace windrow::bench {
namespace {

struct options : common_options {
  std::uint64_t operations = 1'000'000;
  bool all_workers = false;
};

struct counter {
  std::uint64_t value = 0;
  void add(std::uint64_t more) { value += more; }
  std::uint64_t get() const { return value; }
  /// About 50 us.
  void work() {
    for (int i = 0; i < 50'000; ++i) value = value * 6364136223846793005 + 1;
  }
  /// A millisecond, in which it needs no processor: PEs that share one do as much as those that do not.
  void sleep() {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++value;
  }
};

/// A kind of work: how many operations a run has on each PE.
struct row {
  variant work;
  std::uint64_t count;
};

class kernels {
 public:
  kernels(job& j, const options& o)
      : job_(j),
        operations_(o.operations),
        all_workers_(o.all_workers),
        space_(j, o.all_workers ? handlers::on_all_workers : handlers::on_own_thread),
        few_(space_, 1000, [](std::uint64_t) { return counter(); }),
        many_(space_, 100'000, [](std::uint64_t) { return counter(); }),
        traveller_(j.world().broadcast(space_.make<counter>(), 0)),
        post_(j, [this](std::uint64_t place) { ++table_[place]; }) {}

  std::vector<row> all() {
    const auto rare = std::max<std::uint64_t>(1, operations_ / 1000);
    std::vector<row> rows{
        {{"mailbox", [this] { by_mailbox(); }, [this] { check_table(); }}, operations_},
        {{"create", [this] { create(); }, {}}, operations_ / 10},
        {{"send to own objects", [this] { send(few_, 0); }, [this] { check(few_); }}, operations_},
        {{"send to the next PE, 1,000 objects", [this] { send(few_, 1); }, [this] { check(few_); }},
         operations_},
        {{"send to the next PE, 100,000 objects", [this] { send(many_, 1); }, [this] { check(many_); }},
         operations_},
        {{"call and wait", [=, this] { round_trips(rare); }, {}}, rare},
        {{"move of a small object", [=, this] { moves(rare); }, {}}, rare}};
    if (!all_workers_) return rows;
    rows.push_back({{"50 us handlers of one object", [=, this] { work(1, rare); }, {}}, rare});
    rows.push_back({{"50 us handlers of two objects", [=, this] { work(2, rare); }, {}}, rare});
    for (const bool when_idle : {false, true})
      rows.push_back(
          {{when_idle ? "1 ms handlers of PE 0's objects, shared" : "1 ms handlers of PE 0's objects",
            [=, this] { work_of_one_pe(rare, when_idle); }, [=, this] { bring_back(rare); }},
           rare});
    return rows;
  }

 private:
  /// Objects, the first of all, which begin at PE 0.
  std::uint64_t with_work() const {
    return std::clamp<std::uint64_t>(few_.size() / static_cast<std::uint64_t>(job_.pes()), 1, 100);
  }

  void by_mailbox() {
    post_.run([this] {
      const auto to = (job_.pe() + 1) % job_.pes();
      for (std::uint64_t i = 0; i < operations_; ++i) post_.send(to, i % table_.size());
    });
  }
  void check_table() {
    std::uint64_t sum = 0;
    for (auto& place : table_) sum += std::exchange(place, 0);
    require(sum == operations_, "mailbox");
  }

  void create() {
    std::vector<mobile_ptr<counter>> made(operations_ / 10);
    for (auto& p : made) p = space_.make<counter>();
    std::vector<mobile::object_id> ids;
    ids.reserve(made.size());
    for (const auto p : made) ids.push_back(p.id());
    space_.core().destroy(ids);
  }

  // To the objects that begin `distance` PEs further on.
  void send(collection<counter>& to, pe_t distance) {
    const auto pes = static_cast<std::uint64_t>(job_.pes());
    const auto pe = static_cast<std::uint64_t>((job_.pe() + distance) % job_.pes());
    const auto first = pe * to.size() / pes, count = (pe + 1) * to.size() / pes - first;
    space_.run([&] {
      for (std::uint64_t i = 0, at = 0; i < operations_; ++i) {
        to[first + at].send<&counter::add>(1);
        at += 7;
        if (at >= count) at -= count;
      }
    });
  }
  void check(collection<counter>& all) {
    require(take_sum(all) == operations_ * static_cast<std::uint64_t>(job_.pes()), "objects");
  }
  std::uint64_t take_sum(collection<counter>& all) {
    return all.reduce(std::uint64_t{0}, [](counter& c) { return std::exchange(c.value, 0); }, std::plus<>());
  }

  void round_trips(std::uint64_t count) {
    const auto last = few_[few_.size() - 1];
    if (job_.pe() == 0)
      for (std::uint64_t i = 0; i < count; ++i) last.call<&counter::get>().get();
    job_.barrier();
  }
  // By objects of this PE, in turn.
  void work(std::uint64_t objects, std::uint64_t count) {
    const auto first =
        static_cast<std::uint64_t>(job_.pe()) * few_.size() / static_cast<std::uint64_t>(job_.pes());
    space_.run([&] {
      for (std::uint64_t i = 0; i < count; ++i) few_[first + i % objects].send<&counter::work>();
    });
    few_.for_each_local([](counter& c) { c.value = 0; });
  }
  void work_of_one_pe(std::uint64_t count, bool when_idle) {
    space_.balance_when_idle(when_idle);
    space_.run([&] {
      for (std::uint64_t i = 0; i < count && job_.pe() == 0; ++i)
        few_[i % with_work()].send<&counter::sleep>();
    });
    space_.balance_when_idle(false);
  }
  void bring_back(std::uint64_t count) {
    require(take_sum(few_) == count, "handlers of PE 0's objects");
    space_.run([&] {
      for (std::uint64_t i = 0; i < with_work() && job_.pe() == 0; ++i) few_[i].migrate(0);
    });
  }
  // From PE to PE, with an answer from each.
  void moves(std::uint64_t count) {
    if (job_.pe() == 0)
      for (std::uint64_t i = 0; i < count; ++i) {
        traveller_.migrate(static_cast<pe_t>(i + 1) % job_.pes());
        traveller_.call<&counter::get>().get();
      }
    job_.barrier();
  }

  void require(bool right, const char* what) const {
    if (right) return;
    std::fprintf(stderr, "bench mobile: PE %d: wrong result: %s\n", job_.pe(), what);
    std::exit(EXIT_FAILURE);
  }

  job& job_;
  std::uint64_t operations_;
  bool all_workers_;
  object_space space_;
  collection<counter> few_, many_;
  mobile_ptr<counter> traveller_;
  std::vector<std::uint64_t> table_ = std::vector<std::uint64_t>(1000);
  mailbox<std::uint64_t> post_;
};

void report(const options& o, const job& j, const std::vector<row>& rows,
            const std::vector<timing>& timings) {
  if (j.pe() != 0) return;
  for (std::size_t i = 0; i < timings.size(); ++i) {
    const auto& t = timings[i];
    const auto ns = t.median() / static_cast<double>(rows[i].count) * 1e9;
    if (o.json)
      fmt::print("{}\n",
                 json{{"pes", j.pes()}, {"variant", t.name}, {"seconds", t.seconds}, {"ns", ns}}.dump());
    else
      fmt::print("{:<40}{:>10.1f} ns {:>8.2f} M/s per PE\n", t.name, ns, 1e3 / ns);
  }
}

void run(job& j, const options& o) {
  kernels work(j, o);
  auto rows = work.all();
  if (!o.only.empty()) std::erase_if(rows, [&](const row& r) { return r.work.name != o.only; });
  require_some(j, !rows.empty(), o);
  std::vector<variant> variants;
  for (const auto& r : rows) variants.push_back(r.work);
  if (j.pe() == 0 && !o.json) fmt::print("{} PEs; medians of {}\n", j.pes(), o.repetitions);
  report(o, j, rows, measure(j, variants, o.repetitions));
}

} // namespace
} // namespace windrow::bench

int main(int argc, char** argv) {
  windrow::bench::options o;
  windrow::apps::command_line line("Messages to mobile objects, calls, and moves");
  line.add("--operations", &o.operations, "messages per PE; calls and moves are a thousandth")
      .in(1000, 1'000'000'000);
  line.add_flag("--all-workers", o.all_workers,
                "handlers run on all workers (WINDROW_WORKERS); adds handlers that take long");
  windrow::bench::declare_common(line, o);
  windrow::job job(argc, argv);
  if (const int code = line.parse(argc, argv, job.pe() == 0); code >= 0) return code;
  windrow::bench::run(job, o);
}
