// SPDX-License-Identifier: BSD-3-Clause
// Tasks that PEs steal from each other.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>

#include "apps/tasks/unbalanced_tree.hpp"
#include "tests/support/pe_test.hpp"
#include "tests/task/mix.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

using apps::tasking::child_of;
using apps::tasking::children_of;
using apps::tasking::nodes_below;
using apps::tasking::root_of;
using apps::tasking::tree_node;
using apps::tasking::tree_shape;

/// The nodes of a tree by all PEs, beginning at one of them.
std::uint64_t count_by_all(job& j, const tree_shape& shape, pe_t first) {
  std::uint64_t nodes = 0;
  portable_tasks<tree_node> pool(j, [&](const tree_node& n) {
    ++nodes;
    const int children = children_of(shape, n);
    for (int i = 0; i < children; ++i) pool.push(child_of(n, static_cast<std::uint32_t>(i)));
  });
  if (j.pe() == first) pool.push(root_of(shape));
  pool.run();
  return j.world().sum(nodes);
}

// The number is the benchmark's own for its tree T1. Elsewhere the same tree, less deep.
TEST(portable_tasks, search_an_unbalanced_tree) {
  auto& j = the_job();
  if (j.pes() == 2) {
    EXPECT_EQ(count_by_all(j, {4, 10, 19}, 1), 4'130'071U);
  } else {
    const tree_shape shape{4, 6, 19};
    EXPECT_EQ(count_by_all(j, shape, 0), nodes_below(shape, root_of(shape)));
  }
}

TEST(portable_tasks, search_random_trees) {
  auto& j = the_job();
  for (std::uint32_t seed = 20'261'123; seed < 20'261'153; ++seed) {
    SCOPED_TRACE(seed);
    const tree_shape shape{3, 5, seed};
    EXPECT_EQ(count_by_all(j, shape, static_cast<pe_t>(seed) % j.pes()), nodes_below(shape, root_of(shape)));
  }
}

// More than the ring has room for, from all at a time, again and again with one pool.
TEST(portable_tasks, are_run_once_each) {
  auto& j = the_job();
  std::uint64_t sum = 0;
  portable_tasks<std::uint64_t> pool(j, [&](const std::uint64_t& n) { sum += n; });
  for (int round = 1; round <= 3; ++round) {
    for (std::uint64_t n = 1; n <= 10'000; ++n) pool.push(n);
    pool.run();
    EXPECT_EQ(j.world().sum(sum), static_cast<std::uint64_t>(round * j.pes()) * 50'005'000);
  }
}

// The owner is in its first task, which calls nothing, until the others have ended all the rest.
TEST(portable_tasks, are_stolen_from_who_computes) {
  auto& j = the_job();
  const auto counter = j.allocate<std::uint64_t>(1);
  const bool is_near =
      j.local(global_ptr<std::uint64_t>((j.pe() + 1) % j.pes(), counter.offset())) != nullptr;
  if (j.pes() == 1 || j.world().min(is_near ? 1 : 0) == 0) GTEST_SKIP() << "nobody steals";
  std::atomic_ref<std::uint64_t> ended(*j.local(global_ptr<std::uint64_t>(0, counter.offset())));
  constexpr std::uint64_t others = 200;
  portable_tasks<int> pool(j, [&](const int& owner) {
    if (owner == 0)
      ++ended;
    else
      while (ended < others) {
      }
  });
  if (j.pe() == 0) {
    for (std::uint64_t i = 0; i < others; ++i) pool.push(0);
    pool.push(1); // the newest
  }
  pool.run();
  EXPECT_EQ(ended, others);
  EXPECT_GE(j.world().sum(pool.stolen()), 1U);
  j.barrier();
  j.free(counter);
}

TEST(portable_tasks, rethrow_when_all_have_ended) {
  auto& j = the_job();
  std::uint64_t ran = 0;
  portable_tasks<int> pool(j, [&](const int& n) {
    ++ran;
    if (n == 7) throw std::runtime_error("seven");
  });
  for (int n = 0; n < 10; ++n) pool.push(n);
  int caught = 0;
  try {
    pool.run();
  } catch (const std::runtime_error&) {
    caught = 1;
  }
  EXPECT_EQ(j.world().sum(ran), static_cast<std::uint64_t>(10 * j.pes()));
  EXPECT_GE(j.world().sum(caught), 1);
}

} // namespace
} // namespace windrow::test
