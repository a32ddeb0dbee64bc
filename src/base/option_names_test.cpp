// SPDX-License-Identifier: BSD-3-Clause
#include "base/option_names.hpp"

#include <gtest/gtest.h>

namespace windrow::base {
namespace {

TEST(option_names_test, names_near_one_are_meant_to_be_it) {
  EXPECT_EQ(meant_option("WINDROW_DELY"), "WINDROW_DELAY");
  EXPECT_EQ(meant_option("WINDROW_DEALY"), "WINDROW_DELAY");
  EXPECT_EQ(meant_option("WINDROW_STAT"), "WINDROW_STATS");
  EXPECT_EQ(meant_option("WINDROW_SYMETRIC_SIZE"), "WINDROW_SYMMETRIC_SIZE");
  EXPECT_EQ(meant_option("WINDROW_STAL_SECOND"), "WINDROW_STALL_SECONDS");
}

TEST(option_names_test, others_are_not) {
  for (const auto name : option_names) EXPECT_EQ(meant_option(name), "");
  for (const auto* name :
       {"WINDROW_ROOT", "WINDROW_DIR", "WINDROW_", "WINDROW_SIMULATOR", "WINDROW_TEST_SEEDS"})
    EXPECT_EQ(meant_option(name), "") << name;
}

} // namespace
} // namespace windrow::base
