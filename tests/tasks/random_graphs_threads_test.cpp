// SPDX-License-Identifier: BSD-3-Clause
// Random graphs of light threads, each of which needs what earlier ones compute, against the same one after
// the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tests/tasks/mix.hpp"
#include "tests/tasks/with_workers.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

constexpr int mutexes = 3;

/// How a node comes to the values that it needs, and what it does around that.
enum class way : std::uint8_t {
  plainly,
  in_a_catch_block,
  while_unwinding,
  deep_down,
  in_a_finish,
  in_branches,
  in_turn,
  by_looking,
  ways
};

struct node {
  way how;
  int place; ///< of the worker that runs it
  std::vector<int> needs;
};

class graph {
 public:
  graph(std::uint64_t seed, int size, int places) : nodes_(static_cast<std::size_t>(size)) {
    std::mt19937_64 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
    for (int i = 0; i < size; ++i) {
      node& n = nodes_[static_cast<std::size_t>(i)];
      n.how = static_cast<way>(below(static_cast<int>(way::ways)));
      n.place = below(places);
      for (int k = i > 0 ? below(4) : 0; k > 0; --k) n.needs.push_back(below(i));
    }
    order_.resize(nodes_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::shuffle(order_.begin(), order_.end(), random);
  }

  std::vector<std::uint64_t> in_order() const {
    std::vector<std::uint64_t> values(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      std::uint64_t sum = i;
      for (const int from : nodes_[i].needs) sum += values[static_cast<std::size_t>(from)];
      values[i] = mix(sum);
    }
    return values;
  }

  std::vector<std::uint64_t> at_once() {
    results_ = std::make_unique<result[]>(nodes_.size());
    finish([this] {
      for (const int i : order_)
        spawn_at(nodes_[static_cast<std::size_t>(i)].place,
                 [this, i] { compute(static_cast<std::size_t>(i)); });
    });
    std::vector<std::uint64_t> values;
    for (std::size_t i = 0; i < nodes_.size(); ++i) values.push_back(results_[i].value);
    EXPECT_EQ(held_, nodes_.size());
    return values;
  }

 private:
  struct result {
    latch ready{1};
    std::atomic<bool> is_there = false;
    std::uint64_t value = 0;
  };

  std::uint64_t need(const node& n) {
    std::uint64_t sum = 0;
    for (const int from : n.needs) {
      result& r = results_[static_cast<std::size_t>(from)];
      r.ready.wait();
      sum += r.value;
    }
    return sum;
  }

  void compute(std::size_t i) {
    thread_local int of_thread = 0;
    const int* const before = &of_thread;
    const std::uint64_t sum = i + sum_of(nodes_[i]);
    EXPECT_EQ(before, &of_thread);
    result& r = results_[i];
    r.value = mix(sum);
    {
      const std::lock_guard held(locks_[i % mutexes]);
      if (i % 7 == 0) yield();
      const std::lock_guard all(all_);
      ++held_;
    }
    r.is_there.store(true);
    r.ready.count_down();
  }

  std::uint64_t sum_of(const node& n) {
    switch (n.how) {
      case way::in_a_catch_block:
        return sum_in_catch_block(n);
      case way::while_unwinding:
        return sum_while_unwinding(n);
      case way::deep_down:
        return sum_deep_down(n, 60);
      case way::in_a_finish:
        return sum_in_finish(n);
      case way::in_branches:
        return sum_in_branches(n);
      case way::in_turn:
        return yield(), need(n);
      case way::by_looking:
        for (const int from : n.needs)
          wait_until([&] { return results_[static_cast<std::size_t>(from)].is_there.load(); });
        return need(n);
      default:
        return need(n);
    }
  }
  std::uint64_t sum_in_catch_block(const node& n) {
    try {
      throw n.place;
    } catch (const int& thrown) {
      const auto sum = need(n);
      try {
        throw std::string("inner");
      } catch (const std::string&) {
        yield();
      }
      EXPECT_EQ(std::uncaught_exceptions(), 0);
      try {
        throw;
      } catch (const int& again) {
        EXPECT_EQ(&again, &thrown);
      }
      return sum;
    }
  }
  std::uint64_t sum_while_unwinding(const node& n) {
    std::uint64_t sum = 0;
    struct waits {
      graph& g;
      const node& n;
      std::uint64_t& sum;
      ~waits() {
        EXPECT_EQ(std::uncaught_exceptions(), 1);
        sum = g.need(n);
        EXPECT_EQ(std::uncaught_exceptions(), 1);
      }
    };
    try {
      const waits later{*this, n, sum};
      throw 1;
    } catch (int) { // the sum is there
      EXPECT_EQ(std::uncaught_exceptions(), 0);
    }
    return sum;
  }
  // Some 60 KiB of its stack.
  std::uint64_t sum_deep_down(const node& n, int depth) {
    volatile char used[1024] = {};
    used[depth] = static_cast<char>(depth);
    const auto sum = depth == 0 ? need(n) : sum_deep_down(n, depth - 1);
    EXPECT_EQ(used[depth], static_cast<char>(depth));
    return sum;
  }
  std::uint64_t sum_in_finish(const node& n) {
    std::atomic<std::uint64_t> sum = 0;
    finish([&] {
      async([&] { ++sum; });
      spawn([&] { sum += need(n); });
      spawn([&] { --sum; });
    });
    return sum;
  }
  std::uint64_t sum_in_branches(const node& n) {
    const auto [a, b] = fork_join([&] { return need(n); }, [&] { return std::uint64_t{3}; });
    return a + b - 3;
  }

  std::vector<node> nodes_;
  std::vector<int> order_;
  std::unique_ptr<result[]> results_;
  mutex locks_[mutexes], all_;
  std::uint64_t held_ = 0;
};

TEST(random_graphs, have_the_values_of_one_after_the_other) {
  for (const int workers : {1, 2, 3, 8})
    run_with_workers(1, workers, [workers](job&) {
      for (std::uint64_t seed = 20'261'123; seed < 20'261'133; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", workers " + std::to_string(workers));
        graph g(seed, 200, workers);
        ASSERT_EQ(g.at_once(), g.in_order());
      }
    });
}

} // namespace
} // namespace windrow::test
