// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <tuple>

#include "apps/graph500/statistics.hpp"

namespace windrow::apps {
namespace {

TEST(Statistics, OfFewNumbers) {
  const auto s = statistics_of({4, 1, 2});
  EXPECT_EQ(std::tuple(s.min, s.first_quartile, s.median, s.third_quartile, s.max),
            std::tuple(1, 1.5, 2, 3, 4));
  EXPECT_DOUBLE_EQ(s.mean, 7.0 / 3);
  EXPECT_DOUBLE_EQ(s.stddev, std::sqrt((16.0 + 1 + 25) / 9 / 2));
  EXPECT_DOUBLE_EQ(s.harmonic_mean, 3 / 1.75);
  // Inverses 1, 1/2, 1/4: their deviation, over sqrt(2), times the squared mean.
  const double m = 1.75 / 3,
               d = std::sqrt(((1 - m) * (1 - m) + (.5 - m) * (.5 - m) + (.25 - m) * (.25 - m)) / 2);
  EXPECT_DOUBLE_EQ(s.harmonic_stddev, d / std::sqrt(2.0) * s.harmonic_mean * s.harmonic_mean);
}

TEST(Statistics, OfOneNumber) {
  const auto s = statistics_of({5});
  EXPECT_EQ(std::tuple(s.min, s.median, s.max, s.mean, s.stddev), std::tuple(5, 5, 5, 5, 0));
  EXPECT_EQ(std::tuple(s.harmonic_mean, s.harmonic_stddev), std::tuple(5, 0));
}

struct run_result {
  int exit_code; ///< 128 + signal if one ended it
  std::string said;
};

/// Runs the program on `pes` PEs. `arguments` have no characters that are special to a shell.
run_result run(int pes, const std::string& arguments) {
  const auto command =
      fmt::format("exec '{}' run -n {} '{}' {} 2>&1", WINDROW_COMMAND, pes, WINDROW_GRAPH500, arguments);
  FILE* pipe = popen(command.c_str(), "re");
  if (pipe == nullptr) return {-1, "cannot be started"};
  std::string said;
  char buffer[4096];
  while (const auto count = std::fread(buffer, 1, sizeof buffer, pipe)) said.append(buffer, count);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), said};
}

std::map<std::string, double> lines(const std::string& said) {
  std::map<std::string, double> values;
  std::istringstream in(said);
  std::string name;
  for (double value = 0; in >> name >> value;) values[name] = value;
  return values;
}

TEST(Graph500, ReportsInEveryStyle) {
  for (const std::string style : {"blocking", "aggregated", "mailbox", "deferred"}) {
    const auto done = run(2, "--scale 7 --style " + style);
    ASSERT_EQ(done.exit_code, 0) << done.said;
    auto values = lines(done.said);
    EXPECT_EQ(values["SCALE:"], 7);
    EXPECT_EQ(values["edgefactor:"], 16);
    EXPECT_EQ(values["NBFS:"], 64);
    EXPECT_GT(values["max_nedge:"], 1500) << "of 2048";
    EXPECT_GT(values["bfs_harmonic_mean_TEPS:"], values["bfs_min_TEPS:"]);
    EXPECT_LT(values["bfs_harmonic_mean_TEPS:"], values["bfs_max_TEPS:"]);
    EXPECT_EQ(values.size(), 4u + 3 * 7);
  }
}

TEST(Graph500, OfAGraphOfOneVertexHasNothingToSearch) {
  const auto done = run(3, "--scale 0");
  EXPECT_EQ(done.exit_code, 0) << done.said;
  EXPECT_EQ(lines(done.said)["NBFS:"], 0);
}

TEST(Graph500, BadOptionsAreToldOnce) {
  const auto done = run(2, "--scale 99");
  EXPECT_NE(done.exit_code, 0);
  const auto at = done.said.find("--scale");
  ASSERT_NE(at, std::string::npos) << done.said;
  EXPECT_EQ(done.said.find("--scale", at + 1), std::string::npos) << done.said;
}

} // namespace
} // namespace windrow::apps
