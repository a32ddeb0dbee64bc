// SPDX-License-Identifier: BSD-3-Clause
// Tasks that PEs take from each other.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

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

/// What has run on this PE.
std::atomic<std::uint64_t> ran = 0;

std::uint64_t ran_everywhere(const job& j) {
  return j.world().sum(ran.exchange(0));
}

struct visit {
  void operator()(const tree_node& n, const tree_shape& shape) const {
    ++ran;
    const int children = children_of(shape, n);
    for (int i = 0; i < children; ++i)
      async_portable(visit(), child_of(n, static_cast<std::uint32_t>(i)), shape);
  }
};

/// The nodes of a tree by all PEs, beginning at one of them.
std::uint64_t count_by_all(job& j, const tree_shape& shape, pe_t first) {
  context ctx(j, aggregate);
  if (j.pe() == first) async_portable(visit(), root_of(shape), shape); // of no finish
  ctx.barrier();
  return ran_everywhere(j);
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

TEST(portable_tasks, are_tasks_like_others) {
  run_random_portable_trees(the_job(), 20'261'124, 40);
}

struct add {
  void operator()(std::uint64_t n) const { ran += n; }
};

void start_many() {
  for (std::uint64_t n = 1; n <= 10'000; ++n) async_portable(add(), n);
}

// More than there is room for, from main code, light threads and handlers of all PEs at a time.
TEST(portable_tasks, are_run_once_each) {
  auto& j = the_job();
  context ctx(j, aggregate);
  stream<int> messages(j, [](std::span<const int> batch, pe_t) {
    for (const int kind : batch)
      if (kind == 0)
        start_many();
      else
        finish(start_many); // these tasks end before the handler returns
  });
  const auto each = static_cast<std::uint64_t>(j.pes()) * 50'005'000;
  finish(start_many);
  ctx.barrier();
  EXPECT_EQ(ran_everywhere(j), each);
  finish([] { spawn(start_many); });
  ctx.barrier();
  EXPECT_EQ(ran_everywhere(j), each);
  for (const int kind : {0, 1}) {
    messages.send((j.pe() + 1) % j.pes(), kind);
    messages.barrier();
    EXPECT_EQ(ran_everywhere(j), each) << kind;
  }
}

struct chain {
  void operator()(std::uint32_t left) const {
    ++ran;
    if (left > 1) async_portable(chain(), left - 1);
  }
};

// Where there is no room, each starts the next one at once: no stack holds all.
TEST(portable_tasks, start_each_other_in_a_long_chain_behind_many) {
  auto& j = the_job();
  context ctx(j, aggregate);
  finish([] {
    for (int i = 0; i < 3000; ++i) async_portable(add(), std::uint64_t{1});
    async_portable(chain(), 300'000U);
  });
  ctx.barrier();
  EXPECT_EQ(ran_everywhere(j), 303'000U * static_cast<std::uint64_t>(j.pes()));
}

bool all_on_this_host(job& j, global_ptr<std::uint64_t> p) {
  return j.world().min(j.local(p.on((j.pe() + 1) % j.pes())) != nullptr ? 1 : 0) == 1;
}

struct end_one {
  void operator()(global_ptr<std::uint64_t> ended) const {
    std::atomic_ref(*job::of_this_process()->local(ended)).fetch_add(1);
  }
};

// The owner calls nothing until the others have ended all.
TEST(portable_tasks, are_stolen_from_who_computes) {
  auto& j = the_job();
  const auto before = j.stats().tasks_stolen; // a PE may steal while it waits for the end of `min`
  const auto ended = j.allocate<std::uint64_t>(1);
  if (j.pes() == 1 || workers() > 1 || !all_on_this_host(j, ended)) GTEST_SKIP() << "nobody need steal";
  context ctx(j, aggregate);
  if (j.pe() == 0)
    finish([&] {
      for (int i = 0; i < 200; ++i) async_portable(end_one(), ended.on(0));
      const std::atomic_ref all(*j.local(ended));
      while (all < 200) {
      }
    });
  ctx.barrier();
  EXPECT_GE(j.world().sum(j.stats().tasks_stolen - before), 200U);
  j.free(ended);
}

struct end_one_here {
  void operator()(const owner& here, symmetric<std::uint64_t> ended) const {
    std::atomic_ref(here.local(ended)[here.from()]).fetch_add(1);
  }
};

// Other PEs may have run some, and `wait` waits for these too.
TEST(portable_tasks, belong_to_a_group) {
  auto& j = the_job();
  task_group group;
  for (int round = 0; round < 20; ++round) {
    const auto ended = j.allocate<std::uint64_t>(static_cast<std::size_t>(j.pes()));
    for (int i = 0; i < 50; ++i) group.async_portable(end_one_here(), symmetric(ended));
    group.wait();
    std::uint64_t sum = 0;
    for (pe_t pe = 0; pe < j.pes(); ++pe) sum += get(j, *(ended.on(pe) + j.pe()));
    EXPECT_EQ(sum, 50U);
    j.free(ended);
  }
}

struct tell {
  void operator()(const owner& here, std::array<std::uint64_t, 10> all) const {
    for (const auto one : all) ran += one;
    *here.local(symmetric<std::uint64_t>(global_ptr<std::uint64_t>(0, all[9]))) +=
        static_cast<std::uint64_t>(here.from());
  }
};

// The most that fits.
TEST(portable_tasks, know_their_arguments_and_who_has_started_them) {
  auto& j = the_job();
  const auto from = j.allocate<std::uint64_t>(1);
  context ctx(j, aggregate);
  finish([&] {
    async_portable(tell(), std::array<std::uint64_t, 10>{1, 2, 3, 4, 5, 6, 7, 8, 9, from.offset()});
  });
  ctx.barrier();
  const auto pes = static_cast<std::uint64_t>(j.pes());
  EXPECT_EQ(ran_everywhere(j), pes * (45 + from.offset()));
  EXPECT_EQ(j.world().sum(*j.local(from)), pes * (pes - 1) / 2);
  j.free(from);
}

struct fail_at_7 {
  void operator()(int n, symmetric<std::uint64_t> both) const {
    if (both.offset() != 0 && n == 7) throw std::runtime_error("seven");
    ++ran;
  }
};

TEST(portable_tasks, rethrow_when_all_have_ended) {
  auto& j = the_job();
  const auto some = j.allocate<std::uint64_t>(16);
  context ctx(j, aggregate);
  for (int round = 0; round < 20; ++round) {
    std::string text;
    try {
      finish([&] {
        for (int n = 0; n < 10; ++n) async_portable(fail_at_7(), n, symmetric(some + 1));
      });
    } catch (const std::runtime_error& e) {
      text = e.what();
    }
    EXPECT_TRUE(text.starts_with("seven")) << text;
    ctx.barrier();
    EXPECT_EQ(ran_everywhere(j), static_cast<std::uint64_t>(9 * j.pes()));
  }
  j.free(some);
}

// One PE waits for what others have stolen, and stole from them in turn.
struct halve {
  void operator()(std::uint32_t n) const {
    if (n == 1) {
      ++ran;
      return;
    }
    finish([=] {
      async_portable(halve(), n / 2);
      async_portable(halve(), n - n / 2);
    });
  }
};

TEST(portable_tasks, wait_for_those_that_they_start) {
  auto& j = the_job();
  context ctx(j, aggregate);
  finish([] { async_portable(halve(), 1000U); });
  ctx.barrier();
  EXPECT_EQ(ran_everywhere(j), 1000U * static_cast<std::uint64_t>(j.pes()));
}

// Who waits for a result runs others meanwhile, of any PE.
struct fibonacci {
  std::uint64_t operator()(std::uint32_t n) const {
    ++ran;
    if (n < 2) return n;
    const auto one = async_portable_future(fibonacci(), n - 1);
    const auto other = async_portable_future(fibonacci(), n - 2);
    return one.get() + other.get();
  }
};

TEST(portable_tasks, give_results) {
  auto& j = the_job();
  context ctx(j, aggregate);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(async_portable_future(fibonacci(), 15U).get(), 610U);
    ctx.barrier();
    EXPECT_EQ(ran_everywhere(j), 1973U * static_cast<std::uint64_t>(j.pes()));
  }
}

struct several {
  std::array<std::uint64_t, 30> numbers;
  pe_t by;
};
/// Looks at its own PE's copy.
struct make_several {
  several operator()(const owner& here, std::uint64_t n, symmetric<std::uint64_t> own) const {
    several result{};
    result.numbers.back() = n;
    result.by = static_cast<pe_t>(*here.local(own));
    return result;
  }
};

TEST(portable_tasks, give_results_of_any_type_to_whoever_waits) {
  auto& j = the_job();
  const auto own = j.allocate<std::uint64_t>(1);
  *j.local(own) = static_cast<std::uint64_t>(j.pe());
  j.barrier();
  context ctx(j, aggregate);
  std::uint64_t sum = 0;
  int ended = 0;
  finish([&] {
    for (std::uint64_t n = 0; n < 40; ++n) {
      const auto one = async_portable_future(make_several(), n, symmetric(own));
      one.then([&](const several& all) { sum += all.numbers.back() + (all.by < j.pes() ? 1000U : 0U); });
      spawn([one, n] { EXPECT_EQ(one.get().numbers.back(), n); });
    }
    const auto none = async_portable_future([](int n) { ran += static_cast<std::uint64_t>(n); }, 2);
    none.then([&] { ++ended; });
  });
  ctx.barrier();
  EXPECT_EQ(sum, 40U * 1000 + 39 * 20);
  EXPECT_EQ(ended, 1);
  EXPECT_EQ(ran_everywhere(j), static_cast<std::uint64_t>(2 * j.pes()));
  j.free(own);
}

struct refuse_odd {
  int operator()(int n) const {
    if (n % 2 != 0) throw std::runtime_error("odd");
    return n;
  }
};

TEST(portable_tasks, give_exceptions_in_place_of_results) {
  auto& j = the_job();
  context ctx(j, aggregate);
  finish([] { // which is not told
    for (int n = 0; n < 20; ++n) {
      const auto result = async_portable_future(refuse_odd(), n);
      std::string text;
      try {
        EXPECT_EQ(result.get(), n);
      } catch (const std::runtime_error& e) {
        text = e.what();
      }
      EXPECT_EQ(text.starts_with("odd"), n % 2 != 0) << text;
    }
  });
  ctx.barrier();
}

} // namespace
} // namespace windrow::test
