// SPDX-License-Identifier: BSD-3-Clause
// Programs side by side, of which one fails.
#include "tools/side_job.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "windrow/error.hpp"

namespace windrow::tools {
namespace {

void hear_nothing(const std::string&) {}

TEST(SideJob, IsAskedAgainWhenItMissedTheFirstRequestToEnd) {
  const auto ready = testing::TempDir() + "side_job_" + std::to_string(::getpid());
  side_job failing({"sh", "-c", "until [ -e " + ready + " ]; do sleep 0.01; done; exit 3"}, hear_nothing);
  side_job deaf_at_first(
      {"sh", "-c", "trap 'trap - TERM' TERM; touch " + ready + "; while :; do sleep 0.01; done"},
      hear_nothing);
  EXPECT_THROW(run_side_by_side(failing, deaf_at_first), error);
  EXPECT_EQ(deaf_at_first.wait(), 128 + 15);
  ::unlink(ready.c_str());
}

TEST(SideJob, ItsLinesAreHeard) {
  std::vector<std::string> lines;
  side_job one({"sh", "-c", "echo a; echo b"}, [&lines](const std::string& line) { lines.push_back(line); });
  side_job other({"true"}, hear_nothing);
  run_side_by_side(one, other);
  EXPECT_EQ(lines, (std::vector<std::string>{"a", "b"}));
}

} // namespace
} // namespace windrow::tools
