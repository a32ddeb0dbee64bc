// SPDX-License-Identifier: BSD-3-Clause
// What meets a range, by pages and blocks, against all bytes of a small memory.
#include "overlap/range_index.hpp"

#include <gtest/gtest.h>

#include <bitset>
#include <random>
#include <set>
#include <vector>

namespace windrow::overlap {
namespace {

constexpr std::uint64_t memory_bytes = std::uint64_t{6} << range_index::page_bits;
using bytes_of_memory = std::bitset<memory_bytes>;

bytes_of_memory bytes_of(const range& memory) {
  bytes_of_memory all;
  for (auto at = memory.begin; at < memory.end(); ++at)
    if (!memory.has_gaps() || (at - memory.begin) % memory.stride < memory.block) all.set(at);
  return all;
}

range random_range(std::mt19937& random) {
  range one;
  one.begin = random() % (memory_bytes / 2);
  one.bytes = 1 + random() % (random() % 4 == 0 ? memory_bytes / 2 : 200);
  if (random() % 2 == 0) return one;
  one.block = 1 + random() % 40;
  one.stride = one.block + 1 + random() % (random() % 2 == 0 ? 5000 : 30);
  one.bytes = (random() % ((memory_bytes / 2 - one.block) / one.stride + 1)) * one.stride + one.block;
  return one;
}

TEST(RangeIndex, HoldsEachRangeOnceIfAsked) {
  range_index index(true);
  const range word{100, 8};
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 3; ++i) index.add(word, false);
    EXPECT_EQ(index.in_conflict_with(word, false).size(), 0U);
    EXPECT_EQ(index.in_conflict_with(word, true).size(), 1U);
    index.add(word, true);
    EXPECT_EQ(index.size(), 2U);
    for (const auto number : index.in_conflict_with(word, true)) index.remove(number, [](std::uintptr_t) {});
    EXPECT_EQ(index.size(), 0U);
  }
}

TEST(RangeIndex, FindsWhatBytesSay) {
  const auto seed = std::random_device()();
  std::mt19937 random(seed);
  range_index index;
  std::set<std::uintptr_t> pages;
  struct held {
    bytes_of_memory bytes;
    range memory;
    bool written;
  };
  std::vector<held> all;
  for (int round = 0; round < 400; ++round) {
    const auto one = random_range(random);
    const bool flag = random() % 2 == 0;
    const auto is_same = [&](const held& other) { return other.memory == one && other.written == flag; };
    if (std::ranges::any_of(all, is_same)) continue;
    if (all.size() < 30) {
      index.add(one, flag, [&](std::uintptr_t page) { EXPECT_TRUE(pages.insert(page).second); });
      all.push_back({bytes_of(one), one, flag});
      continue;
    }
    const auto mine = bytes_of(one);
    const auto is_met = [&](const held& other) {
      const bool meets = (mine & other.bytes).any();
      EXPECT_EQ(one.meets(other.memory), meets) << "seed " << seed;
      return meets && (flag || other.written);
    };
    const auto found = index.in_conflict_with(one, flag);
    EXPECT_EQ(found.size(), static_cast<std::size_t>(std::ranges::count_if(all, is_met))) << "seed " << seed;
    std::erase_if(all, is_met);
    for (const auto number : found) index.remove(number, [&](std::uintptr_t page) { pages.erase(page); });
    const auto is_told = [&](std::uint64_t at) { return pages.contains(at >> range_index::page_bits); };
    for (const auto& left : all)
      for (auto at = left.memory.begin; at < left.memory.end(); at += 997)
        EXPECT_TRUE(!left.bytes[at] || is_told(at)) << "seed " << seed;
  }
  index.clear([&](std::uintptr_t page) { pages.erase(page); });
  EXPECT_TRUE(pages.empty());
  EXPECT_EQ(index.size(), 0U);
}

} // namespace
} // namespace windrow::overlap
