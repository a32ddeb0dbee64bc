// SPDX-License-Identifier: BSD-3-Clause
// Portable tasks wherever PEs are, also on other hosts: what these run is known by messages alone. Tests of
// who runs some go on until it is so.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/tasks/unbalanced_tree.hpp"
#include "tests/support/pe_test.hpp"
#include "tests/tasks/mix.hpp"
#include "tests/tasks/random_portable.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

using apps::tasking::child_of;
using apps::tasking::children_of;
using apps::tasking::nodes_below;
using apps::tasking::root_of;
using apps::tasking::tree_node;
using apps::tasking::tree_shape;

std::atomic<std::uint64_t> ran = 0;

struct visit {
  void operator()(const tree_node& n, const tree_shape& shape) const {
    ++ran;
    for (int i = 0; i < children_of(shape, n); ++i)
      async_portable(visit(), child_of(n, static_cast<std::uint32_t>(i)), shape);
  }
};

// Two trees at a time, each begun at one PE, which need not be on the first host.
TEST(portable_between_hosts, count_random_trees) {
  auto& j = the_job();
  context ctx(j, aggregate);
  for (std::uint32_t seed = 20'261'127; seed < 20'261'139; ++seed) {
    SCOPED_TRACE(seed);
    const tree_shape shape{3, 6, seed};
    const auto first = static_cast<pe_t>(mix(seed) % static_cast<std::uint64_t>(j.pes()));
    if (j.pe() == first) async_portable(visit(), root_of(shape), shape); // of no finish
    if (j.pe() == j.pes() - 1) finish([&] { async_portable(visit(), root_of(shape), shape); });
    ctx.barrier();
    EXPECT_EQ(j.world().sum(ran.exchange(0)), 2 * nodes_below(shape, root_of(shape)));
  }
}

TEST(portable_between_hosts, grow_random_trees) {
  run_random_portable_trees(the_job(), 20'261'128, 21);
}

/// Tasks that each PE has run for this one.
std::vector<int> ran_at;

void work() {
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
  while (std::chrono::steady_clock::now() < until) {
  }
}

struct tell_home {
  void operator()(const owner& here) const {
    work();
    call(here.from(), [](const owner& home) { ++ran_at[static_cast<std::size_t>(home.from())]; });
  }
};

// The others only wait in the barrier. Of many hosts, half get none but from those that have got some, which
// may run all.
TEST(portable_between_hosts, are_run_by_those_that_have_nothing_to_do) {
  auto& j = the_job();
  context ctx(j, aggregate);
  const auto idle = j.pes() > 4 ? j.pes() / 2 : 0;
  for (const pe_t first : {0, j.pes() - 1}) {
    ran_at.assign(static_cast<std::size_t>(j.pes()), 0);
    if (j.pe() == first)
      for (int tasks = 100; std::ranges::count(ran_at, 0) > idle; tasks = std::min(2 * tasks, 2000))
        finish([=] {
          for (int i = 0; i < tasks; ++i) async_portable(tell_home());
        });
    ctx.barrier();
    EXPECT_GE(j.world().sum(j.stats().tasks_stolen), 1U);
  }
}

struct fail_elsewhere {
  void operator()(const owner& here, std::size_t dots) const {
    work();
    std::string text(dots, '.');
    for (int i = 0; dots > 0 && i < 100; ++i) text += "ä";
    if (job::of_this_process()->pe() != here.from()) throw std::runtime_error(text + "not at home");
    ++ran;
  }
};

std::string thrown_by_one_of_many(std::size_t dots) {
  try {
    finish([=] {
      for (int i = 0; i < 100; ++i) async_portable(fail_elsewhere(), dots);
    });
  } catch (const error& e) {
    return e.what();
  }
  return {};
}

std::string thrown_elsewhere(std::size_t dots) {
  std::string text;
  while (text.empty()) text = thrown_by_one_of_many(dots);
  return text;
}

TEST(portable_between_hosts, bring_exceptions_home) {
  auto& j = the_job();
  if (j.pe() == 0) {
    const auto text = thrown_elsewhere(0);
    EXPECT_TRUE(text.starts_with("not at home (in a portable task on PE ")) << text;
    const std::regex whole_characters(R"(\.+(ä){78,}… \(in a portable task on PE \d+\))");
    for (const std::size_t dots : {1, 2}) {
      const auto begin = thrown_elsewhere(dots);
      EXPECT_TRUE(std::regex_match(begin, whole_characters)) << begin;
    }
  }
  j.barrier();
  ran = 0;
}

/// What has been stolen waits for what may be stolen again.
struct halve {
  void operator()(std::uint32_t n) const {
    if (n == 1) {
      work();
      ++ran;
      return;
    }
    finish([=] {
      async_portable(halve(), n / 2);
      async_portable(halve(), n - n / 2);
    });
  }
};

TEST(portable_between_hosts, wait_for_those_that_they_start) {
  auto& j = the_job();
  context ctx(j, aggregate);
  for (int round = 0; round < 5; ++round) {
    if (j.pe() == round % j.pes()) finish([] { async_portable(halve(), 1000U); });
    ctx.barrier();
    EXPECT_EQ(j.world().sum(ran.exchange(0)), 1000U);
  }
}

/// The sum of 1 … n, by halves.
struct sum_between {
  std::uint64_t operator()(std::uint64_t first, std::uint64_t last) const {
    if (last - first < 4) {
      work();
      std::uint64_t sum = 0;
      for (auto i = first; i < last; ++i) sum += i;
      return sum;
    }
    const auto middle = first + (last - first) / 2;
    const auto left = async_portable_future(sum_between(), first, middle);
    return (*this)(middle, last) + left.get();
  }
};
struct refuse_odd {
  int operator()(int n) const {
    work();
    if (n % 2 != 0) throw std::runtime_error("odd");
    return n;
  }
};

TEST(portable_between_hosts, bring_results_home) {
  auto& j = the_job();
  context ctx(j, aggregate);
  for (int round = 0; round < 5; ++round) {
    if (j.pe() == round % j.pes()) {
      EXPECT_EQ(async_portable_future(sum_between(), std::uint64_t{0}, std::uint64_t{2001}).get(),
                2'001'000U);
      std::vector<future<int>> all(200);
      for (int n = 0; n < 200; ++n) all[static_cast<std::size_t>(n)] = async_portable_future(refuse_odd(), n);
      for (int n = 0; n < 200; ++n) {
        if (n % 2 == 0) {
          EXPECT_EQ(all[static_cast<std::size_t>(n)].get(), n);
        } else {
          EXPECT_THROW(all[static_cast<std::size_t>(n)].get(), std::runtime_error);
        }
      }
    }
    ctx.barrier();
  }
}

// A host that waits for one value does not keep the others from the tasks that it has been sent.
TEST(portable_between_hosts, go_on_in_waits_for_values) {
  auto& j = the_job();
  context ctx(j, aggregate);
  const auto over = j.allocate<std::uint64_t>(1);
  if (j.pe() == 0) {
    for (int round = 0; round < 5; ++round) finish([] { async_portable(halve(), 500U); });
    for (pe_t pe = 0; pe < j.pes(); ++pe) put(j, *over.on(pe), 1);
  }
  wait_until([&] { return std::atomic_ref(*j.local(over)).load() == 1; });
  ctx.barrier();
  EXPECT_EQ(j.world().sum(ran.exchange(0)), 2500U);
  j.free(over);
}

// The last one: the end of the job waits for them.
TEST(portable_between_hosts, may_be_left_to_the_end) {
  const auto& j = the_job();
  async_portable(visit(), root_of({3, 5, 7}), tree_shape{3, 5, 7});
  EXPECT_GT(j.pes(), 1);
}

} // namespace
} // namespace windrow::test
