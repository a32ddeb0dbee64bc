// SPDX-License-Identifier: BSD-3-Clause
// Direct operations between processes: every verb on every type, ranges and strides.
#include "windrow/one_sided.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <vector>

#include "tests/support/pe_test.hpp"
#include "windrow/context.hpp"
#include "windrow/error.hpp"

namespace windrow::test {
namespace {

pe_t next_pe() {
  return (the_job().pe() + 1) % the_job().pes();
}

template <class T>
class atomics : public ::testing::Test {};
using atomic_types = ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                                      std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(atomics, atomic_types);

TYPED_TEST(atomics, every_verb_returns_the_value_before) {
  using T = TypeParam;
  auto& j = the_job();
  const auto cell = j.allocate<T>(1);
  const auto at = *cell.on(next_pe());
  atomic_set(j, at, T{10});
  EXPECT_EQ(fetch_add(j, at, T{5}), T{10});
  add(j, at, T{1});
  EXPECT_EQ(fetch_inc(j, at), T{16});
  inc(j, at);
  EXPECT_EQ(atomic_fetch(j, at), T{18});
  EXPECT_EQ(swap(j, at, T{3}), T{18});
  EXPECT_EQ(compare_swap(j, at, T{4}, T{9}), T{3});
  EXPECT_EQ(compare_swap(j, at, T{3}, T{12}), T{3});
  EXPECT_EQ(fetch_min(j, at, T{13}), T{12});
  EXPECT_EQ(fetch_min(j, at, T{7}), T{12});
  EXPECT_EQ(fetch_max(j, at, T{6}), T{7});
  EXPECT_EQ(fetch_max(j, at, T{11}), T{7});
  const T far_below = std::numeric_limits<T>::lowest();
  min(j, at, far_below);
  EXPECT_EQ(atomic_fetch(j, at), far_below);
  max(j, at, T{12});
  EXPECT_EQ(atomic_fetch(j, at), T{12});
  if constexpr (atomic_integer<T>) {
    EXPECT_EQ(fetch_and(j, at, T{6}), T{12});
    EXPECT_EQ(fetch_or(j, at, T{1}), T{4});
    EXPECT_EQ(fetch_xor(j, at, T{15}), T{5});
    bit_xor(j, at, T{15});
    bit_or(j, at, T{8});
    bit_and(j, at, T{12});
    EXPECT_EQ(get(j, at), T{12});
  }
  j.free(cell);
}

TYPED_TEST(atomics, of_all_pes_on_one_cell_lose_nothing) {
  using T = TypeParam;
  auto& j = the_job();
  const auto cell = j.allocate<T>(1);
  for (int i = 0; i < 15; ++i) inc(j, *cell.on(0));
  j.barrier();
  EXPECT_EQ(get(j, *cell.on(0)), static_cast<T>(15 * j.pes()));
  j.free(cell);
}

TEST(one_sided, every_operation_is_one_and_takes_one_round_trip_at_most) {
  auto& j = the_job();
  const auto cell = j.allocate<std::int64_t>(1);
  const auto at = *cell.on(next_pe());
  const std::uint64_t trips = j.map().is_addressable(next_pe()) ? 0 : 1;
  const auto check = [&](const char* name, auto operation) {
    const auto before = j.stats();
    operation();
    const auto after = j.stats();
    EXPECT_EQ(after.direct_operations - before.direct_operations, 1U) << name;
    EXPECT_EQ(after.round_trips - before.round_trips, trips) << name;
  };
  check("put", [&] { put(j, at, 5); });
  check("get", [&] { get(j, at); });
  check("atomic_fetch", [&] { atomic_fetch(j, at); });
  check("fetch_add", [&] { fetch_add(j, at, 1); });
  check("fetch_min", [&] { EXPECT_EQ(fetch_min(j, at, -3), 6); });
  check("fetch_min of what is less", [&] { EXPECT_EQ(fetch_min(j, at, 4), -3); });
  check("fetch_max", [&] { EXPECT_EQ(fetch_max(j, at, 7), -3); });
  check("min", [&] { min(j, at, -9); });
  check("max", [&] { max(j, at, -8); });
  EXPECT_EQ(get(j, at), -8);
  j.barrier();
  j.free(cell);
}

TEST(one_sided, ranges_and_strides_reach_the_neighbour) {
  auto& j = the_job();
  constexpr std::size_t size = 1000;
  const auto room = j.allocate<std::int32_t>(size);
  std::vector<std::int32_t> mine(size), back(size, -1);
  std::iota(mine.begin(), mine.end(), 1000 * j.pe());
  put(j, room.on(next_pe()), mine);
  get(j, room.on(next_pe()), back);
  EXPECT_EQ(back, mine);
  j.barrier();
  // Every third of mine to every second place there, and back to every fifth here.
  put_strided(j, room.on(next_pe()), 2, mine.data(), 3, 100);
  std::fill(back.begin(), back.end(), -1);
  get_strided(j, room.on(next_pe()), 2, back.data(), 5, 100);
  for (std::size_t i = 0; i < 500; ++i) ASSERT_EQ(back[i], i % 5 == 0 ? mine[i / 5 * 3] : -1) << i;
  j.barrier();
  j.free(room);
}

TEST(one_sided, the_job_completes_what_nonblocking_contexts_have_begun) {
  auto& j = the_job();
  constexpr std::size_t size = 300;
  const auto room = j.array<std::int32_t>(size * static_cast<std::size_t>(j.pes()));
  const auto there = next_pe();
  const auto first = static_cast<std::size_t>(there) * size;
  std::vector<std::int32_t> sent(size), got(size, -1);
  std::iota(sent.begin(), sent.end(), 7);
  context ctx(j, nonblocking);
  for (int turn = 0; turn < 3; ++turn) {
    for (std::size_t i = 0; i < size; ++i) ctx.put(room[first + i], sent[i] + turn);
    j.fence();
    for (std::size_t i = 0; i < size; ++i) ctx.get(room[first + i], &got[i]);
    j.complete_own();
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(got[i], sent[i] + turn) << i;
  }
  // The owner sees what was complete before it is told.
  const auto flag = j.allocate<std::int32_t>(1);
  for (std::size_t i = 0; i < size; ++i) ctx.put(room[first + i], -sent[i]);
  j.complete_own();
  put(j, *flag.on(there), 1);
  while (get(j, *flag.on(j.pe())) == 0) {
  }
  for (const auto value : room.local()) ASSERT_LT(value, 0);
  j.barrier();
  j.free(flag);
  j.free(room);
}

TEST(one_sided, global_pointers_move_and_turn_into_plain_ones) {
  auto& j = the_job();
  const auto room = j.allocate<double>(8);
  auto third = room + 3;
  EXPECT_EQ(third - room, 3);
  EXPECT_EQ(j.local(third), j.local(room) + 3);
  EXPECT_EQ(j.global(j.local(third)), third);
  put(j, third.on(next_pe())[1], 2.5);
  j.barrier();
  EXPECT_EQ(j.local(room)[4], 2.5);
  const auto* const local = j.local(room.on(next_pe()) + 4); // null on another host
  EXPECT_EQ(local != nullptr ? *local : 2.5, 2.5);
  j.barrier();
  j.free(room);
}

TEST(symmetric_heap, is_zeroed_aligned_and_used_again) {
  auto& j = the_job();
  for (int round = 0; round < 3; ++round) {
    const auto room = j.allocate<char>(100'000, 4096);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(j.local(room)) % 4096, 0U);
    for (std::size_t i = 0; i < 100'000; ++i) ASSERT_EQ(j.local(room)[i], 0);
    std::fill_n(j.local(room), 100'000, 'x');
    j.free(room);
  }
}

TEST(symmetric_heap, exhaustion_is_an_error_on_every_pe_and_leaves_the_job_usable) {
  auto& j = the_job();
  EXPECT_THROW(j.allocate<char>(j.map().bytes + 1), error);
  const auto room = j.allocate<int>(1);
  put(j, *room.on(next_pe()), 7);
  j.barrier();
  EXPECT_EQ(*j.local(room), 7);
  j.free(room);
}

} // namespace
} // namespace windrow::test
