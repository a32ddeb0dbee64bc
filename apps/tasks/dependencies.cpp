// SPDX-License-Identifier: BSD-3-Clause
#include "apps/tasks/dependencies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <thread>

#include "apps/tasks/kernel.hpp"
#include "windrow/windrow.hpp"

namespace windrow::apps::tasking {

stencil::stencil(const stencil_shape& shape)
    : shape_(shape),
      values_(static_cast<std::size_t>(shape.width) * static_cast<std::size_t>(shape.steps)),
      missing_(std::make_unique<std::atomic<int>[]>(values_.size())) {}

int stencil::dependencies(int x) const {
  return std::min(x + 1, shape_.width - 1) - std::max(x - 1, 0) + 1;
}

void stencil::forget() {
  std::ranges::fill(values_, 0);
}

// What the loop does depends on all that the task needs.
void stencil::compute(int step, int x) {
  std::uint64_t seed = static_cast<std::uint64_t>(step) << 32 | static_cast<std::uint64_t>(x);
  if (step > 0)
    for (int from = std::max(x - 1, 0); from <= std::min(x + 1, shape_.width - 1); ++from)
      seed = random_numbers(seed ^ at(step - 1, from))();
  const auto wanted = shape_.even ? shape_.iterations : random_numbers(seed)() % (2 * shape_.iterations + 1);
  for (std::uint64_t i = 0; i < wanted; ++i) seed = seed * 6364136223846793005u + 1442695040888963407u;
  at(step, x) = seed;
}

std::uint64_t stencil::sum() {
  std::uint64_t all = 0;
  for (int x = 0; x < shape_.width; ++x) all += at(shape_.steps - 1, x);
  return all;
}

std::uint64_t stencil::by_calls() {
  for (int step = 0; step < shape_.steps; ++step)
    for (int x = 0; x < shape_.width; ++x) compute(step, x);
  return sum();
}

std::uint64_t stencil::by_loops() {
  for (int step = 0; step < shape_.steps; ++step)
    parallel_for(0, shape_.width, [=, this](int x) { compute(step, x); });
  return sum();
}

void stencil::run_task(int step, int x) {
  compute(step, x);
  if (step + 1 == shape_.steps) return;
  for (int to = std::max(x - 1, 0); to <= std::min(x + 1, shape_.width - 1); ++to) {
    const auto index = static_cast<std::size_t>(step + 1) * static_cast<std::size_t>(shape_.width) +
                       static_cast<std::size_t>(to);
    if (missing_[index].fetch_sub(1, std::memory_order_acq_rel) == 1)
      async([=, this] { run_task(step + 1, to); });
  }
}

std::uint64_t stencil::by_tasks() {
  for (std::size_t i = 0; i < values_.size(); ++i)
    missing_[i] = dependencies(static_cast<int>(i % static_cast<std::size_t>(shape_.width)));
  finish([this] {
    for (int x = 0; x < shape_.width; ++x) async([=, this] { run_task(0, x); });
  });
  return sum();
}

namespace {

struct measured {
  double seconds = 1e9; ///< of the best
  std::array<std::uint64_t, 3> results{};
};

// Each time from nothing: values that are there from the time before are what tasks in a wrong order need.
template <class F>
measured best_of_three(stencil& s, F f) {
  measured best;
  for (auto& result : best.results) {
    s.forget();
    const auto begin = std::chrono::steady_clock::now();
    result = f();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    best.seconds = std::min(best.seconds, seconds.count());
  }
  return best;
}

/// From the coarsest tasks on: the first granularity whose efficiency is below a half, and the one before it.
class search {
 public:
  void add(double granularity_us, double efficiency) {
    if (found_ > 0) return;
    if (efficiency < 0.5 && before_efficiency_ >= 0.5) {
      const double part = (before_efficiency_ - 0.5) / (before_efficiency_ - efficiency);
      found_ = before_us_ * std::pow(granularity_us / before_us_, part);
    }
    before_us_ = granularity_us;
    before_efficiency_ = efficiency;
  }
  std::string result() const {
    return found_ > 0 ? fmt::format("{:.2f} us", found_) : "none (never from above half to below)";
  }

 private:
  double before_us_ = 0, before_efficiency_ = 0, found_ = 0;
};

} // namespace

bool measure_granularity(int width, int steps, bool even) {
  const int used = std::min(workers(), static_cast<int>(std::thread::hardware_concurrency()));
  fmt::print("stencil of {} x {} tasks, {}, {} workers: us per task, efficiency\n", width, steps,
             even ? "even" : "imbalanced", workers());
  search loops, tasks;
  for (std::uint64_t iterations = 1 << 16; iterations >= 4; iterations /= 4) {
    stencil s({width, steps, iterations, even});
    const auto alone = best_of_three(s, [&] { return s.by_calls(); });
    const auto report = [&](const char* name, const measured& m, search& into) {
      const double us = m.seconds * used * 1e6 / (static_cast<double>(width) * steps);
      into.add(us, alone.seconds / (m.seconds * used));
      fmt::print("  {:>6} iterations, {:<6}{:>10.3f}{:>8.3f}\n", iterations, name, us,
                 alone.seconds / (m.seconds * used));
      return m.results == alone.results;
    };
    if (!report("loops", best_of_three(s, [&] { return s.by_loops(); }), loops) ||
        !report("tasks", best_of_three(s, [&] { return s.by_tasks(); }), tasks)) {
      fmt::print("  WRONG\n");
      return false;
    }
  }
  fmt::print("  METG(50%): loops {}, tasks {}\n", loops.result(), tasks.result());
  return true;
}

} // namespace windrow::apps::tasking
