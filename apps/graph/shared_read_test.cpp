// SPDX-License-Identifier: BSD-3-Clause
// Files that several PEs read: the same graph, or the same error, as one process finds.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "apps/graph/read.hpp"
#include "tests/support/pe_test.hpp"
#include "tests/support/shared_file.hpp"
#include "windrow/error.hpp"

namespace windrow::graph {
namespace {

using test::the_job;

struct outcome {
  edge_list graph;
  std::string problem;
};

template <class Read>
outcome outcome_of(Read read) {
  try {
    return {read(), ""};
  } catch (const error& e) {
    return {{}, e.what()};
  }
}

void expect_same(const graph_file& file, const std::string& what) {
  const auto alone = outcome_of([&] { return read(file); });
  const auto together = outcome_of([&] { return read(the_job(), file); });
  EXPECT_EQ(together.problem, alone.problem) << what;
  EXPECT_EQ(together.graph.vertices, alone.graph.vertices) << what;
  EXPECT_EQ(together.graph.edges, alone.graph.edges) << what;
  EXPECT_EQ(together.graph.weights, alone.graph.weights) << what;
  EXPECT_EQ(together.graph.has_rounded_weights, alone.graph.has_rounded_weights) << what;
}

/// Text of a random file, the same on all PEs.
class random_text {
 public:
  explicit random_text(unsigned seed) : random_(seed), vertices_(1 + below(60)) {
    edges_.resize(below(200));
    for (auto& e : edges_) e = {below(vertices_), below(vertices_)};
  }

  std::string edge_lines() {
    const bool has_weights = below(2) == 0;
    std::string text = "% head\n";
    for (const auto& e : edges_) {
      text += fmt::format("{}{}{}", e.from * 1000, below(2) == 0 ? "\t" : " , ", e.to * 1000);
      text += has_weights ? fmt::format(" {}", below(9)) : "";
      text += line_end();
    }
    return text;
  }
  std::string matrix() {
    const bool is_general = below(2) == 0;
    auto text = fmt::format("%%MatrixMarket matrix coordinate pattern {}\n{} {} {}\n",
                            is_general ? "general" : "symmetric", vertices_, vertices_, edges_.size());
    for (auto e : edges_) {
      if (!is_general && e.from < e.to) std::swap(e.from, e.to);
      text += fmt::format("{} {}{}", e.from + 1, e.to + 1, line_end());
    }
    return text;
  }
  std::string metis() {
    std::string lines;
    const auto simple = simple_undirected({vertices_, edges_});
    for (vertex v = 0; v < vertices_; ++v) {
      for (const auto& e : simple.edges)
        if (e.from == v || e.to == v) lines += fmt::format("{} ", 1 + (e.from == v ? e.to : e.from));
      lines += below(5) == 0 ? "\n%\n" : "\n";
    }
    return fmt::format("{} {}\n{}", vertices_, simple.edges.size(), lines);
  }
  /// One byte is another one, or the end is missing.
  std::string damaged(std::string text) {
    if (text.empty()) return text;
    if (below(3) == 0) return text.substr(0, below(text.size()));
    text[below(text.size())] = "0123456789 \n-%#x."[below(17)];
    return text;
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  std::string line_end() { return below(9) == 0 ? "\n\n" : below(9) == 0 ? "\r\n# \n" : "\n"; }

  std::mt19937_64 random_;
  vertex vertices_;
  std::vector<edge> edges_;
};

TEST(ReadTogether, RandomFilesAndDamagedOnes) {
  const test::shared_file file(".txt");
  for (unsigned seed = 1; seed <= 60; ++seed) {
    random_text make(seed);
    const auto format = static_cast<file_format>(1 + seed % 3);
    auto text = format == file_format::edge_list ? make.edge_lines()
                : format == file_format::metis   ? make.metis()
                                                 : make.matrix();
    if (seed % 2 == 0) text = make.damaged(std::move(text));
    file.write(text);
    expect_same({file.path(), format}, fmt::format("seed {}:\n{}", seed, text));
  }
}

TEST(ReadTogether, FewerLinesThanPes) {
  const test::shared_file file(".txt");
  for (const auto* text : {"", "\n", "0 1", "0 1\n", "# only\n", "5 5\n7 5\n"}) {
    file.write(text);
    expect_same({file.path()}, text);
  }
}

// Before, the mark was taken for a part of the first line; and a PE that reads from the middle sees none.
TEST(ReadTogether, AByteOrderMarkIsNoPartOfTheText) {
  const test::shared_file file(".txt");
  const std::string mark = "\xef\xbb\xbf";
  for (const std::string text : {"0 1\n2 0\n", "# head\n0 1\n1 2\n2 0\n", "\r\n5 7",
                                 "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 1\n"}) {
    file.write(text);
    const auto plain = read({file.path()});
    the_job().barrier();
    file.write(mark + text);
    expect_same({file.path()}, text);
    EXPECT_EQ(read({file.path()}).edges, plain.edges) << text;
  }
}

TEST(ReadTogether, WhatOnePartAloneShows) {
  const test::shared_file file(".txt");
  for (const std::string text :
       {"0 1 9007199254740993\n1 2 1\n2 3 1\n3 4 1\n", "0 1 1\n1 2 1\n2 3 1\n3 4 9007199254740993\n",
        "\n\n%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 1\n",
        "0 1\n1 2\n2 3\n%%MatrixMarket matrix\n3 4\n"}) {
    file.write(text);
    expect_same({file.path()}, text);
  }
}

TEST(ReadTogether, MissingFileIsOneError) {
  EXPECT_EQ(outcome_of([] { return read(the_job(), {"/nowhere/graph"}); }).problem,
            "cannot open the graph file /nowhere/graph: No such file or directory");
}

// Before, every PE took a share of a pipe for the whole.
TEST(ReadTogether, APipeIsReadByOnePe) {
  const test::shared_file file(".txt");
  std::optional<std::thread> writer;
  if (the_job().pe() == 0) {
    ASSERT_EQ(mkfifo(file.path().c_str(), 0600), 0);
    writer.emplace([path = file.path()] {
      std::ofstream pipe(path);
      for (int v = 0; v < 20'000; ++v) pipe << v << ' ' << v + 1 << '\n';
    });
  }
  the_job().barrier();
  const auto graph = read(the_job(), {file.path()});
  if (writer) writer->join();
  EXPECT_EQ(graph.vertices, 20'001u);
  ASSERT_EQ(graph.edges.size(), 20'000u);
  EXPECT_EQ(graph.edges.back(), (edge{19'999, 20'000}));
}

// Before, the standard input of other PEs was taken for the same file, in another version.
TEST(ReadTogether, AnOpenFileIsReadByItsOnePe) {
  const test::shared_file file(".txt");
  file.write("0 1\n1 2\n2 3\n");
  const int descriptor = open(the_job().pe() == 0 ? file.path().c_str() : "/dev/null", O_RDONLY | O_CLOEXEC);
  constexpr int same_number = 200; // on all PEs
  ASSERT_EQ(dup2(descriptor, same_number), same_number);
  close(descriptor);
  const auto graph = read(the_job(), {fmt::format("/dev/fd/{}", same_number)});
  close(same_number);
  EXPECT_EQ(graph.edges, (std::vector<edge>{{0, 1}, {1, 2}, {2, 3}}));
}

} // namespace
} // namespace windrow::graph
