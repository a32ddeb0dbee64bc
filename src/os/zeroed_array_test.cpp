// SPDX-License-Identifier: BSD-3-Clause
#include "os/zeroed_array.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

namespace windrow::os {
namespace {

TEST(zeroed_array, is_all_zeros_whatever_its_size) {
  for (const std::size_t count : {1, 100, 1000, 5000, 1'000'000}) {
    for (int turn = 0; turn < 3; ++turn) { // the second one may lie where the first one did
      const zeroed_array<std::uint64_t> table(count);
      ASSERT_EQ(table.size(), count);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(table.data()) % 64, 0U);
      EXPECT_TRUE(std::ranges::all_of(table, [](std::uint64_t v) { return v == 0; })) << count;
      std::ranges::fill(table, ~std::uint64_t{0});
    }
  }
}

TEST(zeroed_array, goes_from_one_owner_to_another) {
  zeroed_array<std::atomic<int>> first(10), second(20'000), none;
  first[3] = 3;
  second[7] = 7;
  none = std::move(first);
  EXPECT_EQ(none[3], 3);
  none = std::move(second);
  EXPECT_EQ(none.size(), 20'000U);
  EXPECT_EQ(none[7], 7);
  none = {};
  EXPECT_EQ(none.size(), 0U);
  EXPECT_EQ(none.begin(), none.end());
}

} // namespace
} // namespace windrow::os
