// SPDX-License-Identifier: BSD-3-Clause
// Members of an object by one message, and elements of an array in strips.
#include "windrow/pipelined.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "tests/support/pe_test.hpp"
#include "windrow/team.hpp"

namespace windrow::test {
namespace {

struct edge {
  char kind;
  std::int32_t weight;
  double length;
  std::array<char, 100> name;
  std::int64_t next;
};
struct page {
  std::int64_t first;
  std::array<char, 2000> text;
  std::int64_t last;
};

pe_t next_pe() {
  return (the_job().pe() + 1) % the_job().pes();
}
std::uint64_t messages() {
  return the_job().stats().messages;
}

TEST(get_fields, gives_members_in_the_order_in_which_they_are_named) {
  auto& j = the_job();
  const auto edges = j.allocate<edge>(3);
  auto* const mine = j.local(edges.on(j.pe()));
  for (int i = 0; i < 3; ++i) mine[i] = {'k', i + 10 * j.pe(), 0.5, {}, -i};
  j.barrier();
  const auto before = messages();
  const auto [next, kind, weight] =
      get_fields(j, edges.on(next_pe())[2], &edge::next, &edge::kind, &edge::weight);
  const auto sent = messages() - before;
  EXPECT_EQ(next, -2);
  EXPECT_EQ(kind, 'k');
  EXPECT_EQ(weight, 2 + 10 * next_pe());
  EXPECT_EQ(std::get<0>(get_fields(j, edges.on(next_pe())[1], &edge::length)), 0.5);
  EXPECT_LE(sent, 2U) << "a question and an answer, where there are messages";
  j.barrier();
  j.free(edges);
}

TEST(get_fields, reads_members_that_are_far_apart_by_themselves) {
  auto& j = the_job();
  const auto pages = j.allocate<page>(1);
  *j.local(pages.on(j.pe())) = {j.pe(), {}, -j.pe()};
  j.barrier();
  const auto [last, first] = get_fields(j, *pages.on(next_pe()), &page::last, &page::first);
  EXPECT_EQ(first, next_pe());
  EXPECT_EQ(last, -next_pe());
  j.barrier();
  j.free(pages);
}

template <class Layout>
void check_all_ranges(Layout layout, std::uint64_t size) {
  auto& j = the_job();
  auto a = j.array<std::int32_t>(size, layout);
  const auto mine = a.local();
  for (std::size_t k = 0; k < mine.size(); ++k)
    mine[k] = static_cast<std::int32_t>(3 * a.global_index(k) + 1);
  j.barrier();
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1}, size / 3, size - 1, size})
    for (const std::uint64_t last : {first, first + 1, size / 2, size}) {
      if (last > size) continue;
      std::uint64_t expected = first;
      pipelined_get(j, a, first, last, [&](std::uint64_t i, std::int32_t value) {
        ASSERT_EQ(i, expected++);
        ASSERT_EQ(value, static_cast<std::int32_t>(3 * i + 1));
      });
      EXPECT_EQ(expected, std::max(first, last)) << first << " to " << last;
    }
  j.barrier();
  j.free(a);
}

// A strip has 4,096 of these elements.
TEST(pipelined_get, gives_each_element_once_in_order) {
  for (const std::uint64_t size : {5, 4096, 4097, 20'000}) {
    check_all_ranges(block, size);
    check_all_ranges(cyclic, size);
    check_all_ranges(block_cyclic<3>, size);
    check_all_ranges(block_cyclic<5000>, size);
  }
}

TEST(pipelined_get, reads_truth_values) {
  auto& j = the_job();
  auto a = j.array<bool>(100);
  if (j.pe() == 0)
    for (std::uint64_t i = 0; i < a.size(); i += 3) put(j, a[i], true);
  j.barrier();
  pipelined_get(j, a, 0, a.size(), [](std::uint64_t i, bool value) { EXPECT_EQ(value, i % 3 == 0); });
  j.barrier();
  j.free(a);
}

TEST(pipelined_get, lets_exceptions_out) {
  auto& j = the_job();
  auto a = j.array<std::int64_t>(10'000);
  j.barrier();
  std::uint64_t used = 0;
  EXPECT_THROW(pipelined_get(j, a, 0, a.size(),
                             [&](std::uint64_t i, std::int64_t) {
                               used = i;
                               if (i == 3000) throw std::runtime_error("enough");
                             }),
               std::runtime_error);
  EXPECT_EQ(used, 3000U);
  j.barrier();
  j.free(a);
}

// A message for each PE of a strip, in all layouts.
TEST(pipelined_get, needs_few_messages) {
  auto& j = the_job();
  auto a = j.array<std::int32_t>(3 * 4096, cyclic);
  j.barrier();
  const auto before = messages();
  if (j.pe() == 0) pipelined_get(j, a, 0, a.size(), [](std::uint64_t, std::int32_t) {});
  EXPECT_LE(messages() - before, 2U * 3 * static_cast<std::uint64_t>(j.pes()));
  j.barrier();
  j.free(a);
}

} // namespace
} // namespace windrow::test
