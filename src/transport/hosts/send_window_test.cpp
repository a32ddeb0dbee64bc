// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "transport/hosts/send_window.hpp"

namespace windrow::transport {
namespace {

constexpr std::uint32_t places = 8;
const host_map two_hosts{{0, 1, 0, 1, 1, 0}, 0, 2};

TEST(send_window, a_pe_that_takes_nothing_keeps_no_place_from_the_others) {
  send_window d(two_hosts, places);
  for (std::uint32_t block = 0; block < 100; ++block) d.add(1, block);
  std::uint32_t left = 0;
  while (d.next(1)) ++left;
  EXPECT_EQ(left, places - 2); // one for each of PEs 3 and 4
  d.add(3, 200);
  d.add(4, 300);
  EXPECT_EQ(d.next(1)->block, 200U);
  EXPECT_EQ(d.next(1)->block, 300U);
  EXPECT_FALSE(d.next(1));
}

// A host that takes blocks in any order, beside the model: what is under way has different places, and blocks
// of one PE leave in order.
TEST(send_window, random_traffic) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  send_window d(two_hosts, places);
  std::map<pe_t, std::uint32_t> added, left;
  std::map<std::uint32_t, std::uint32_t> under_way; // place to block
  const std::vector<pe_t> there{1, 3, 4};
  for (int step = 0; step < 20000; ++step) {
    if (random() % 2 == 0) {
      const auto to = there[random() % there.size()];
      d.add(to, static_cast<std::uint32_t>(to) * 1'000'000 + added[to]++);
    }
    if (!under_way.empty() && random() % 2 == 0) {
      const auto one = std::next(under_way.begin(), static_cast<std::ptrdiff_t>(random() % under_way.size()));
      ASSERT_EQ(d.come_back(1, one->first), one->second);
      under_way.erase(one);
    }
    while (const auto leaving = d.next(1)) {
      ASSERT_EQ(leaving->block, static_cast<std::uint32_t>(leaving->to) * 1'000'000 + left[leaving->to]++);
      ASSERT_LT(leaving->place, places);
      ASSERT_TRUE(under_way.emplace(leaving->place, leaving->block).second);
    }
    for (const auto to : there) {
      const auto waits = added[to] > left[to];
      ASSERT_FALSE(waits && under_way.empty());
    }
  }
}

} // namespace
} // namespace windrow::transport
