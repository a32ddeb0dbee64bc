// SPDX-License-Identifier: BSD-3-Clause
// What a fork and a task cost: a fork_join; tasks started and waited for one by one (a tree of finishes) and
// in bulk, stolen, and started in message handlers; light threads that wait; tasks in the symmetric heap;
// beside plain calls, loops and the task runtimes of the distribution that do the same.
#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "apps/support/json.hpp"
#include "bench/options.hpp"
#include "bench/round_trip.hpp"
#include "bench/tasks_elsewhere.hpp"
#include "windrow/windrow.hpp"

namespace windrow::bench {
namespace {

struct options : common_options {
  std::uint64_t tasks = 1'000'000;
};

/// Work of about 10 us that no compiler can leave out.
[[gnu::noinline]] std::uint64_t coarse_work(std::uint64_t x) {
  for (int i = 0; i < 10'000; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
  return x;
}

/// A binary tree with `count` inner nodes; returns them.
[[gnu::noinline]] std::uint64_t call_tree(std::uint64_t count) {
  if (count == 0) return 0;
  const auto left = (count - 1) / 2;
  const std::uint64_t a = call_tree(left);
  return a + call_tree(count - 1 - left) + 1;
}

/// The tree with a finish and a task in each inner node.
std::uint64_t task_tree(std::uint64_t count) {
  if (count == 0) return 0;
  const auto left = (count - 1) / 2;
  std::uint64_t a = 0, b = 0;
  finish([&] {
    async([&] { a = task_tree(left); });
    b = task_tree(count - 1 - left);
  });
  return a + b + 1;
}

/// The tree with a fork_join in each inner node.
std::uint64_t fork_tree(std::uint64_t count) {
  if (count == 0) return 0;
  const auto left = (count - 1) / 2;
  const auto [a, b] = fork_join([=] { return fork_tree(left); }, [=] { return fork_tree(count - 1 - left); });
  return a + b + 1;
}

/// What everybody measures: the calls of this are uneven, and do nothing else.
[[gnu::noinline]] std::uint64_t fibonacci(int n) {
  if (n < 2) return static_cast<std::uint64_t>(n);
  const std::uint64_t a = fibonacci(n - 1);
  return a + fibonacci(n - 2);
}

std::uint64_t forked_fibonacci(int n) {
  if (n < 2) return static_cast<std::uint64_t>(n);
  const auto [a, b] =
      fork_join([=] { return forked_fibonacci(n - 1); }, [=] { return forked_fibonacci(n - 2); });
  return a + b;
}

/// The largest n for which computing the n-th number forks no more than `count` times, and how often it does.
struct fibonacci_size {
  int n = 1;
  std::uint64_t forks = 0, result = 1, next = 1;

  explicit fibonacci_size(std::uint64_t count) {
    for (; result + next - 1 <= count; ++n) {
      forks = result + next - 1;
      next += std::exchange(result, next);
    }
  }
};

/// A step of a loop that no compiler turns into a formula.
std::uint64_t step_of_loop(std::uint64_t i) {
  return (i * 6364136223846793005u) >> 63;
}

std::uint64_t loop(std::uint64_t count) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < count; ++i) sum += step_of_loop(i);
  return sum;
}

std::uint64_t parallel_loop(std::uint64_t count) {
  return parallel_reduce(
      std::uint64_t{0}, count, std::uint64_t{0}, [](std::uint64_t i) { return step_of_loop(i); },
      std::plus<>{});
}

std::atomic<std::uint64_t> portable_ended = 0;

/// Starts another one, unless it is the last.
struct count_two {
  void operator()(std::uint64_t left) const {
    portable_ended.fetch_add(1, std::memory_order_relaxed);
    if (left > 1) async_portable(count_two(), std::uint64_t{1});
  }
};

/// A kind of work: how many tasks, or the calls in their place, a run has.
struct row {
  variant work;
  std::uint64_t count;
  std::string beside = {}; ///< the row that this one is a multiple of
};

class kernels {
 public:
  kernels(job& j, std::uint64_t tasks)
      : job_(j),
        tasks_(tasks),
        plain_(j, [this](std::span<const int> batch, pe_t) { ended_ += batch.size(); }),
        blocking_(j,
                  [this](std::span<const int> batch, pe_t) {
                    for (std::size_t i = 0; i < batch.size(); ++i)
                      finish([&] { async([this] { ++ended_; }); });
                  }),
        escaping_(j,
                  [this](std::span<const int> batch, pe_t) {
                    for (std::size_t i = 0; i < batch.size(); ++i) async([this] { ++ended_; });
                  }),
        context_(j, aggregate),
        round_trip_(j) {}

  std::vector<row> all() {
    const auto coarse = std::max<std::uint64_t>(1, tasks_ / 500);
    const fibonacci_size f(tasks_);
    const auto sum = loop(tasks_);
    std::vector<row> rows{
        {checked("fibonacci by calls", f.result, [=, this] { ended_ = fibonacci(f.n); }), f.forks},
        {checked("fibonacci by fork_join", f.result, [=, this] { ended_ = forked_fibonacci(f.n); }), f.forks},
        {checked("loop", sum, [this] { ended_ = loop(tasks_); }), tasks_},
        {checked("parallel_reduce", sum, [this] { ended_ = parallel_loop(tasks_); }), tasks_},
        {checked("10 us calls in parallel_for", coarse, [=, this] { coarse_loop(coarse); }), coarse},
        {checked("tree of calls", tasks_, [this] { ended_ = call_tree(tasks_); }), tasks_},
        {checked("tree of fork_join", tasks_, [this] { ended_ = fork_tree(tasks_); }), tasks_},
        {checked("fork_joins in a loop", tasks_, [this] { forks_in_a_loop(); }), tasks_},
        {checked("tree of finish and async", tasks_, [this] { ended_ = task_tree(tasks_); }), tasks_},
        {checked("tasks in one finish", tasks_, [this] { in_bulk(tasks_, [this] { count_one(); }); }),
         tasks_},
        {checked("light threads in one finish", tasks_, [this] { light_in_bulk(); }), tasks_},
        {checked("waits of a light thread", tasks_, [this] { light_waits(); }), tasks_},
        {checked("suspend and resume on one worker", tasks_, [this] { light_ping_pong(0); }), tasks_},
        {checked("spawn_future and get", tasks_, [this] { spawn_and_join(); }), tasks_},
        {checked("portable tasks", 0, [this] { portable(); }), tasks_},
        {checked("10 us calls", coarse, [=, this] { coarse_calls(coarse); }), coarse},
        {checked("10 us tasks in one finish", coarse,
                 [=, this] { in_bulk(coarse, [this] { coarse_one(); }); }),
         coarse},
        {checked("messages", tasks_, [this] { send(plain_); }), tasks_},
        {checked("messages, each a finish and a task", tasks_, [this] { send(blocking_); }), tasks_},
        {checked("messages, each an escaping task", tasks_, [this] { send(escaping_); }), tasks_},
    };
    for (const auto& other : runtimes_elsewhere()) add_rows_of(other, f, rows);
    if (job_.pes() > 1) add_rows_of_pes(rows);
    if (workers() > 1) {
      rows.push_back({checked("tasks that others steal", tasks_, [this] { stolen(); }), tasks_});
      rows.push_back(
          {checked("suspend and resume across workers", tasks_, [this] { light_ping_pong(1); }), tasks_});
    }
    return rows;
  }

 private:
  void add_rows_of(const tasks_elsewhere& other, const fibonacci_size& f, std::vector<row>& rows) {
    rows.push_back({checked(fmt::format("fibonacci by {}", other.runtime), f.result,
                            [=, this] { ended_ = other.fibonacci(f.n, workers()); }),
                    f.forks, "fibonacci by fork_join"});
    rows.push_back({checked(fmt::format("tasks in one group of {}", other.runtime), tasks_,
                            [=, this] {
                              other.in_bulk(
                                  tasks_, [](void* k) { static_cast<kernels*>(k)->count_one(); }, this,
                                  workers());
                            }),
                    tasks_, "tasks in one finish"});
  }

  void add_rows_of_pes(std::vector<row>& rows) {
    rows.push_back({checked("portable tasks, all begin at PE 0", 0, [this] { stolen_by_pes(); }), tasks_});
    rows.push_back({checked("barriers of a context", 0, [this] { empty_barriers(); }), few()});
    if (job_.world().min(round_trip_.possible() ? 1 : 0) == 0) return;
    rows.push_back({checked("round trips of 64 bytes, two loops", few(),
                            [this] { ended_ = round_trip_.by_loops(few()); }),
                    few()});
    rows.push_back({checked("round trips of 64 bytes, light threads", few(),
                            [this] { ended_ = round_trip_.by_light_threads(few()); }),
                    few(), "round trips of 64 bytes, two loops"});
  }

  /// Where each takes a microsecond.
  std::uint64_t few() const { return std::max<std::uint64_t>(1, tasks_ / 50); }

  variant checked(const std::string& name, std::uint64_t expected, std::function<void()> run) {
    return {name, std::move(run), [this, name, expected] {
              if (ended_.exchange(0) == expected) return;
              fmt::print(stderr, "{}: wrong result\n", name);
              std::exit(EXIT_FAILURE);
            }};
  }

  void count_one() { ended_.fetch_add(1, std::memory_order_relaxed); }
  void coarse_one() {
    sink_.store(coarse_work(ended_.load(std::memory_order_relaxed)), std::memory_order_relaxed);
    count_one();
  }
  void coarse_loop(std::uint64_t count) {
    parallel_for(std::uint64_t{0}, count, [this](std::uint64_t) { coarse_one(); });
  }
  void coarse_calls(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) coarse_one();
  }

  // None is inside another, so each is there for others to steal.
  void forks_in_a_loop() {
    for (std::uint64_t i = 0; i < tasks_; ++i) fork_join([this] { count_one(); }, [] {});
  }

  template <class F>
  void in_bulk(std::uint64_t count, F f) {
    finish([&] {
      for (std::uint64_t i = 0; i < count; ++i) async(f);
    });
  }

  void light_in_bulk() {
    finish([&] {
      for (std::uint64_t i = 0; i < tasks_; ++i) spawn([this] { count_one(); });
    });
  }
  // Each time it is suspended until a task has ended.
  void light_waits() {
    finish([&] {
      spawn([this] {
        for (std::uint64_t i = 0; i < tasks_; ++i) finish([this] { async([this] { count_one(); }); });
      });
    });
  }

  // Each half of them is one suspension of one of the two.
  void light_ping_pong(int other) {
    binary_semaphore ping(1), pong(0);
    const auto play = [&](binary_semaphore& mine, binary_semaphore& theirs, std::uint64_t turns) {
      for (std::uint64_t i = 0; i < turns; ++i) {
        mine.acquire();
        count_one();
        theirs.release();
      }
    };
    finish([&] {
      spawn_at(0, [&] { play(ping, pong, tasks_ - tasks_ / 2); });
      spawn_at(other, [&] { play(pong, ping, tasks_ / 2); });
    });
  }
  void spawn_and_join() {
    finish([&] {
      spawn([this] {
        for (std::uint64_t i = 0; i < tasks_; ++i) spawn_future([this] { count_one(); }).get();
      });
    });
  }
  void portable() {
    finish([this] {
      for (std::uint64_t i = 0; i < tasks_; i += 2) async_portable(count_two(), tasks_ - i);
    });
    context_.barrier();
    count_all(tasks_ * static_cast<std::uint64_t>(job_.pes()));
  }

  void stolen_by_pes() {
    if (job_.pe() == 0)
      for (std::uint64_t i = 0; i < tasks_; ++i) async_portable(count_two(), std::uint64_t{1});
    context_.barrier();
    count_all(tasks_);
  }
  /// Who ends a task is open: leaves 0 if all PEs together have ended so many.
  void count_all(std::uint64_t expected) { ended_ = job_.world().sum(portable_ended.exchange(0)) - expected; }
  void empty_barriers() {
    for (std::uint64_t i = 0; i < few(); ++i) context_.barrier();
  }

  // This worker starts them and then only watches, so the others must come for each.
  void stolen() {
    constexpr std::uint64_t portion = 2000;
    finish([&] {
      for (std::uint64_t started = 0; started < tasks_;) {
        for (std::uint64_t i = 0; i < portion && started < tasks_; ++i, ++started)
          async([this] { count_one(); });
        while (ended_.load(std::memory_order_relaxed) < started) std::this_thread::yield();
      }
    });
  }

  void send(stream<int>& to) {
    for (std::uint64_t i = 0; i < tasks_; ++i) to.send(job_.pe(), 1);
    to.barrier();
  }

  job& job_;
  std::uint64_t tasks_;
  std::atomic<std::uint64_t> ended_ = 0, sink_ = 0;
  stream<int> plain_, blocking_, escaping_;
  context context_;
  round_trip round_trip_;
};

/// How many times as long as the row that it is beside; empty if that is not there.
std::string ratio(const std::vector<row>& rows, const std::vector<timing>& timings, std::size_t i) {
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (timings[k].name == rows[i].beside)
      return fmt::format("{:.2f} x {}", timings[i].median() / timings[k].median(), rows[i].beside);
  return "";
}

void report(const options& o, const job& j, const std::vector<row>& rows,
            const std::vector<timing>& timings) {
  if (j.pe() != 0) return;
  if (!o.json)
    fmt::print("{} PEs, {} workers each; ns per task or call: median of {} [best to worst]\n", j.pes(),
               workers(), o.repetitions);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto ns = [&](double seconds) { return seconds * 1e9 / static_cast<double>(rows[i].count); };
    const auto& t = timings[i];
    if (o.json)
      fmt::print("{}\n", json{{"pes", j.pes()},
                              {"workers", workers()},
                              {"variant", t.name},
                              {"count", rows[i].count},
                              {"seconds", t.seconds},
                              {"ns_each", ns(t.median())}}
                             .dump());
    else
      fmt::print("{:<40}{:>10.1f} [{:>8.1f} to {:>8.1f}]  {}\n", t.name, ns(t.median()), ns(t.best()),
                 ns(t.worst()), ratio(rows, timings, i));
  }
}

void run(job& j, const options& o) {
  kernels k(j, o.tasks);
  auto rows = k.all();
  if (!o.only.empty()) std::erase_if(rows, [&](const row& r) { return r.work.name != o.only; });
  require_some(j, !rows.empty(), o);
  std::vector<variant> variants;
  for (const auto& r : rows) variants.push_back(r.work);
  report(o, j, rows, measure(j, variants, o.repetitions));
}

} // namespace
} // namespace windrow::bench

int main(int argc, char** argv) {
  windrow::bench::options o;
  windrow::apps::command_line line("What tasks cost; the number of workers is WINDROW_WORKERS");
  line.add("--tasks", &o.tasks, "per PE and run (a 500th of it where tasks are coarse)").positive();
  windrow::bench::declare_common(line, o);
  windrow::job job(argc, argv);
  if (const int code = line.parse(argc, argv, job.pe() == 0); code >= 0) return code;
  windrow::bench::run(job, o);
}
