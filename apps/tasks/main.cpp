// SPDX-License-Identifier: BSD-3-Clause
// Programs of tasks: kernels with fork-join beside plain calls and OpenMP, a search that PEs share, and the
// least task that is worth starting.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "apps/support/exit_code.hpp"
#include "apps/tasks/dependencies.hpp"
#include "apps/tasks/kernel.hpp"
#include "apps/tasks/unbalanced_tree.hpp"

namespace windrow::apps::tasking {
namespace {

struct options {
  std::vector<std::string> kernels;
  int size = 0, repetitions = 3, depth = 10, width = 16, steps = 100;
  bool small = false;
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The best of some; negative if a result is wrong.
double measure(problem& p, style s, int repetitions) {
  double best = 1e9;
  for (int i = 0; i < repetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    p.solve(s);
    best = std::min(best, seconds_since(begin));
    if (!p.right()) return -1;
  }
  return best;
}

bool run(const kernel& k, const options& o) {
  const int size = o.size > 0 ? o.size : o.small ? k.small : k.size;
  const auto p = k.make(size);
  fmt::print("{:<12}{:>6} ", k.name, size);
  double alone = 0;
  bool right = true;
  for (const auto& [s, name] :
       {std::pair{style::calls, "calls"}, {style::forks, "forks"}, {style::openmp, "OpenMP"}}) {
    if (!has(s)) continue;
    const double seconds = measure(*p, s, o.repetitions);
    if (s == style::calls) alone = seconds;
    right = right && seconds >= 0;
    fmt::print("{}", seconds < 0 ? fmt::format("  {} WRONG", name)
                                 : fmt::format("  {} {:.4f} s ({:.2f})", name, seconds, alone / seconds));
  }
  fmt::print("\n");
  return right;
}

std::vector<kernel> chosen_kernels(const options& o) {
  auto chosen = all_kernels();
  std::erase_if(chosen, [&](const kernel& k) {
    return !o.kernels.empty() && std::find(o.kernels.begin(), o.kernels.end(), k.name) == o.kernels.end();
  });
  return chosen;
}

bool run_kernels(const job& j, const options& o) {
  if (j.pe() != 0) return true;
  fmt::print("{} workers; best of {}, and the plain calls' time as a multiple of it\n", workers(),
             o.repetitions);
  bool right = true;
  for (const auto& k : chosen_kernels(o)) right = run(k, o) && right;
  return right;
}

/// Nodes that this PE has visited.
std::atomic<std::uint64_t> visited = 0;

struct visit {
  void operator()(const tree_node& n, const tree_shape& shape) const {
    visited.fetch_add(1, std::memory_order_relaxed);
    const int children = children_of(shape, n);
    for (int i = 0; i < children; ++i)
      async_portable(visit(), child_of(n, static_cast<std::uint32_t>(i)), shape);
  }
};

/// By all PEs, beside one that does the same by plain calls.
bool search_tree(job& j, const options& o) {
  const tree_shape shape{4, o.depth, 19};
  context ctx(j, aggregate);
  j.barrier();
  const auto begin = std::chrono::steady_clock::now();
  if (j.pe() == 0) async_portable(visit(), root_of(shape), shape);
  ctx.barrier(); // the others take their share here
  const double seconds = j.world().max(seconds_since(begin));
  const auto found = j.world().sum(visited.load());
  const auto stolen = j.world().sum(j.stats().tasks_stolen);
  if (j.pe() != 0) return true;
  const auto alone = std::chrono::steady_clock::now();
  const auto expected = nodes_below(shape, root_of(shape));
  const double seconds_alone = seconds_since(alone);
  fmt::print(
      "unbalanced tree of depth {}: {} nodes, {}; {} PEs {:.4f} s, {} nodes stolen; plain calls {:.4f} s "
      "({:.2f})\n",
      o.depth, found, found == expected ? "right" : "WRONG", j.pes(), seconds, stolen, seconds_alone,
      seconds_alone / seconds);
  return found == expected;
}

bool measure_granularities(const job& j, const options& o) {
  if (j.pe() != 0) return true;
  const bool even = measure_granularity(o.width, o.steps, true);
  return measure_granularity(o.width, o.steps, false) && even;
}

void declare(CLI::App& app, options& o) {
  app.require_subcommand(1);
  auto* const kernels = app.add_subcommand("kernels", "fork-join beside plain calls and OpenMP, on PE 0");
  std::vector<std::string> names;
  for (const auto& k : all_kernels()) names.emplace_back(k.name);
  kernels->add_option("--only", o.kernels, fmt::format("some of {}", fmt::join(names, ", ")))
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  kernels->add_option("--size", o.size, "of the problem; by default some tenths of a second")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()));
  kernels->add_option("--repetitions", o.repetitions)->check(CLI::Range(1, 1'000'000))->capture_default_str();
  kernels->add_flag("--small", o.small, "problems of some milliseconds");
  auto* const tree = app.add_subcommand("tree", "the unbalanced tree search, by all PEs");
  tree->add_option("--depth", o.depth)->check(CLI::Range(1, 13))->capture_default_str();
  auto* const granularity =
      app.add_subcommand("granularity", "the least task that is worth starting, on PE 0");
  granularity->add_option("--width", o.width)->check(CLI::Range(1, 4096))->capture_default_str();
  granularity->add_option("--steps", o.steps)->check(CLI::Range(1, 10'000))->capture_default_str();
}

/// Ends the program, on all PEs, if these are no options or only a question for help.
void parse(CLI::App& app, job& j, const options& o, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    for (const auto& k : chosen_kernels(o))
      if (o.size > k.largest)
        throw CLI::ValidationError("--size", fmt::format("{} is too large for {} ({}, {} at most)", o.size,
                                                         k.name, k.size_is, k.largest));
  } catch (const CLI::ParseError& end) {
    const int code = exit_code(app, end, j.pe() == 0);
    j.finalize();
    std::exit(code);
  }
}

} // namespace
} // namespace windrow::apps::tasking

int main(int argc, char** argv) {
  using namespace windrow::apps::tasking; // NOLINT(google-build-using-namespace): this is the program
  options o;
  CLI::App app("Programs of tasks; the number of workers is WINDROW_WORKERS", "tasks");
  declare(app, o);
  windrow::job job(argc, argv);
  parse(app, job, o, argc, argv);
  const bool right = app.got_subcommand("kernels") ? run_kernels(job, o)
                     : app.got_subcommand("tree")  ? search_tree(job, o)
                                                   : measure_granularities(job, o);
  job.barrier();
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
