// SPDX-License-Identifier: BSD-3-Clause
// Runs the kernel programs as users do, on graphs that are awkward in different ways.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>

#include "apps/graph/read.hpp"
#include "apps/graph/rmat.hpp"
#include "apps/graph/sequential.hpp"
#include "apps/support/kernel_run.hpp"

namespace windrow::apps {
namespace {

const std::string programs = WINDROW_KERNELS;

/// Graph files for all tests of this program.
class graph_files : public testing::Environment {
 public:
  void SetUp() override {
    std::filesystem::create_directories(folder());
    write("empty", "# no edges\n");
    write("self_loop", "7 7\n");
    write("path", edges(10, [](int i) { return fmt::format("{} {}\n", i, i + 1); }));
    write("star", edges(40, [](int i) { return fmt::format("0 {}\r\n", i + 1); }));
    write("triangles_twice", "1 2\n2 3\n3 1\n1 3\n3 3\n8589934592 1\n8589934592 2\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder()); }

  static std::string path(const std::string& name) { return folder() + "/" + name + ".txt"; }
  static void write(const std::string& name, const std::string& text) {
    std::ofstream(path(name), std::ios::binary) << text;
  }

 private:
  static std::string folder() { return fmt::format("{}/windrow kernels {}", testing::TempDir(), getpid()); }
  static std::string edges(int count, auto line) {
    std::string text;
    for (int i = 0; i < count; ++i) text += line(i);
    return text;
  }
};

const auto* const files = testing::AddGlobalTestEnvironment(new graph_files);

kernel_run run(const std::string& kernel, int pes, const std::vector<std::string>& arguments) {
  return run_kernel(WINDROW_COMMAND, programs + "/" + kernel, pes, arguments);
}

std::uint64_t sequential(const std::string& kernel, const graph::edge_list& graph) {
  if (kernel == "triangles") return graph::triangles(graph);
  const auto degrees = graph::in_degrees(graph);
  return graph::position_checksum(kernel == "histogram" ? degrees : graph::gather_targets(graph, degrees));
}

struct input {
  std::string name;
  std::vector<std::string> arguments;
  graph::edge_list graph;
};

input make_input(const std::string& name) {
  if (name == "rmat") return {name, {"--scale", "7", "--seed", "3"}, graph::rmat{7, 16, 3}.generate()};
  const auto path = name == "facebook" ? WINDROW_REAL_GRAPH : graph_files::path(name);
  return {name, {"--graph", path}, graph::read(path)};
}

class Kernel : public testing::TestWithParam<std::tuple<std::string, std::string, int>> {};

TEST_P(Kernel, EqualsTheSequentialCountInBothStyles) {
  const auto& [kernel, name, pes] = GetParam();
  auto in = make_input(name);
  for (const std::string style : {"blocking", "aggregated"}) {
    auto arguments = in.arguments;
    arguments.insert(arguments.end(), {"--style", style, "--repeats", "2"});
    const auto done = run(kernel, pes, arguments);
    EXPECT_EQ(done.exit_code, 0) << done.said;
    EXPECT_EQ(done.said, "");
    ASSERT_TRUE(done.found);
    EXPECT_EQ(done.found->expected, sequential(kernel, in.graph));
    EXPECT_EQ(done.found->checksum, done.found->expected);
    EXPECT_EQ(std::tuple(done.found->kernel, done.found->style, done.found->pes),
              std::tuple(kernel, style, pes));
    if (kernel != "triangles") {
      EXPECT_EQ(done.found->operations, in.graph.edges.size());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Kernel,
                         testing::Combine(testing::Values("histogram", "index_gather", "triangles"),
                                          testing::Values("rmat", "facebook", "empty", "self_loop", "path",
                                                          "star", "triangles_twice"),
                                          testing::Values(1, 2, 3, 4, 8)),
                         [](const auto& tested) {
                           return fmt::format("{}_{}_{}", std::get<0>(tested.param),
                                              std::get<1>(tested.param), std::get<2>(tested.param));
                         });

TEST(KernelProgram, CountsTheTrianglesOfARealGraph) {
  EXPECT_EQ(run("triangles", 2, {"--graph", WINDROW_REAL_GRAPH}).found.value().checksum, 1'612'010u);
}

TEST(KernelProgram, SweepsSmallGraphsUntilThereIsEnoughToDo) {
  for (const auto* kernel : {"histogram", "index_gather"}) {
    const auto done = run(kernel, 3, {"--graph", graph_files::path("path"), "--operations", "1000"});
    EXPECT_EQ(done.exit_code, 0) << done.said;
    EXPECT_EQ(done.found.value().operations, 334u * 10) << "3 of 10 edges are the fewest on a PE";
  }
}

TEST(KernelProgram, BadGraphIsOneSentence) {
  graph_files::write("malformed", "0 1\n0 x\n");
  for (const auto* kernel : {"histogram", "index_gather", "triangles"}) {
    for (const std::string name : {"malformed", "missing"}) {
      const auto done = run(kernel, 3, {"--graph", graph_files::path(name)});
      EXPECT_NE(done.exit_code, 0);
      EXPECT_FALSE(done.found);
      const auto sentence = name == "missing"
                                ? std::string("cannot open the graph file ") + graph_files::path(name)
                                : graph_files::path(name) + ", line 2: expected two vertex ids";
      const auto at = done.said.find(sentence);
      ASSERT_NE(at, std::string::npos) << done.said;
      EXPECT_EQ(done.said.find(sentence, at + 1), std::string::npos) << "said more than once: " << done.said;
    }
  }
}

TEST(KernelProgram, BadOptionsAreToldOnce) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--style", "fast"}, "--style"},        {{"--scale", "99"}, "--scale"},
      {{"--scale", "-1"}, "--scale"},          {{"--repeats", "0"}, "--repeats"},
      {{"--operations", "x"}, "--operations"}, {{"--nonsense"}, "--nonsense"}};
  for (const auto& [arguments, name] : cases) {
    const auto done = run("histogram", 2, arguments);
    EXPECT_NE(done.exit_code, 0) << name;
    const auto at = done.said.find(name);
    ASSERT_NE(at, std::string::npos) << done.said;
    EXPECT_EQ(done.said.find(name, at + name.size()), std::string::npos) << done.said;
  }
}

TEST(KernelProgram, HelpExplainsItself) {
  const auto done = run("triangles", 2, {"--help"});
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_EQ(done.said.find("Triangle counting:"), 0u) << done.said;
  EXPECT_EQ(done.said.find("Triangle counting:", 1), std::string::npos);
}

} // namespace
} // namespace windrow::apps
