// SPDX-License-Identifier: BSD-3-Clause
// Starts the runner as the bench does: real graphs, bad input, bad options.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "apps/graph/generate.hpp"
#include "apps/kernels/table.hpp"
#include "apps/runner/start.hpp"

namespace windrow::apps {
namespace {

runner_outcome run(const std::string& pes, const std::vector<std::string>& arguments,
                   const std::vector<std::string>& environment = {}) {
  return run_to_end({WINDROW_COMMAND, WINDROW_RUNNER, pes, arguments, environment});
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(RunnerProgram, RunsEveryKernelInEveryStyle) {
  const auto done = run("3", {"--scale", "6", "--repeats", "2"});
  EXPECT_EQ(done.exit_code, 0) << done.said;
  EXPECT_EQ(done.said, "");
  EXPECT_TRUE(done.complete());
  std::size_t expected = 0;
  for (const auto& entry : kernels()) expected += entry.styles.size();
  ASSERT_EQ(done.results.size(), expected);
  for (const auto& r : done.results) {
    EXPECT_TRUE(r.is_right()) << describe(r);
    EXPECT_EQ(r.seconds.size(), 2u);
    EXPECT_EQ(r.graph, "R-MAT scale 6");
  }
}

TEST(RunnerProgram, CountsTheTrianglesOfARealGraph) {
  const auto done = run("2", {"--graph", WINDROW_REAL_GRAPH, "--kernels", "triangles", "--repeats", "1"});
  EXPECT_EQ(done.exit_code, 0) << done.said;
  ASSERT_EQ(done.results.size(), find_kernel("triangles")->styles.size());
  for (const auto& r : done.results) EXPECT_EQ(r.checksum, 1'612'010u) << r.style;
}

TEST(RunnerProgram, SweepsSmallGraphsUntilThereIsEnoughToDo) {
  const auto done = run("3", {"--scale", "4", "--kernels", "histogram,index_gather", "--styles", "aggregated",
                              "--operations", "10000", "--repeats", "1"});
  EXPECT_EQ(done.exit_code, 0) << done.said;
  ASSERT_EQ(done.results.size(), 2u);
  for (const auto& r : done.results) EXPECT_GE(r.operations, 10'000u);
}

// A delay changes when things arrive and nothing else: results, round trips and operations that travel are
// the same.
TEST(RunnerProgram, DelayChangesNoResultAndNoCount) {
  const std::vector<std::string> arguments{"--scale", "4", "--edges-per-vertex", "4", "--repeats", "1"};
  const auto undelayed = run("2", arguments, {"WINDROW_DELAY=0"});
  const auto delayed = run("2", arguments, {"WINDROW_DELAY=20us"});
  EXPECT_EQ(undelayed.exit_code, 0) << undelayed.said;
  EXPECT_EQ(delayed.exit_code, 0) << delayed.said;
  ASSERT_EQ(delayed.results.size(), undelayed.results.size());
  std::uint64_t blocking_trips = 0, aggregated_trips = 0;
  for (std::size_t k = 0; k < delayed.results.size(); ++k) {
    const auto& r = delayed.results[k];
    EXPECT_TRUE(r.is_right()) << describe(r);
    EXPECT_EQ(r.checksum, undelayed.results[k].checksum) << describe(r);
    (r.style == "blocking" ? blocking_trips : aggregated_trips) += r.moved.round_trips;
    // The slowest PE made at least its share of the round trips, two ways each.
    const auto least = static_cast<double>(r.moved.round_trips) / r.pes * 2 * 20e-6;
    for (const auto seconds : r.seconds) EXPECT_GE(seconds, least) << describe(r);
    if (r.kernel == "histogram" || r.kernel == "index_gather") {
      EXPECT_EQ(r.moved.round_trips, undelayed.results[k].moved.round_trips) << describe(r);
      EXPECT_EQ(r.moved.items, undelayed.results[k].moved.items) << describe(r);
    }
  }
  EXPECT_GT(blocking_trips, 100u);
  EXPECT_LT(aggregated_trips, blocking_trips / 10);
}

TEST(RunnerProgram, BadGraphIsOneSentence) {
  const auto folder = std::filesystem::path(testing::TempDir()) / fmt::format("windrow runner {}", getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "malformed.txt") << "0 1\n0 x\n";
  std::filesystem::create_symlink("loop.txt", folder / "loop.txt");
  std::ofstream(folder / "huge.mtx") << "%%MatrixMarket matrix coordinate pattern "
                                        "general\n18446744073709551615 18446744073709551615 1\n1 1\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {(folder / "malformed.txt").string(), "malformed.txt, line 2: expected two vertex ids"},
      {(folder / "loop.txt").string(), "loop.txt: Too many levels of symbolic links"},
      {(folder / std::string(300, 'x')).string(), "cannot open the graph file"},
      {(folder / "huge.mtx").string(), "PE 0 has not enough memory"},
      {(folder / "missing.txt").string(), "cannot open the graph file"}};
  for (const auto& [file, sentence] : cases) {
    const auto done = run("3", {"--graph", file});
    EXPECT_NE(done.exit_code, 0);
    EXPECT_FALSE(done.complete());
    EXPECT_EQ(count(done.said, sentence), 1u) << done.said;
  }
  std::filesystem::remove_all(folder);
}

// Before, `env` took the command for one more variable.
TEST(RunnerProgram, APathWithAnEqualsSign) {
  const auto folder = std::filesystem::path(testing::TempDir()) / fmt::format("windrow a=b {}", getpid());
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(WINDROW_COMMAND, folder / "windrow");
  std::filesystem::create_symlink(WINDROW_RUNNER, folder / "kernels");
  const auto done = run_to_end({folder / "windrow",
                                folder / "kernels",
                                "2",
                                {"--kernels", "triangles", "--scale", "4", "--repeats", "1"},
                                {"WINDROW_DELAY=1us"}});
  std::filesystem::remove_all(folder);
  EXPECT_EQ(done.exit_code, 0) << done.said;
  EXPECT_TRUE(done.complete());
}

// Before, the runner ended with what the library of JSON says.
TEST(RunnerProgram, ANameThatIsNotUtf8) {
  const auto file = std::filesystem::path(testing::TempDir()) / fmt::format("\xff{}.txt", getpid());
  std::ofstream(file) << "0 1\n1 2\n2 0\n";
  const auto done =
      run("1", {"--graph", file, "--kernels", "triangles", "--styles", "mailbox", "--repeats", "1"});
  std::filesystem::remove(file);
  EXPECT_EQ(done.exit_code, 0) << done.said;
  ASSERT_EQ(done.results.size(), 1u);
  EXPECT_EQ(done.results[0].graph, fmt::format("\xef\xbf\xbd{}", getpid()));
}

TEST(RunnerProgram, EveryGenerator) {
  for (const auto name : graph::generator_names) {
    const auto done = run("2", {"--generate", std::string(name), "--scale", "6", "--kernels", "triangles",
                                "--repeats", "1", "--styles", "mailbox"});
    EXPECT_EQ(done.exit_code, 0) << done.said;
    ASSERT_EQ(done.results.size(), 1u);
    EXPECT_TRUE(done.results[0].is_right());
  }
}

// Before, each PE took what it got of the pipe for the whole graph, and the sequential program did the same.
TEST(RunnerProgram, AGraphFromAPipe) {
  const auto pipe =
      std::filesystem::path(testing::TempDir()) / fmt::format("windrow runner pipe {}", getpid());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&pipe] {
    std::ofstream out(pipe);
    for (int v = 0; v < 30'000; ++v) out << v << ' ' << v + 1 << '\n' << v << ' ' << v + 2 << '\n';
  });
  const auto done = run(
      "3", {"--graph", pipe.string(), "--kernels", "triangles", "--styles", "blocking", "--repeats", "1"});
  writer.join();
  std::filesystem::remove(pipe);
  EXPECT_EQ(done.exit_code, 0) << done.said;
  ASSERT_EQ(done.results.size(), 1u);
  EXPECT_EQ(done.results[0].checksum, 30'000u - 1);
}

TEST(RunnerProgram, BadOptionsAreToldOnce) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--styles", "fast"}, "--styles"},
      {{"--kernels", "sort"}, "--kernels"},
      {{"--scale", "99"}, "--scale"},
      {{"--repeats", "0"}, "--repeats"},
      {{"--operations", "x"}, "--operations"},
      {{"--graph", ""}, "--graph: the name of the file is empty"},
      {{"--sequences", ""}, "--sequences: the name of the file is empty"},
      {{"--sequences", "/dev/null"}, "--sequences: /dev/null is no regular file"},
      {{"--format", "csv"}, "--format"},
      {{"--generate", "torus"}, "--generate"},
      {{"--nonsense"}, "--nonsense"},
      {{"--kernels", "histogram", "--styles", "deferred"}, "none of the chosen kernels"}};
  for (const auto& [arguments, name] : cases) {
    const auto done = run("2", arguments);
    EXPECT_NE(done.exit_code, 0) << name;
    EXPECT_EQ(count(done.said, name), 1u) << done.said;
  }
}

TEST(RunnerProgram, HelpListsTheKernels) {
  const auto done = run("2", {"--help"});
  EXPECT_EQ(done.exit_code, 0);
  for (const auto& entry : kernels())
    EXPECT_EQ(count(done.said, fmt::format("  {:<20}{}", entry.name, entry.about)), 1u);
}

} // namespace
} // namespace windrow::apps
