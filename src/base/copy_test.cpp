// SPDX-License-Identifier: BSD-3-Clause
// Every way of copying, at every alignment that makes a difference, writes these bytes and no others.
#include "windrow/detail/copy.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
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
  for (auto bytes = shortest_long_copy; bytes < shortest_long_copy + 600; ++bytes)
    expect_copy(source, 3, 5, bytes);
}

// Processors may copy these by their string instruction.
TEST(copy_test, copies_of_all_lengths_and_places_around_a_line) {
  const auto source = random_bytes(20000);
  constexpr std::size_t from_here_on = 16384;
  for (auto bytes = from_here_on - 1; bytes < from_here_on + 130; ++bytes)
    expect_copy(source, 3, bytes % 64, bytes);
}

TEST(copy_test, distances_of_which_only_the_lower_half_is_small) {
  constexpr std::size_t apart = std::size_t{1} << 32, bytes = 20000;
  auto* const memory = static_cast<unsigned char*>(::mmap(
      nullptr, apart + 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  const auto source = random_bytes(bytes);
  for (const std::size_t to : {0, 8, 63, 64, 65, 128}) {
    auto* const from = memory + 64;
    std::copy(source.begin(), source.end(), from);
    copy_bytes(memory + apart + to, from, bytes);
    EXPECT_TRUE(std::equal(source.begin(), source.end(), memory + apart + to)) << to;
  }
  ::munmap(memory, apart + 65536);
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
