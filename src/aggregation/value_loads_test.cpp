// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/detail/value_loads.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace windrow::aggregation {
namespace {

/// The segments of two PEs, one behind the other; no place has the value of another one.
class value_loads_test : public testing::Test {
 protected:
  static constexpr std::size_t words = 1 << 20; ///< of a segment

  value_loads_test() : memory_(2 * words) {
    for (std::size_t i = 0; i < memory_.size(); ++i) memory_[i] = 3 * i + 1;
    loads_.set_memory(reinterpret_cast<const std::byte*>(memory_.data()), words * sizeof(std::uint64_t), 2);
  }

  std::size_t random_word(std::size_t of_segment) { return random_() % 2 * words + random_() % of_segment; }
  /// So many loads from random places among the first words of both segments.
  void load_from(std::size_t of_segment, int count) {
    for (int i = 0; i < count; ++i) load(random_word(of_segment));
  }
  void load(std::size_t word) {
    wanted_.push_back(3 * word + 1);
    loads_.add(&memory_[word], &got_[wanted_.size() - 1]);
    at_once_ += loads_.at_once() ? 1 : 0;
  }
  int at_once_so_far() { return std::exchange(at_once_, 0); }
  void expect_values() {
    loads_.drain();
    for (std::size_t i = 0; i < wanted_.size(); ++i) ASSERT_EQ(got_[i], wanted_[i]) << "load " << i;
    EXPECT_EQ(loads_.count(), wanted_.size());
    EXPECT_EQ(loads_.bytes(), 8 * wanted_.size());
  }

  std::vector<std::uint64_t> memory_, wanted_, got_ = std::vector<std::uint64_t>(1 << 17);
  value_loads loads_;
  std::mt19937_64 random_{1};
  int at_once_ = 0;
};

TEST_F(value_loads_test, are_carried_out_at_once_where_memory_is_in_a_cache) {
  load_from(1000, 2000);
  at_once_so_far();
  load_from(1000, 20'000);
  EXPECT_GT(at_once_so_far(), 19'000);
  expect_values();
}

TEST_F(value_loads_test, are_pipelined_where_it_is_not) {
  load_from(words, 40'000);
  EXPECT_EQ(at_once_so_far(), 0);
  for (std::size_t i = 0; i < 20'000; ++i) load(i * 512 % words); // strides
  EXPECT_EQ(at_once_so_far(), 0);
  for (std::size_t i = 0; i < 20'000; ++i) load(i % 2 == 0 ? i % 100 : random_word(words)); // mixed
  EXPECT_EQ(at_once_so_far(), 0);
  expect_values();
}

TEST_F(value_loads_test, follow_a_program_that_changes_its_places) {
  for (int turn = 0; turn < 3; ++turn) {
    load_from(4000, 10'000);
    load_from(4000, 5000);
    EXPECT_GT(at_once_so_far(), 4500) << "turn " << turn;
    load_from(words, 20'000);
    EXPECT_LT(at_once_so_far(), 16'500) << "turn " << turn;
    load_from(words, 5000);
    EXPECT_EQ(at_once_so_far(), 0) << "turn " << turn;
  }
  expect_values();
}

// The later one of two loads to one place wins, whichever way they go; and nothing needs more than `drain`.
TEST_F(value_loads_test, keep_their_order) {
  for (std::uint64_t batch = 0; batch < 300; ++batch) {
    const auto words_read = 1 + batch % 150;
    for (std::uint64_t i = 0; i < words_read; ++i) {
      loads_.add(&memory_[random_word(1000)], &got_[i]);
      loads_.add(&memory_[batch + i], &got_[i]);
    }
    loads_.drain();
    for (std::uint64_t i = 0; i < words_read; ++i)
      ASSERT_EQ(got_[i], 3 * (batch + i) + 1) << "batch " << batch;
  }
  EXPECT_TRUE(loads_.at_once());
}

TEST_F(value_loads_test, have_any_width) {
  const std::uint8_t byte = 1;
  const std::uint16_t half = 2;
  const float number = 3;
  struct alignas(8) pair {
    std::int32_t a, b;
  } const both = {4, 5};
  std::uint8_t byte_out = 0;
  std::uint16_t half_out = 0;
  float number_out = 0;
  pair both_out{};
  for (const bool at_once : {false, true}) {
    EXPECT_EQ(loads_.at_once(), at_once);
    loads_.add(&byte, &byte_out), loads_.add(&half, &half_out);
    loads_.add(&number, &number_out), loads_.add(&both, &both_out);
    loads_.drain();
    EXPECT_EQ(byte_out, 1);
    EXPECT_EQ(half_out, 2);
    EXPECT_EQ(number_out, 3);
    EXPECT_EQ(both_out.b, 5);
    byte_out = 0, half_out = 0, number_out = 0, both_out = {};
    load_from(100, 1000);
  }
}

} // namespace
} // namespace windrow::aggregation
