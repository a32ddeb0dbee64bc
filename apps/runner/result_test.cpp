// SPDX-License-Identifier: BSD-3-Clause
#include "apps/runner/result.hpp"

#include <gtest/gtest.h>

namespace windrow::apps {
namespace {

result sample() {
  result r;
  r.kernel = "triangles";
  r.style = "blocking";
  r.graph = "star";
  r.pes = 2;
  r.operations = 4'000'000;
  r.seconds = {0.9, 0.5, 0.4};
  r.sequential_seconds = 1.5;
  r.checksum = r.expected = ~std::uint64_t{0};
  r.moved = {1, 2, 3, 4, 5};
  r.joules = {{"cpu", 2.5}};
  return r;
}

TEST(Result, SurvivesJson) {
  const auto r = sample();
  EXPECT_EQ(json::parse(json(r).dump()).get<result>(), r);
}

TEST(Result, RatesComeFromTheMedian) {
  EXPECT_EQ(sample().median_seconds(), 0.5);
  EXPECT_DOUBLE_EQ(sample().million_operations_per_second_and_pe(), 4.0);
  EXPECT_EQ(sample().best_seconds(), 0.4);
  EXPECT_EQ(result().best_seconds(), 0);
  EXPECT_EQ(result().median_seconds(), 0);
  EXPECT_EQ(result().million_operations_per_second_and_pe(), 0);
}

TEST(Result, SaysWhatIsWrong) {
  auto r = sample();
  EXPECT_EQ(describe(r), "triangles on star, blocking, 2 PEs: equal to the sequential program");
  r.expected = 5;
  r.checksum = 4;
  EXPECT_TRUE(describe(r).ends_with("WRONG: checksum 4 instead of 5"));
}

} // namespace
} // namespace windrow::apps
