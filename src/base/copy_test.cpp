// SPDX-License-Identifier: BSD-3-Clause
// Every way of copying, at every alignment that makes a difference, writes these bytes and no others.
#include "windrow/detail/copy.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace windrow::detail {
namespace {

constexpr std::size_t guard = 64;

std::vector<unsigned char> random_bytes(std::size_t count) {
  std::mt19937 random(1);
  std::vector<unsigned char> bytes(count);
  for (auto& b : bytes) b = static_cast<unsigned char>(random());
  return bytes;
}

/// Copies `bytes` bytes, from `from` on, to a place `to` bytes behind a page boundary.
void expect_copy(const std::vector<unsigned char>& source, std::size_t from, std::size_t to,
                 std::size_t bytes) {
  constexpr std::size_t page = 4096;
  std::vector<unsigned char> memory(bytes + 2 * guard + 2 * page, 0xa5);
  const auto base = reinterpret_cast<std::uintptr_t>(memory.data()) + guard;
  const auto at = guard + (page - base % page) % page + to;
  auto expected = memory;
  for (std::size_t i = 0; i < bytes; ++i) expected[at + i] = source[from + i];
  copy_bytes(memory.data() + at, source.data() + from, bytes);
  ASSERT_TRUE(memory == expected) << bytes << " bytes, from " << from << " to " << to;
}

TEST(copy_test, writes_these_bytes_and_no_others) {
  const auto source = random_bytes((std::size_t{1} << 20) + 4096);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, shortest_long_copy - 1, shortest_long_copy,
                                  shortest_long_copy + 1, std::size_t{4095}, std::size_t{5000}})
    for (const std::size_t to : {0, 1, 8, 31, 32, 63, 64, 100})
      for (const std::size_t from : {0, 1, 8, 16, 63, 64}) expect_copy(source, from, to, bytes);
}

TEST(copy_test, copies_beyond_every_limit) {
  constexpr std::size_t limit = std::size_t{1} << 20;
  const auto source = random_bytes(limit + 4096);
  for (const auto bytes : {limit - 1, limit, limit + 1})
    for (const std::size_t to : {0, 8}) expect_copy(source, 0, to, bytes);
}

TEST(copy_test, copies_of_all_lengths_around_a_step) {
  const auto source = random_bytes(8192);
  for (auto bytes = shortest_long_copy; bytes < shortest_long_copy + 300; ++bytes)
    expect_copy(source, 3, 5, bytes);
}

TEST(copy_test, a_range_may_be_copied_to_itself) {
  auto memory = random_bytes(10000);
  const auto before = memory;
  copy_bytes(memory.data() + 1, memory.data() + 1, memory.size() - 1);
  EXPECT_TRUE(memory == before);
}

TEST(copy_test, nothing_may_be_copied_between_nulls) {
  copy_bytes(nullptr, nullptr, 0);
}

} // namespace
} // namespace windrow::detail
