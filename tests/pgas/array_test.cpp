// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/array.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace windrow {
namespace {

TEST(divider, equals_division) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const auto divisor = std::max<std::uint64_t>(1, (random() >> 1) >> random() % 63);
    const auto number = (random() >> 1) >> random() % 63;
    const detail::divider d(divisor);
    ASSERT_EQ(d.quotient(number), number / divisor) << number << " / " << divisor;
    const auto multiple = number / divisor * divisor; // where a rounding error would show
    ASSERT_EQ(d.quotient(multiple), multiple / divisor) << multiple << " / " << divisor;
    if (multiple > 0) {
      ASSERT_EQ(d.quotient(multiple - 1), (multiple - 1) / divisor) << multiple - 1 << " / " << divisor;
    }
  }
}

// Every element has one place, inside its owner's part, and the way back leads to it.
template <class Distribution>
void check_distribution(std::uint64_t size, pe_t pes) {
  std::uint64_t held = 0;
  for (pe_t pe = 0; pe < pes; ++pe) {
    const array<int, Distribution> a(size, pes, global_ptr<int>(pe, 0), nullptr);
    held += a.local_size(pe);
    ASSERT_LE(a.local_size(pe), (array<int, Distribution>::capacity(size, pes)));
    for (std::uint64_t k = 0; k < a.local_size(pe); ++k) {
      const auto i = a.global_index(k);
      ASSERT_LT(i, size);
      ASSERT_EQ(a.owner(i), pe);
      ASSERT_EQ(a.local_index(i), k);
      ASSERT_EQ(a[i].offset(), k * sizeof(int));
    }
  }
  ASSERT_EQ(held, size);
}

TEST(array, distributions_are_one_to_one) {
  for (const std::uint64_t size : {0, 1, 2, 3, 7, 8, 9, 64, 100, 1000, 1023})
    for (const pe_t pes : {1, 2, 3, 4, 7, 8, 64}) {
      check_distribution<block_distribution>(size, pes);
      check_distribution<cyclic_distribution>(size, pes);
      check_distribution<block_cyclic_distribution<1>>(size, pes);
      check_distribution<block_cyclic_distribution<3>>(size, pes);
      check_distribution<block_cyclic_distribution<16>>(size, pes);
    }
}

TEST(array, blocks_are_dealt_in_turn) {
  for (const std::uint64_t size : {1, 5, 6, 7, 100})
    for (const pe_t pes : {1, 2, 3, 8}) {
      const array<int, block_cyclic_distribution<5>> a(size, pes, global_ptr<int>(0, 0), nullptr);
      for (std::uint64_t i = 0; i < size; ++i) {
        ASSERT_EQ(a.owner(i), static_cast<pe_t>(i / 5 % static_cast<std::uint64_t>(pes)));
        ASSERT_EQ(a.local_index(i), i / 5 / static_cast<std::uint64_t>(pes) * 5 + i % 5);
      }
    }
}

// They can be counted, so that no heap has room for them.
TEST(array, are_never_too_large_to_be_counted) {
  constexpr auto most = ~std::uint64_t{0};
  EXPECT_EQ((array<char, block_cyclic_distribution<1000>>::capacity(most, 1)), most);
  EXPECT_EQ((array<char, block_cyclic_distribution<7>>::capacity(most, 1)), most);
  EXPECT_EQ((array<char, block_cyclic_distribution<most>>::capacity(most, 4096)), most);
  EXPECT_EQ((array<char, block_cyclic_distribution<1000>>::capacity(2001, 2)), 2000U);
}

} // namespace
} // namespace windrow
