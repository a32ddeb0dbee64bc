// SPDX-License-Identifier: BSD-3-Clause
// Accesses in conflict, against a look at all pairs, on random recordings; and how many pairs long loops
// cost.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/overlap/written.hpp"
#include "tools/overlap/access_index.hpp"
#include "tools/overlap/pairs.hpp"
#include "tools/overlap/races.hpp"
#include "tools/overlap/split_barriers.hpp"

namespace windrow::overlap {
namespace {

constexpr int pes = 3;

written random_run(std::mt19937& random) {
  written run(pes);
  const auto pick = [&](int from) { return static_cast<int>(random() % static_cast<unsigned>(from)); };
  const auto memory = [&] {
    auto where = shared(random() % 20, 1 + random() % 8);
    if (pick(4) == 0) where.bytes = 7, where.block = 1, where.stride = 3;
    return where;
  };
  for (int round = 0; round < 6; ++round) {
    for (int pe = 0; pe < pes; ++pe) {
      run.pe(pe);
      for (int i = pick(4); i > 0; --i) switch (run.at(static_cast<unsigned>(2 + pick(4))); pick(9)) {
          case 0:
            run.put(memory(), own(0), pick(pes));
            break;
          case 1:
            run.put_nbi(memory(), own(0), pick(pes));
            break;
          case 2:
            run.get_nbi(own(0), memory(), pick(pes));
            break;
          case 3:
            run.atomic_add(shared(8 * random() % 3), pick(pes));
            break;
          case 4:
            run.put_signal(memory(), own(0), shared(100), pick(pes));
            break;
          case 5:
            run.wait(shared(100));
            break;
          case 6:
            run.store(memory());
            break;
          case 7:
            run.quiet();
            break;
          default:
            run.load(memory());
        }
    }
    if (pick(3) == 0) continue;
    const bool collective = pick(3) == 0;
    meet(run, 1, collective ? action::collective : action::barrier);
    for (int pe = 0; collective && pe < pes; ++pe)
      run.pe(pe).last().local = shared(0, 4), run.last().remote = shared(6, 4);
  }
  return run;
}

using pairs = std::multiset<std::pair<std::size_t, std::size_t>>;

using accesses_of_all = std::vector<lasting_access>;

// Calls `look` with random ones until something fails.
template <class Look>
void at_random_runs(Look look) {
  const auto seed = std::random_device()();
  std::mt19937 random(seed);
  for (int round = 0; round < 100 && !testing::Test::HasFatalFailure(); ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round << ", seed " << seed);
    const auto run = random_run(random);
    const model all(run.run());
    look(all, accesses_of_run(all, all_completions(all)), round);
  }
}

// The same pair in whatever order.
std::pair<std::size_t, std::size_t> pair_of(std::size_t i, std::size_t j) {
  return {std::min(i, j), std::max(i, j)};
}

TEST(Pairs, ThoseThatHaveNoOrderAreAllFoundOnce) {
  std::size_t unordered = 0, told = 0, all_pairs = 0;
  at_random_runs([&](const model& all, const accesses_of_all& accesses, int round) {
    const order by(all, {.surely = round % 2 == 0, .without = {}});
    pairs found;
    access_rows(accesses).each_unordered(by, [&](std::size_t i, std::size_t j) {
      found.insert(pair_of(i, j));
      return further::all;
    });
    for (std::size_t i = 0; i < accesses.size(); ++i)
      for (std::size_t j = i + 1; j < accesses.size(); ++j) {
        const auto &a = accesses[i], &b = accesses[j];
        const bool meet = a.by != b.by && conflict(a.what, b.what);
        const auto times = found.count({i, j});
        ASSERT_LE(times, meet ? 1U : 0U) << i << " and " << j;
        all_pairs += meet;
        told += times;
        if (!meet || are_ordered(by, a, b)) continue;
        ASSERT_EQ(times, 1U) << i << " and " << j;
        ++unordered;
      }
  });
  EXPECT_GT(unordered, 100U);
  EXPECT_LT(told, all_pairs);
}

// As barriers are judged.
TEST(Pairs, ThoseThatHaveNoOrderWithoutABarrierAreAllFound) {
  std::size_t lost = 0, told = 0, unordered = 0;
  at_random_runs([&](const model& all, const accesses_of_all& accesses, int) {
    const order full(all, {.surely = true, .without = {}}), by(all, {.surely = true, .without = 1});
    const auto fewer = accesses_of_run(all, all_completions(all, {.without = 1}));
    pairs found;
    const auto find = [&](std::size_t i, std::size_t j) {
      found.insert(pair_of(i, j));
      return further::all;
    };
    access_rows(fewer, depend_on_order)
        .each_that_lost_order(by, access_rows(accesses, depend_on_order), full, find);
    const auto heard = over_when_heard_of(full, accesses);
    for_each_conflict_within(over_when_heard_of(by, fewer), find, depend_on_order, &heard);
    told += found.size();
    for (std::size_t i = 0; i < accesses.size(); ++i)
      for (std::size_t j = i + 1; j < accesses.size(); ++j) {
        const bool one_event = accesses[i].by == accesses[j].by && accesses[i].start == accesses[j].start;
        if (one_event || !depend_on_order(accesses[i].what, accesses[j].what)) continue;
        const bool is_unordered = !are_ordered(by, fewer[i], fewer[j]);
        const bool is_lost = is_unordered && are_ordered(full, accesses[i], accesses[j]);
        ASSERT_TRUE(!is_lost || found.contains({i, j})) << i << " and " << j;
        unordered += is_unordered;
        lost += is_lost;
      }
  });
  EXPECT_GT(lost, 100U);
  EXPECT_LT(told, lost + lost / 10);
  EXPECT_LT(lost, unordered);
}

TEST(Pairs, OfOnePeAreAllFoundOnce) {
  std::size_t count = 0;
  at_random_runs([&](const model&, const accesses_of_all& accesses, int) {
    pairs found;
    for_each_conflict_within(accesses, [&](std::size_t i, std::size_t j) {
      found.insert(pair_of(i, j));
      return further::all;
    });
    for (std::size_t i = 0; i < accesses.size(); ++i)
      for (std::size_t j = i + 1; j < accesses.size(); ++j) {
        const auto &a = accesses[i], &b = accesses[j];
        const auto &first = a.start < b.start ? a : b, &second = a.start < b.start ? b : a;
        const bool at_once = a.by == b.by && first.start < second.start && second.start < first.end;
        ASSERT_EQ(found.count({i, j}), at_once && conflict(a.what, b.what) ? 1U : 0U) << i << " and " << j;
        count += found.count({i, j});
      }
  });
  EXPECT_GT(count, 100U);
}

// A stencil, and a histogram.
written long_run(int rounds) {
  written run(pes);
  for (int round = 0; round < rounds; ++round) {
    for (int pe = 0; pe < pes; ++pe)
      run.pe(pe).at(1).put(shared(0), own(0), (pe + 1) % pes).at(2).atomic_add(shared(64), 0);
    meet(run, 3);
    for (int pe = 0; pe < pes; ++pe) run.pe(pe).at(4).load(shared(0));
    meet(run, 5);
  }
  return run;
}

std::size_t asked = 0;
bool counted(const access& a, const access& b) {
  ++asked;
  return conflict(a, b);
}

TEST(AccessIndex, ALongRangeCostsShortOnesNothing) {
  access_index memory(counted);
  const auto write = [](const range& where) { return access{0, where, true, false, false}; };
  memory.add(write(shared(0, 8000)), 0);
  for (std::uint64_t i = 1; i < 1000; ++i) memory.add(write(shared(i * 8)), i);
  std::set<std::size_t> met;
  memory.each_in_conflict(write(shared(4000)), [&](std::size_t number) {
    met.insert(number);
    return further::all;
  });
  EXPECT_EQ(met, (std::set<std::size_t>{0, 500}));
  EXPECT_LE(asked, 4U);
}

TEST(Pairs, LongLoopsCostNoMoreThanTheirRounds) {
  constexpr int rounds = 2000;
  const auto run = long_run(rounds);
  const model all(run.run());
  const auto accesses = accesses_of_run(all, all_completions(all));
  std::size_t told = 0;
  const auto tell = [&](std::size_t, std::size_t) {
    ++told;
    return further::all;
  };
  access_rows(accesses).each_unordered({all, {}}, tell);
  for_each_conflict_within(accesses, tell);
  EXPECT_EQ(told, 0U);
  access_rows(accesses).each_unordered({all, {.surely = true, .without = 3}}, tell);
  EXPECT_LE(told, std::size_t{rounds} * pes * 4);
  EXPECT_TRUE(find_races(all).empty());
  EXPECT_EQ(split_places(all).size(), std::size_t{rounds} * pes * 2);
}

// Nothing but the last barrier completes the puts.
TEST(Pairs, LongLoopsOfFlagsCostNoMoreThanTheirRounds) {
  constexpr std::size_t rounds = 2000;
  written run(2);
  for (std::size_t round = 0; round < rounds; ++round) {
    run.pe(0).at(2).put_signal(shared(64, 32), own(0), shared(0), 1);
    run.pe(1).at(3).wait(shared(0)).at(4).load(shared(64)).at(5).p(shared(8), 0);
    run.pe(0).at(6).wait(shared(8));
  }
  meet(run, 1);
  const model all(run.run());
  const auto accesses = accesses_of_all_code(all, all_completions(all));
  const auto fewer = accesses_of_all_code(all, all_completions(all, {.without = 1}));
  const order full(all, {.surely = true, .without = {}}), by(all, {.surely = true, .without = 1});
  std::size_t told = 0;
  const auto tell = [&](std::size_t, std::size_t) {
    ++told;
    return further::all;
  };
  const access_rows rows(accesses, depend_on_order);
  access_rows(rows, fewer).each_that_lost_order(by, rows, full, tell);
  const auto heard = over_when_heard_of(full, accesses);
  for_each_conflict_within(over_when_heard_of(by, fewer), tell, depend_on_order, &heard);
  EXPECT_LE(told, rounds * 4);
}

} // namespace
} // namespace windrow::overlap
