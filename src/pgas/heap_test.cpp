// SPDX-License-Identifier: BSD-3-Clause
#include "pgas/heap.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <random>
#include <utility>

namespace windrow::pgas {
namespace {

/// Hole by hole, by looking at everything: what `heap` should know.
class oracle {
 public:
  explicit oracle(std::size_t bytes) : bytes_(bytes) {}

  /// True if [offset, offset + size) lies in the segment and overlaps nothing.
  bool add(std::uint64_t offset, std::size_t size) {
    if (offset + size > bytes_) return false;
    for (const auto& [other, other_size] : used_)
      if (offset < other + other_size && other < offset + size) return false;
    used_[offset] = size;
    return true;
  }
  void remove(std::uint64_t offset) { used_.erase(offset); }
  bool has_room_behind(std::uint64_t offset, std::size_t size) const {
    const auto next = used_.upper_bound(offset);
    return offset + size <= (next == used_.end() ? bytes_ : next->first);
  }
  void resize(std::uint64_t offset, std::size_t size) { used_[offset] = size; }

  bool has_room(std::size_t size, std::size_t alignment) const {
    std::uint64_t begin = 0;
    for (const auto& [offset, used] : used_) {
      if (fits(begin, offset, size, alignment)) return true;
      begin = offset + used;
    }
    return fits(begin, bytes_, size, alignment);
  }

  const std::map<std::uint64_t, std::size_t>& used() const { return used_; }

 private:
  static bool fits(std::uint64_t begin, std::uint64_t end, std::size_t size, std::size_t alignment) {
    begin = (begin + alignment - 1) / alignment * alignment;
    return begin + size <= end;
  }

  std::size_t bytes_;
  std::map<std::uint64_t, std::size_t> used_;
};

std::size_t rounded_up(std::size_t size) {
  return std::max<std::size_t>(1, (size + heap::granule - 1) / heap::granule) * heap::granule;
}

class random_heap_test : public testing::TestWithParam<std::uint64_t> {};

// Against an oracle: no overlap, right alignment, no refusal while there is room, everything joined again at
// the end.
TEST_P(random_heap_test, agrees_with_an_oracle) {
  SCOPED_TRACE(testing::Message() << "seed " << GetParam());
  std::mt19937_64 random(GetParam());
  constexpr std::size_t bytes = 8 << 20;
  heap h(bytes);
  oracle expected(bytes);
  std::size_t in_use = 0;
  int refused = 0;
  for (int step = 0; step < 3000; ++step) {
    if (random() % 5 < 3) {
      const auto size = static_cast<std::size_t>(random() >> (63 - random() % 20));
      const auto alignment = std::size_t{1} << (random() % 4 != 0 ? random() % 8 : random() % 22);
      const auto rounded = rounded_up(size);
      const auto offset = h.allocate(size, alignment);
      ASSERT_EQ(offset.has_value(), expected.has_room(rounded, std::max(alignment, heap::granule)))
          << "step " << step;
      refused += !offset;
      if (!offset) continue;
      ASSERT_EQ(*offset % alignment, 0u);
      ASSERT_EQ(h.size_at(*offset), rounded);
      ASSERT_TRUE(expected.add(*offset, rounded)) << "step " << step << ": overlap at " << *offset;
      in_use += rounded;
    } else if (!expected.used().empty()) {
      const auto chosen =
          *std::next(expected.used().begin(), static_cast<std::ptrdiff_t>(random() % expected.used().size()));
      if (random() % 3 == 0) {
        const auto size = static_cast<std::size_t>(random() >> (63 - random() % 20));
        const bool fits = expected.has_room_behind(chosen.first, rounded_up(size));
        ASSERT_EQ(h.resize(chosen.first, size), fits) << "step " << step;
        ASSERT_FALSE(h.resize(chosen.first + 1, size));
        if (!fits) continue;
        ASSERT_EQ(h.size_at(chosen.first), rounded_up(size));
        expected.resize(chosen.first, rounded_up(size));
        in_use += rounded_up(size) - chosen.second;
        ASSERT_GE(h.used_up_to(), chosen.first + rounded_up(size));
        ASSERT_EQ(h.in_use(), in_use);
        continue;
      }
      ASSERT_FALSE(h.release(chosen.first + 1));
      ASSERT_TRUE(h.release(chosen.first));
      ASSERT_FALSE(h.release(chosen.first));
      ASSERT_FALSE(h.size_at(chosen.first));
      expected.remove(chosen.first);
      in_use -= chosen.second;
    }
    ASSERT_EQ(h.in_use(), in_use);
    ASSERT_LE(h.in_use() + h.largest_free(), bytes);
  }
  EXPECT_GT(refused, 0) << "the heap never ran full: the test is too weak";
  while (!expected.used().empty()) {
    const auto offset = expected.used().begin()->first;
    ASSERT_TRUE(h.release(offset));
    expected.remove(offset);
  }
  EXPECT_EQ(h.in_use(), 0u);
  EXPECT_EQ(h.largest_free(), bytes);
}

INSTANTIATE_TEST_SUITE_P(seeds, random_heap_test, testing::Range<std::uint64_t>(1, 21));

TEST(heap_test, gives_zero_bytes_an_offset_of_their_own) {
  heap h(1024);
  const auto a = h.allocate(0, 1);
  const auto b = h.allocate(0, 1);
  ASSERT_TRUE(a && b);
  EXPECT_NE(*a, *b);
  EXPECT_EQ(h.in_use(), 2 * heap::granule);
}

TEST(heap_test, can_be_filled_to_the_last_byte) {
  heap h(4096);
  EXPECT_EQ(h.allocate(4096, 4096), 0u);
  EXPECT_EQ(h.largest_free(), 0u);
  EXPECT_FALSE(h.allocate(0, 1));
  EXPECT_TRUE(h.release(0));
  EXPECT_EQ(h.largest_free(), 4096u);
}

TEST(heap_test, refuses_absurd_sizes) {
  heap h(4096);
  EXPECT_FALSE(h.allocate(4097, 1));
  EXPECT_FALSE(h.allocate(~std::size_t{0}, 1));
  EXPECT_FALSE(h.allocate(~std::size_t{0} - 64, heap::max_alignment));
  EXPECT_FALSE(heap(0).allocate(0, 1));
}

TEST(heap_test, finds_an_aligned_hole_that_only_just_fits) {
  heap h(4 * heap::max_alignment);
  ASSERT_EQ(h.allocate(64, 64), 0u);
  EXPECT_EQ(h.allocate(3 * heap::max_alignment, heap::max_alignment), heap::max_alignment);
}

TEST(heap_death_test, names_a_wrong_alignment) {
  heap h(4096);
  EXPECT_EXIT(h.allocate(8, 3), testing::ExitedWithCode(1),
              "allocate: alignment 3 is not a power of two up to 2 MiB");
  EXPECT_EXIT(h.allocate(8, 0), testing::ExitedWithCode(1), "alignment 0 ");
  EXPECT_EXIT(h.allocate(8, heap::max_alignment * 2), testing::ExitedWithCode(1), "alignment 4194304 ");
}

} // namespace
} // namespace windrow::pgas
