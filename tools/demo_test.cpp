// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>

#include "tools/demo_table.hpp"

namespace windrow::tools {
namespace {

const std::vector<apps::result> two{{"histogram", "star", "blocking", 2, 4'000'000, 0.5, 7, 7},
                                    {"histogram", "star", "aggregated", 2, 4'000'000, 0.125, 7, 7}};

/// What `windrow demo` with these arguments printed, errors included, and its exit code.
std::pair<std::string, int> demo(const std::string& arguments) {
  FILE* pipe = popen((std::string(WINDROW_COMMAND) + " demo " + arguments).c_str(), "r");
  std::string text;
  char buffer[4096];
  while (const auto count = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, count);
  const int status = pclose(pipe);
  return {text, WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

TEST(DemoTable, ShowsRatesAndSpeedUp) {
  std::istringstream table(demo_table(two));
  std::string header, rule, blocking, aggregated;
  std::getline(std::getline(std::getline(std::getline(table, header), rule), blocking), aggregated);
  EXPECT_NE(blocking.find("blocking       0.5000           4.0"), std::string::npos) << blocking;
  EXPECT_NE(aggregated.find("aggregated     0.1250          16.0    4.00 x"), std::string::npos)
      << aggregated;
}

TEST(DemoTable, FitsATerminal) {
  auto wide = two[1];
  wide.graph = std::string(300, 'g');
  wide.seconds = 1e-6;
  std::istringstream table(demo_table({two[0], wide}));
  for (std::string line; std::getline(table, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(DemoVerdict, NamesWhatIsWrong) {
  EXPECT_EQ(demo_verdict(two), "All 2 results equal the sequential count.");
  auto results = two;
  results[1].checksum = 6;
  const auto verdict = demo_verdict(results);
  EXPECT_TRUE(verdict.starts_with(
      "These results differ from the sequential count:\n  histogram on star, aggregated, 2"));
  EXPECT_NE(verdict.find("6 instead of 7"), std::string::npos);
}

TEST(Demo, RunsEverythingAndIsRight) {
  const auto [text, code] = demo("--scale 6 2>/dev/null");
  EXPECT_EQ(code, 0);
  EXPECT_NE(text.find("\nAll 24 results equal the sequential count.\n"), std::string::npos) << text;
  EXPECT_NE(text.find("facebook_combined"), std::string::npos);
}

TEST(Demo, PrintsJson) {
  const auto [text, code] = demo("--scale 5 --json 2>/dev/null");
  EXPECT_EQ(code, 0);
  const auto all = nlohmann::json::parse(text);
  EXPECT_EQ(all.at("all_right"), true);
  ASSERT_EQ(all.at("results").size(), 24u);
  for (const auto& one : all.at("results")) EXPECT_EQ(one.at("checksum"), one.at("expected"));
}

TEST(Demo, BadGraphFileIsOneSentence) {
  const auto [text, code] = demo("--graph /nowhere/graph.txt 2>&1");
  EXPECT_NE(code, 0);
  EXPECT_NE(text.find("cannot open the graph file /nowhere/graph.txt: No such file or directory"),
            std::string::npos);
  EXPECT_EQ(text.find('\n'), text.size() - 1) << "one line: " << text;
}

} // namespace
} // namespace windrow::tools
