// SPDX-License-Identifier: BSD-3-Clause
// Loops dealt to PEs against the loop that tests each round.
#include "windrow/forall.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <vector>

namespace windrow {
namespace {

using round_list = std::vector<std::int64_t>;

std::string text_of(index_range loop, affine at, pe_t pes, pe_t pe) {
  return testing::PrintToString(
      std::vector<std::int64_t>{loop.first, loop.last, loop.step, at.scale, at.offset, pes, pe});
}

round_list rounds_in(detail::progression rounds) {
  round_list all;
  for (; rounds.count != 0; rounds.advance()) all.push_back(rounds.index);
  return all;
}

void check_by_remainder(index_range loop, affine at, pe_t pes) {
  for (pe_t pe = 0; pe < pes; ++pe) {
    round_list expected;
    for (auto i = loop.first; i < loop.last; i += loop.step)
      if (((at.scale * i + at.offset) % pes + pes) % pes == pe) expected.push_back(i);
    ASSERT_EQ(rounds_in(detail::rounds_by_remainder(loop, at, pes, pe)), expected)
        << text_of(loop, at, pes, pe);
  }
}

TEST(forall, every_small_loop_by_remainder) {
  for (pe_t pes = 1; pes <= 8; ++pes)
    for (const std::int64_t first : {-7, -1, 0, 3})
      for (const std::int64_t length : {-2, 0, 1, 5, 24})
        for (std::int64_t step = 1; step <= 9; ++step)
          for (std::int64_t scale = -4; scale <= 9; ++scale)
            for (const std::int64_t offset : {-5, 0, 2})
              check_by_remainder({first, first + length, step}, {scale, offset}, pes);
}

// Nothing overflows where the plain loop does not.
TEST(forall, far_numbers) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max(),
                 least = std::numeric_limits<std::int64_t>::min();
  for (const pe_t pes : {1, 3, 8, 4096}) {
    std::uint64_t rounds = 0;
    for (pe_t pe = 0; pe < pes; ++pe) {
      const auto mine = rounds_in(detail::rounds_by_remainder({most - 10, most, 3}, {most, least}, pes, pe));
      rounds += mine.size();
      for (const auto i : mine) {
        __extension__ using wide = __int128;
        const auto value = static_cast<wide>(most) * i + least;
        ASSERT_EQ(static_cast<pe_t>((value % pes + pes) % pes), pe);
      }
    }
    ASSERT_EQ(rounds, 4U);
  }
}

template <class Distribution>
std::vector<std::pair<std::int64_t, std::uint64_t>> owned(index_range loop, affine at, std::uint64_t size,
                                                          pe_t pes, pe_t pe) {
  using layout = typename Distribution::layout;
  detail::owned_rounds<layout> rounds(loop, at, layout(size, pes), pe);
  std::vector<std::pair<std::int64_t, std::uint64_t>> all;
  for (auto some = rounds.next(); some.count != 0; some = rounds.next())
    for (; some.count != 0; some.advance()) all.emplace_back(some.index, some.place);
  return all;
}

template <class Distribution>
void check_elements_of(index_range loop, affine at, std::uint64_t size, pe_t pes) {
  const array<int, Distribution> a(size, pes, global_ptr<int>(0, 0), nullptr);
  for (pe_t pe = 0; pe < pes; ++pe) {
    std::vector<std::pair<std::int64_t, std::uint64_t>> expected;
    for (auto i = loop.first; i < loop.last; i += loop.step) {
      const auto element = static_cast<std::uint64_t>(at.scale * i + at.offset);
      if (a.owner(element) == pe) expected.emplace_back(i, a.local_index(element));
    }
    ASSERT_EQ((owned<Distribution>(loop, at, size, pes, pe)), expected)
        << size << ' ' << text_of(loop, at, pes, pe);
  }
}

void check_layouts(index_range loop, affine at, std::uint64_t size, pe_t pes) {
  check_elements_of<block_distribution>(loop, at, size, pes);
  check_elements_of<cyclic_distribution>(loop, at, size, pes);
  check_elements_of<block_cyclic_distribution<1>>(loop, at, size, pes);
  check_elements_of<block_cyclic_distribution<2>>(loop, at, size, pes);
  check_elements_of<block_cyclic_distribution<5>>(loop, at, size, pes);
}

// The smallest and the largest array that has all elements of the loop, and with elements below them.
void check_arrays(index_range loop, std::int64_t scale, pe_t pes) {
  const auto rounds = static_cast<std::int64_t>(detail::rounds_of(loop));
  const auto first = scale * loop.first, last = scale * (loop.first + (rounds - 1) * loop.step);
  const auto low = rounds == 0 ? 0 : std::min(first, last), high = rounds == 0 ? 0 : std::max(first, last);
  for (const std::int64_t below : {0, 3})
    for (const std::int64_t above : {0, 1, 11})
      check_layouts(loop, {scale, below - low}, static_cast<std::uint64_t>(high - low + 1 + below + above),
                    pes);
}

TEST(forall, every_small_loop_over_arrays) {
  for (const pe_t pes : {1, 2, 3, 4, 7, 9})
    for (const std::int64_t first : {-3, 0, 2})
      for (const std::int64_t length : {0, 1, 7, 23})
        for (const std::int64_t step : {1, 2, 3, 6})
          for (const std::int64_t scale : {-3, -1, 0, 1, 2, 5})
            check_arrays({first, first + length, step}, scale, pes);
}

TEST(forall, random_loops_over_arrays) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 3'000; ++i) {
    const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
    const auto first = below(200) - 100;
    check_arrays({first, first + below(300), 1 + below(20)}, below(40) - 20,
                 static_cast<pe_t>(1 + below(12)));
  }
}

} // namespace
} // namespace windrow
