// SPDX-License-Identifier: BSD-3-Clause
#include "apps/support/command_line.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace windrow::apps {
namespace {

/// What is said of the arguments of a program with one option of each kind; empty if they are right.
class CommandLine : public testing::Test {
 protected:
  std::string said_of(std::initializer_list<const char*> arguments) {
    command_line line("a test", "test");
    line.add("--steps", &steps_);
    line.add("--every", &every_).positive();
    line.add("--growth", &growth_).in(0.0, 1.0);
    line.add("--quiet", &quiet_).not_negative();
    line.add("--sizes", &sizes_).with_commas();
    line.require([this] { return every_ > steps_ ? "--every: not more than --steps" : ""; });
    std::vector<std::string> words{"test"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (auto& w : words) pointers.push_back(w.data());
    testing::internal::CaptureStderr();
    const int code = line.parse(static_cast<int>(pointers.size()), pointers.data());
    auto said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(code < 0, said.empty());
    return said.substr(0, said.find('\n'));
  }

  std::uint64_t steps_ = 10, every_ = 2;
  double growth_ = 0.5, quiet_ = 0;
  std::vector<std::uint64_t> sizes_;
};

TEST_F(CommandLine, TakesWhatFits) {
  EXPECT_EQ(said_of({"--steps", "18446744073709551615", "--every", "3", "--growth", "1e-3", "--quiet", "0",
                     "--sizes", "1,2"}),
            "");
  EXPECT_EQ(steps_, 18446744073709551615u);
  EXPECT_EQ(growth_, 1e-3);
  EXPECT_EQ(sizes_, (std::vector<std::uint64_t>{1, 2}));
}

// Before, -1 was the largest number, and a NaN in every range.
TEST_F(CommandLine, RefusesWhatItsPlaceCannotHold) {
  EXPECT_EQ(said_of({"--steps", "-1"}), "--steps: Value -1 is not 0 or more");
  EXPECT_EQ(said_of({"--sizes", "3,-1"}), "--sizes: Value -1 is not 0 or more");
  EXPECT_EQ(said_of({"--growth", "nan"}), "--growth: Value nan is not finite");
  EXPECT_EQ(said_of({"--quiet", "inf"}), "--quiet: Value inf is not finite");
  EXPECT_EQ(said_of({"--quiet", "-1"}), "--quiet: Value -1 is not 0 or more");
  EXPECT_EQ(said_of({"--every", "0"}), "--every: Value 0 is not more than 0");
}

TEST_F(CommandLine, RefusesOptionsThatDoNotGoTogether) {
  EXPECT_EQ(said_of({"--steps", "1"}), "--every: not more than --steps");
}

} // namespace
} // namespace windrow::apps
