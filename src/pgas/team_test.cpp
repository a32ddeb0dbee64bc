// SPDX-License-Identifier: BSD-3-Clause
// Teams and collectives with PEs as threads. tests/team_pe_test.cpp runs the random ones with processes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "os/cpu.hpp"
#include "pgas/core.hpp"
#include "pgas/team_state.hpp"
#include "tests/support/random_collectives.hpp"
#include "windrow/error.hpp"
#include "windrow/job.hpp"

namespace windrow {
namespace {

/// Runs body(core, world) on each of `pes` PEs that are threads.
template <class Body>
void on_threads(pe_t pes, Body body) {
  ::setenv("WINDROW_STALL_ABORT", "1", 0); // a test that hangs ends with a report of who waits for whom
  run_threads(pes, [&body](job& job) { body(job.core(), job.world()); });
}

class random_collectives : public testing::TestWithParam<std::tuple<pe_t, std::uint64_t>> {};

TEST_P(random_collectives, agree_with_a_sequential_computation) {
  const auto [pes, seed] = GetParam();
  ::setenv("WINDROW_DEBUG", seed % 2 == 0 ? "1" : "0", 1);
  on_threads(
      pes, [seed = seed](pgas::core&, const team& world) { test::run_random_collectives(world, seed, 400); });
}

INSTANTIATE_TEST_SUITE_P(seeds, random_collectives,
                         testing::Combine(testing::Values(1, 2, 3, 4, 8),
                                          testing::Range<std::uint64_t>(1, 9)),
                         [](const auto& info) {
                           return fmt::format("pes{}_seed{}", std::get<0>(info.param),
                                              std::get<1>(info.param));
                         });

// Plain writes before a barrier are seen by plain reads after it: ThreadSanitizer would object if they were
// not ordered.
TEST(barrier_test, orders_direct_writes) {
  constexpr pe_t pes = 4;
  on_threads(pes, [](pgas::core& core, const team& world) {
    auto cell = [&core](pe_t pe) { return reinterpret_cast<int*>(core.map().segment(pe)); };
    const auto before = core.stats().barriers;
    for (int round = 0; round < 500; ++round) {
      *cell((core.pe() + round) % pes) = round * pes + core.pe();
      world.barrier();
      for (pe_t pe = 0; pe < pes; ++pe) ASSERT_EQ(*cell((pe + round) % pes), round * pes + pe);
      world.barrier();
    }
    EXPECT_EQ(core.stats().barriers - before, 1000u);
  });
}

// If notify waited, or wait did not, then the exchange in between would not be possible in this order.
TEST(barrier_test, is_split_phase) {
  on_threads(2, [](pgas::core& core, const team& world) {
    std::atomic_ref<int> flag(*reinterpret_cast<int*>(core.map().segment(0)));
    for (int round = 1; round <= 100; ++round) {
      if (core.pe() == 0) {
        world.barrier_notify();
        flag.store(round); // PE 1 waits for this before it notifies
      } else {
        while (flag.load() != round) os::yield();
        world.barrier_notify();
      }
      world.barrier_wait();
    }
  });
}

// Where members compare their calls, every broadcast is a step.
TEST(broadcast_test, lets_its_root_go_on) {
  ::setenv("WINDROW_DEBUG", "0", 1);
  on_threads(3, [](pgas::core& core, const team& world) {
    std::atomic_ref<int> done(*reinterpret_cast<int*>(core.map().segment(0)));
    for (int round = 1; round <= 100 && !core.checks(); ++round) {
      const pe_t root = round % 3;
      const bool sends = core.pe() == root;
      while (!sends && done.load() != round) os::yield();
      for (int i = 0; i < 8; ++i) EXPECT_EQ(world.broadcast(sends ? 8 * round + i : 0, root), 8 * round + i);
      if (sends) done.store(round);
      EXPECT_EQ(world.broadcast(sends ? -round : 0, root), -round) << "this one is a step";
    }
  });
}

TEST(team_test, translates_between_teams) {
  on_threads(6, [](pgas::core& core, const team& world) {
    const team even = world.split_strided(0, 2, 3);  // 0 2 4
    const team last = world.split_strided(5, -1, 4); // 5 4 3 2
    EXPECT_EQ(static_cast<bool>(even), core.pe() % 2 == 0);
    EXPECT_EQ(static_cast<bool>(last), core.pe() >= 2);
    EXPECT_EQ(world.translate(0, team()), -1);
    if (even && last) {
      EXPECT_EQ(even.translate(0, last), -1);
      EXPECT_EQ(even.translate(1, last), 3);
      EXPECT_EQ(last.translate(1, even), 2);
    }
    if (!last) return;
    EXPECT_EQ(last.translate(1, world), 4);
    const team pair = last.split_strided(1, 2, 2); // 4 2, through a stride of a stride
    ASSERT_EQ(static_cast<bool>(pair), core.pe() == 4 || core.pe() == 2);
    if (pair) {
      EXPECT_EQ(pair.translate(0, world), 4);
    }
  });
}

// A released slot is used again although its old members let go of it at different times.
TEST(team_test, can_be_made_and_dropped_without_end) {
  on_threads(3, [](pgas::core& core, const team& world) {
    team kept;
    for (int round = 0; round < 500; ++round) {
      const team odd_one_out = world.split_strided(round % 3, 1 + round % 2, 1 + (round % 3 == 0));
      if (odd_one_out) {
        EXPECT_EQ(odd_one_out.sum(1), odd_one_out.pes()) << "round " << round;
      }
      if ((round + core.pe()) % 4 == 0) kept = odd_one_out;
    }
  });
}

// While one member may still read or wait in a team's slot, no other may use that slot for a team without it.
TEST(team_test, keeps_a_slot_until_all_members_have_released_it) {
  on_threads(3, [](pgas::core& core, const team& world) {
    const team parent = world.split_strided(0, 2, 2);
    team first = world.split_strided(0, 1, 2);
    const auto id = first ? first.state().id() : 0;
    if (core.pe() == 0) first = team();
    if (parent) {
      const team second = parent.split_strided(0, 1, 2);
      if (core.pe() == 0) {
        EXPECT_NE(second.state().id(), id);
      }
    }
    world.barrier();
    first = team();
    world.barrier();
    if (parent) {
      const team third = parent.split_strided(0, 1, 2);
      if (core.pe() == 0) {
        EXPECT_EQ(third.state().id(), id);
      }
    }
  });
}

TEST(team_test, reports_that_slots_ran_out_on_all_members_and_recovers) {
  on_threads(3, [](pgas::core&, const team& world) {
    std::vector<team> teams;
    for (int i = 0; i < 63; ++i) teams.push_back(world.split_strided(0, 1, 2));
    EXPECT_THROW(world.split_strided(0, 1, 1), error);
    EXPECT_TRUE(world.split_strided(2, 1, 1) || world.pe() != 2) << "PE 2 is in no other team";
    teams.erase(teams.begin() + 17);
    const team again = world.split_strided(0, 1, 2);
    if (again) {
      EXPECT_EQ(again.sum(1), 2);
    }
    EXPECT_THROW(world.split_strided(1, 1, 1), error);
  });
}

/// Runs body in two or three PEs of which at least one ends the process.
template <class Body>
void with_checks(pe_t pes, Body body) {
  ::setenv("WINDROW_DEBUG", "1", 1);
  on_threads(pes, body);
}

TEST(collective_death_test, says_who_called_what) {
  EXPECT_EXIT(with_checks(3,
                          [](pgas::core& core, const team& world) {
                            if (core.pe() < 2) (void)world.broadcast(std::uint64_t{1}, 0);
                            if (core.pe() == 2) world.sum(0.0L);
                          }),
              testing::ExitedWithCode(1),
              "^windrow: PE 0: mismatched collective on team 0: PE 0 called broadcast\\(8 bytes, root 0\\), "
              "PE 2 called "
              "reduce\\(16 bytes\\)\n$");
}

TEST(collective_death_test, compares_roots_sizes_and_barriers) {
  EXPECT_EXIT(
      with_checks(2, [](pgas::core& core, const team& world) { (void)world.broadcast(1, core.pe()); }),
      testing::ExitedWithCode(1),
      "PE 0 called broadcast\\(4 bytes, root 0\\), PE 1 called broadcast\\(4 bytes, root 1\\)");
  EXPECT_EXIT(with_checks(2,
                          [](pgas::core& core, const team& world) {
                            std::vector<char> data(core.pe() == 0 ? 65 : 100'000);
                            world.broadcast(std::span<char>(data), 0);
                          }),
              testing::ExitedWithCode(1),
              "PE 0 called broadcast\\(65 bytes, root 0\\), PE 1 called broadcast\\(100000 bytes, root 0\\)");
  EXPECT_EXIT(with_checks(2,
                          [](pgas::core& core, const team& world) {
                            core.pe() == 0 ? world.barrier() : void(world.scan(1, std::plus<>{}));
                          }),
              testing::ExitedWithCode(1), "PE 0 called barrier\\(\\), PE 1 called scan\\(4 bytes\\)");
  EXPECT_EXIT(
      with_checks(2, [](pgas::core& core, const team& world) { world.split_strided(0, 1, 1 + core.pe()); }),
      testing::ExitedWithCode(1),
      "PE 0 called split_strided\\(start 0, stride 1, size 1\\), PE 1 called split_strided");
}

TEST(collective_death_test, names_the_team_and_its_pes_by_their_numbers_in_the_job) {
  EXPECT_EXIT(with_checks(3,
                          [](pgas::core& core, const team& world) {
                            const team two = world.split_strided(1, 1, 2);
                            if (core.pe() == 1) two.barrier();
                            if (core.pe() == 2) two.sum(1);
                          }),
              testing::ExitedWithCode(1),
              "on team 1: PE 1 called barrier\\(\\), PE 2 called reduce\\(4 bytes\\)");
}

// Elements that are larger than what a member shows at a time.
TEST(team_test, carries_large_elements_in_parts_of_different_sizes) {
  struct block {
    std::array<std::uint32_t, 100'000> words;
  };
  on_threads(3, [](pgas::core&, const team& world) {
    const auto me = static_cast<std::size_t>(world.pe());
    std::vector<std::vector<block>> parts(3);
    for (std::size_t p = 0; p < 3; ++p)
      parts[p].resize((me + p) % 3, block{{static_cast<std::uint32_t>(10 * me + p)}});
    const auto got = world.alltoallv(ragged_array(parts));
    const auto all = world.allgatherv(parts[me]);
    for (std::size_t p = 0; p < 3; ++p) {
      ASSERT_EQ(got.count(p), (me + p) % 3);
      for (const auto& b : got[p]) EXPECT_EQ(b.words[0], 10 * p + me);
      ASSERT_EQ(all.count(p), 2 * p % 3);
      for (const auto& b : all[p]) EXPECT_EQ(b.words[0], 11 * p);
    }
  });
}

TEST(ragged_array_test, has_parts_one_behind_the_other) {
  const std::vector<std::size_t> counts = {2, 0, 1};
  ragged_array<int> a{std::span<const std::size_t>(counts)};
  std::ranges::fill(a[0], 7);
  a[2][0] = 9;
  EXPECT_EQ(a, ragged_array<int>({{7, 7}, {}, {9}}));
  EXPECT_EQ(a.size(), 3u);
  EXPECT_EQ(a.count(1), 0u);
  EXPECT_TRUE(std::ranges::equal(a.elements(), std::vector{7, 7, 9}));
  EXPECT_TRUE(std::ranges::equal(a.begins(), std::vector<std::size_t>{0, 2, 2, 3}));
  EXPECT_EQ(ragged_array<int>().size(), 0u);
  EXPECT_TRUE(ragged_array<int>().elements().empty());
  EXPECT_EQ(std::move(a).elements(), (std::vector{7, 7, 9}));
}

TEST(team_death_test, names_wrong_arguments) {
  const auto alone = [](auto body) {
    on_threads(1, [&](pgas::core& core, const team& world) { body(core, world); });
  };
  const auto dies = [&](auto body, const char* sentence) {
    EXPECT_EXIT(alone(body), testing::ExitedWithCode(1), sentence);
  };
  dies([](pgas::core&, const team& t) { (void)t.broadcast(1, 1); },
       "broadcast: root 1 is not a member of team 0, whose PEs are 0 to 0");
  dies([](pgas::core&, const team& t) { (void)t.broadcast(1, -1); }, "broadcast: root -1 ");
  dies([](pgas::core&, const team& t) { t.translate(7, t); }, "team::translate: PE 7 ");
  dies([](pgas::core&, const team& t) { t.split_strided(0, 1, 2); },
       "split_strided\\(start 0, stride 1, size 2\\) leaves team 0");
  dies([](pgas::core&, const team& t) { t.split_strided(0, 0, 2); }, "stride 0");
  dies([](pgas::core&, const team& t) { t.split_strided(0, 1, 0); }, "size 0");
  dies([](pgas::core&, const team& t) { t.split_strided(0, 2147483647, 2147483647); }, "leaves team 0");
  dies([](pgas::core&, const team&) { team().barrier(); }, "barrier: this PE is not a member of the team");
  dies([](pgas::core&, const team& t) { t.barrier_wait(); }, "barrier_wait on team 0 without barrier_notify");
  dies([](pgas::core&, const team& t) { t.barrier_notify(), t.sum(1); },
       "reduce\\(4 bytes\\) was called on team 0 between barrier_notify and barrier_wait");
  dies([](pgas::core& c, const team& t) { c.close(), t.barrier(); },
       "barrier\\(\\) on team 0: the job is already finalized");
  dies(
      [](pgas::core&, const team& t) {
        int in[2] = {}, out[3] = {};
        t.reduce(std::span<const int>(in), std::span<int>(out), std::plus<>{});
      },
      "reduce: in has 8 bytes and out 12; they must be equal");
  dies(
      [](pgas::core&, const team& t) {
        int data[2] = {};
        t.alltoall(std::span<const int>(data), std::span<int>(data));
      },
      "alltoall: in and out overlap");
  dies([](pgas::core&, const team& t) { (void)t.alltoallv(ragged_array<int>({{1, 2}, {3}})); },
       "alltoallv: in has 2 parts, but the team has 1 members; it must have one for each");
}

// A handle may be a global variable, and then nothing of the job is there any more.
TEST(team_death_test, names_calls_after_the_job) {
  const auto dies = [](auto call, const char* sentence) {
    const auto late = [&] {
      team kept;
      run_threads(1, [&kept](job& j) { kept = j.world(); });
      call(kept);
    };
    EXPECT_EXIT(late(), testing::ExitedWithCode(1), sentence);
  };
  dies([](const team& t) { t.barrier(); }, "barrier\\(\\) on team 0: the job is already finalized");
  dies([](const team& t) { (void)t.sum(1); }, "reduce\\(\\) on team 0: the job is already finalized");
  dies([](const team& t) { (void)t.broadcast(1, 0); }, "broadcast\\(\\) on team 0");
  dies([](const team& t) { (void)t.allgather(1); }, "allgather\\(\\) on team 0");
  dies([](const team& t) { t.barrier_notify(); }, "barrier\\(\\) on team 0");
  dies([](const team& t) { (void)t.split_strided(0, 1, 1); }, "split_strided\\(.*\\) on team 0");
}

} // namespace
} // namespace windrow
