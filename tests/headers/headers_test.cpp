// SPDX-License-Identifier: BSD-3-Clause
// Two files of one program include everything: what is defined in a header must be inline.
#include <gtest/gtest.h>

#include <string>

#include "windrow/windrow.hpp"

const char* version_seen_by_second_user();

TEST(headers, version_is_that_of_the_project) {
  const auto from_numbers = std::to_string(WINDROW_VERSION_MAJOR) + "." +
                            std::to_string(WINDROW_VERSION_MINOR) + "." +
                            std::to_string(WINDROW_VERSION_PATCH);
  EXPECT_STREQ(WINDROW_VERSION, WINDROW_PROJECT_VERSION);
  EXPECT_EQ(from_numbers, WINDROW_PROJECT_VERSION);
}

TEST(headers, may_be_included_by_several_files) {
  EXPECT_STREQ(version_seen_by_second_user(), WINDROW_VERSION);
}
