// SPDX-License-Identifier: BSD-3-Clause
// Operations on many elements by one call, against a loop over all of them, and the route of contexts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <list>
#include <random>
#include <ranges>
#include <span>
#include <stdexcept>
#include <vector>

#include "tests/support/pe_test.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

template <class Distribution>
void check_random_indices(Distribution distribution, unsigned seed) {
  SCOPED_TRACE(seed);
  auto& j = the_job();
  std::mt19937_64 common(seed); // the same on all PEs: every PE knows what all do
  const auto size = 1 + common() % 5000;
  const auto table = j.array<std::int64_t>(size, distribution);
  std::vector<std::int64_t> expected(size);
  std::vector<std::uint32_t> own;
  for (pe_t pe = 0; pe < j.pes(); ++pe) {
    const auto count = common() % 3000;
    for (std::uint64_t k = 0; k < count; ++k) {
      const auto i = static_cast<std::uint32_t>(common() % size);
      expected[i] += pe + 1;
      if (pe == j.pe()) own.push_back(i);
    }
  }
  table.add(own, j.pe() + 1);
  j.barrier();
  const auto values = table.gather(own);
  ASSERT_EQ(values.size(), own.size());
  for (std::size_t k = 0; k < own.size(); ++k) ASSERT_EQ(values[k], expected[own[k]]);
  j.barrier();
  std::vector<std::uint64_t> mine; // every element is of one PE's indices
  std::vector<std::int64_t> stored;
  for (std::uint64_t i = static_cast<std::uint64_t>(j.pe()); i < size;
       i += static_cast<std::uint64_t>(j.pes())) {
    mine.push_back(i);
    stored.push_back(-static_cast<std::int64_t>(i));
  }
  table.scatter(mine, stored);
  j.barrier();
  for (std::uint64_t k = 0; k < table.local().size(); ++k)
    ASSERT_EQ(table.local()[k], -static_cast<std::int64_t>(table.global_index(k)));
  j.free(table);
}

TEST(array_operations, are_those_of_a_loop) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    check_random_indices(block, seed);
    check_random_indices(cyclic, 100 + seed);
  }
}

TEST(array_operations, take_any_range_of_integers) {
  auto& j = the_job();
  const auto table = j.array<double>(10);
  if (j.pe() == 0) {
    table.add(std::list<short>{1, 2, 2}, 0.5);
    table.add(std::views::iota(0, 10), 1.0);
    table.add(std::vector<int>(), 1.0);
  }
  j.barrier();
  // A view that finds its first element when it is asked, and so is no constant.
  auto large = std::vector{0, 7, 1, 9} | std::views::filter([](int i) { return i > 1; });
  EXPECT_EQ(table.gather(large), (std::vector<double>{1, 1}));
  j.barrier();
  table.scatter(large, std::array<const double, 2>{4, 5});
  j.barrier();
  EXPECT_EQ(table.gather(std::vector{0, 9} | std::views::filter([](int i) { return i > 0; })),
            (std::vector<double>{5}));
  j.barrier();
  table.scatter(large, std::array<const double, 2>{1, 1});
  j.barrier();
  EXPECT_EQ(table.gather(std::vector<int>{0, 1, 2}), (std::vector<double>{1, 1.5, 2}));
  std::vector<double> out(2);
  table.gather(std::list<char>{2, 1}, out);
  EXPECT_EQ(out, (std::vector<double>{2, 1.5}));
  j.barrier();
  j.free(table);
}

/// Plain bytes, with a constructor and no default.
class money {
 public:
  explicit money(int cents) : cents_(cents) {}
  int cents() const { return cents_; }
  friend bool operator==(const money&, const money&) = default;

 private:
  int cents_;
};
struct purse {
  long number;
  money in_it;
};

} // namespace
} // namespace windrow::test

template <>
inline constexpr bool windrow::is_transferable<windrow::test::money> = true;
template <>
inline constexpr bool windrow::is_transferable<windrow::test::purse> = true;

namespace windrow::test {
namespace {

TEST(array_operations, give_values_without_a_default) {
  auto& j = the_job();
  const auto table = j.array<money>(10);
  const auto purses = j.array<purse>(10);
  const std::vector stored{money(5), money(7)};
  if (j.pe() == 0) {
    table.scatter(std::vector<int>{0, 9}, stored);
    windrow::put(j, purses[9], purse{3, money(9)});
  }
  j.barrier();
  EXPECT_EQ(table.gather(std::vector<int>{0, 9}), stored);
  int sum = 0;
  pipelined_get(j, table, 0, 10, [&](std::uint64_t, const money& m) { sum += m.cents(); });
  EXPECT_EQ(sum, 12);
  const auto [number, in_it] = get_fields(j, purses[9], &purse::number, &purse::in_it);
  EXPECT_EQ(number, 3);
  EXPECT_EQ(in_it, money(9));
  const auto add = [](money a, money b) { return money(a.cents() + b.cents()); };
  EXPECT_EQ(j.world().reduce(money(1), add), money(j.pes()));
  EXPECT_EQ(j.world().scan(money(1), add), money(j.pe() + 1));
  EXPECT_EQ(j.world().allgather(money(j.pe())).back(), money(j.pes() - 1));
  j.barrier();
  j.free(purses);
  j.free(table);
}

struct sample {
  double of[3];
  std::uint16_t number;
  bool operator==(const sample&) const = default;
};
struct row {
  std::uint64_t of[50];
  bool operator==(const row&) const = default;
};
template <class T>
T made_of(std::uint64_t i) {
  if constexpr (std::same_as<T, sample>)
    return {{static_cast<double>(i), 1, -static_cast<double>(i)}, static_cast<std::uint16_t>(i)};
  else
    return {{i, 2 * i}};
}

// Elements of whatever type travel in bulk. Of several values for one element one is there as a whole.
template <class T>
void check_structures(bool all_travel) {
  auto& j = the_job();
  const auto table = j.array<T>(500);
  const auto trips = j.stats().round_trips;
  std::vector<std::uint64_t> indices;
  std::vector<T> values;
  const auto pes = static_cast<std::uint64_t>(j.pes()), me = static_cast<std::uint64_t>(j.pe());
  for (std::uint64_t i = 0; i < 1000; ++i)
    if (i % 500 % pes == me) {
      indices.push_back(i % 500);
      values.push_back(made_of<T>(i));
    }
  table.scatter(indices, values);
  j.barrier();
  const auto all = table.gather(std::views::iota(0, 500));
  for (std::uint64_t i = 0; i < 500; ++i)
    EXPECT_TRUE(all[i] == made_of<T>(i) || all[i] == made_of<T>(i + 500));
  if (all_travel) {
    EXPECT_EQ(j.stats().round_trips, trips);
  }
  j.barrier();
  j.free(table);
}

TEST(array_operations, take_elements_of_any_type) {
  check_structures<sample>(true);
  check_structures<row>(false); // stored at once: too large for an item
}

TEST(array_operations, give_truth_values) {
  auto& j = the_job();
  const auto table = j.array<bool>(10);
  if (j.pe() == 0) table.scatter(std::vector<int>{1, 7}, std::array{true, true});
  j.barrier();
  EXPECT_EQ(table.gather(std::vector<int>{0, 1, 7, 9}), (std::vector<bool>{false, true, true, false}));
  std::vector<bool> expected(static_cast<std::size_t>(j.pes()));
  expected[0] = true;
  EXPECT_EQ(j.world().allgather(j.pe() == 0), expected);
  j.barrier();
  j.free(table);
}

// What they have begun by then is complete when the exception comes out: nothing is stored later.
TEST(array_operations, let_exceptions_of_the_range_out) {
  auto& j = the_job();
  const auto table = j.array<std::uint64_t>(100);
  std::ranges::fill(table.local(), 1);
  j.barrier();
  const auto indices = std::views::iota(0, 100) | std::views::transform([](int i) {
                         return i < 50 ? i : throw std::out_of_range("the fiftieth");
                       });
  std::vector<std::uint64_t> out(100);
  EXPECT_THROW(table.gather(indices, out), std::out_of_range);
  EXPECT_EQ(std::ranges::count(out, 1U), 50);
  j.barrier();
  j.free(table);
}

TEST(array_operations, complete_what_a_task_has_issued) {
  auto& j = the_job();
  const auto table = j.array<std::uint64_t>(64);
  finish([&] {
    for (int t = 0; t < 8; ++t) async([&] { table.add(std::views::iota(0, 64), 1); });
  });
  j.barrier();
  for (const auto element : table.local()) EXPECT_EQ(element, 8U * static_cast<unsigned>(j.pes()));
  j.barrier();
  j.free(table);
}

/// Aggregated items that `count` increments send.
std::uint64_t items_sent_by(context& ctx, const array<std::uint64_t>& table) {
  const auto before = the_job().stats().items_sent;
  for (std::uint64_t i = 0; i < 100; ++i) ctx.add(table[i], 1);
  ctx.barrier();
  return the_job().stats().items_sent - before;
}

// A PE alone updates little memory at once and sends to large memory, whatever there was when the context was
// made.
TEST(route, of_a_context_does_not_depend_on_when_it_was_made) {
  auto& j = the_job();
  context before(j, aggregate);
  const auto little = j.array<std::uint64_t>(100);
  const auto sent = items_sent_by(before, little);
  const auto large = j.array<std::uint64_t>(std::uint64_t{8} << 20);
  context after(j, aggregate);
  EXPECT_EQ(items_sent_by(before, large), items_sent_by(after, large));
  EXPECT_GE(items_sent_by(before, large), 100U);
  j.free(large);
  EXPECT_EQ(items_sent_by(before, little), sent);
  EXPECT_EQ(items_sent_by(after, little), sent);
  for (const auto element : little.local()) EXPECT_EQ(element, 3U * static_cast<unsigned>(j.pes()));
  j.barrier();
  j.free(little);
}

// When a PE alone has released its large memory, updates wait for those that it has sent before.
TEST(route, does_not_let_operations_overtake_others) {
  auto& j = the_job();
  const auto little = j.array<std::uint64_t>(static_cast<std::uint64_t>(j.pes()));
  const auto large = j.array<std::uint64_t>(std::uint64_t{8} << 20);
  context ctx(j, aggregate);
  const auto mine = little[static_cast<std::uint64_t>(j.pe())];
  std::vector<std::uint64_t> found;
  const auto keep = [&](std::uint64_t before) { found.push_back(before); };
  ctx.fetch_inc(mine).then(keep);
  j.free(large);
  ctx.fetch_inc(mine).then(keep);
  ctx.barrier();
  ctx.fetch_inc(mine).then(keep);
  ctx.barrier();
  EXPECT_EQ(found, (std::vector<std::uint64_t>{0, 1, 2}));
  j.free(little);
}

} // namespace
} // namespace windrow::test
